import { defineConfig } from 'vitest/config';
import { QuickFirst } from './quick-first.ts';

/** The bridge's own tests for mutation testing: without those that start other programs for minutes, go through megabytes, or need Node 24. */
const config = defineConfig({
  test: {
    include: ['bridge/tests/**/*.test.ts'],
    exclude: [
      'bridge/tests/dsh/{code-mode,hot-reload,recovery,system-prompt}*', 'bridge/tests/drop-in/**', 'bridge/tests/memory/**', 'bridge/tests/readme.test.ts',
      'bridge/tests/host/example.test.ts', 'bridge/tests/host/bridge-on-hosts.test.ts', 'bridge/tests/images/real-servers.test.ts',
      'bridge/tests/reconnect/quick-cycles.test.ts', 'bridge/tests/containers/**', 'bridge/tests/matrix/**', 'bridge/tests/fuzz/**', 'bridge/tests/payloads-of-megabytes.test.ts',
    ],
    sequence: { sequencer: QuickFirst },
    // As in the root's file: quick starts of scripted servers.
    env: { NODE_EXTRA_CA_CERTS: '' },
    // A change that lets a test hang is noticed here, sooner than by the tool's own limit, which counts all tests.
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});

// vitest requires a default export here.
export { config as default };
