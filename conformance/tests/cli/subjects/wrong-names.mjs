// A bridge whose names are legal and unique but begin with another word than the scheme it declares: a failure.
import { referenceStages } from 'cordis-plugin-mcp-bridge/internal';
import { createReferenceAdapter } from '../../../dist/subjects/reference/index.js';

const publicToolName = (server, raw) => referenceStages.publicToolName(server, raw).replace(/^mcp__/, 'mcq__');

export const createAdapter = () => createReferenceAdapter({ stages: { publicToolName } });
