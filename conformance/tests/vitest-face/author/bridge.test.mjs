// What a bridge author writes, with a bridge that breaks one invariant and does not declare a feature.
import { describeBridgeConformance } from 'mcp-bridge-conformance';
import { createAdapter } from '../../cli/subjects/wrong-names.mjs';

const createOwn = () => {
  const adapter = createAdapter();
  const describe = async () => ({ ...(await Object.getPrototypeOf(adapter).describe.call(adapter)), features: [] });
  return Object.assign(adapter, { describe });
};

describeBridgeConformance(createOwn, { only: ['NAMING-009', 'NAMING-004/vectors', 'GENERATION-003'], reportsDir: false });
