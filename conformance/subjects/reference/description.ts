/**
 * What the reference declares about itself.
 */
import { createRequire } from 'node:module';
import type { SubjectDescription } from 'mcp-bridge-conformance/adapter';

const { name, version }: { name: string; version: string } = createRequire(import.meta.url)('cordis-plugin-mcp-bridge/package.json');

/** The reference declares what the bridge and this host do. */
export const referenceDescription: SubjectDescription = {
  adapter: 1,
  name,
  version,
  registry: 'push',
  servers: 'dynamic',
  names: { scheme: 'mcp-qualified-64-v1' },
  transports: ['stdio', 'streamable-http'],
  features: ['list-changes', 'reconnect', 'abort', 'images', 'output-validation', 'shared-registry', 'policies', 'programs', 'reload', 'outcomes'],
  levels: ['core', 'seed', 'resilience'],
  options: [
    'toolCallTimeoutMs', 'failOnStartupError', 'reconnect', 'connectTimeoutMs', 'discoveryTimeoutMs', 'syncTimeoutMs',
    'closeGraceMs', 'terminateGraceMs', 'nameWaitMs', 'maxPages', 'maxTools', 'maxListBytes', 'maxMessageBytes', 'maxMessageValues',
    'maxSchemaDepth', 'maxResultDepth', 'resultTextMaxChars',
    'maxImageBytes', 'maxImagesPerResult', 'imageLookupTimeoutMs', 'imageStoreTimeoutMs', 'listChangeQuietMs', 'listChangeMaxWaitMs',
    'missingStructuredContent', 'schemaRoot', 'sessionLostOn400', 'toolCallMaxTotalMs',
  ],
  bounds: {
    // The longest quiet time that a server earns by announcing again and again (2 s, B02), and a listing.
    settleMs: 3_000,
    // Grace for the end of input, grace after SIGTERM, proof after SIGKILL: 2 s each.
    closeMs: 7_000,
    // The longest delay between two attempts, and a start.
    reconnectMs: 31_000,
  },
  fidelity: { keyOrder: true, bigNumbers: false },
};
