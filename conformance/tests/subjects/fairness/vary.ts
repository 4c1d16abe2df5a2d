/** The minimal bridge with one liberty taken: what differs is said, everything else is the minimal bridge's own. */
import type { AdapterFactory, BridgeAdapter } from '../../../src/adapter/bridge-adapter.ts';
import { completeAdapter } from '../../../src/adapter/complete-adapter.ts';
import { MinimalAdapter, type MinimalOptions } from '../../../subjects/minimal/index.ts';

/** A bridge that differs in one thing only. */
export interface Liberty {
  /** What it does, as the name of a test. */
  readonly name: string;
  /** Areas and invariants whose checks could take offence; the tests run these. */
  readonly probes: readonly string[];
  readonly create: AdapterFactory;
}

/** Changes of methods around the minimal bridge. */
export type Around = (inner: MinimalAdapter) => Partial<BridgeAdapter>;

/** Declares a liberty. */
export function liberty(name: string, probes: readonly string[], options: MinimalOptions, around: Around = () => ({})): Liberty {
  return {
    name, probes,
    create: () => {
      const inner = new MinimalAdapter(options);
      return { ...completeAdapter(inner), ...around(inner) };
    },
  };
}
