import type { SubjectDescription } from 'mcp-bridge-conformance/adapter';
import { MAX_NAME_LENGTH, NAME_PATTERN } from './naming.ts';

/** What the minimal bridge declares. */
export const minimalDescription: SubjectDescription = {
  adapter: 1,
  name: 'minimal-bridge',
  version: '1.0.0',
  registry: 'push',
  servers: 'dynamic',
  names: { scheme: 'own', pattern: NAME_PATTERN, maxLength: MAX_NAME_LENGTH, qualified: true },
  transports: ['stdio', 'streamable-http'],
  features: ['list-changes', 'reconnect', 'abort', 'images', 'output-validation', 'shared-registry', 'policies', 'programs', 'reload', 'outcomes'],
  levels: ['core'],
  options: ['reconnect'],
  bounds: {
    // The longest pause between two listings of a server that announces on and on (1 s), and a listing.
    settleMs: 1_500,
    // Grace after the end of input and after SIGTERM, 400 ms each, and what is left in the pipe.
    closeMs: 1_500,
    // The longest delay between two attempts (2 s), and a start.
    reconnectMs: 3_000,
  },
  fidelity: { keyOrder: true, bigNumbers: false },
};
