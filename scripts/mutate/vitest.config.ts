import { defineConfig } from 'vitest/config';

/** The bridge's own tests for mutation testing: without those that start other programs for minutes, or need Node 24. */
const config = defineConfig({
  test: {
    include: ['bridge/tests/**/*.test.ts'],
    exclude: [
      'bridge/tests/dsh/**', 'bridge/tests/drop-in/**', 'bridge/tests/memory/**', 'bridge/tests/readme.test.ts',
      'bridge/tests/host/example.test.ts', 'bridge/tests/host/bridge-on-hosts.test.ts', 'bridge/tests/host/cordis-hosts*.test.ts',
      'bridge/tests/host/loader.test.ts', 'bridge/tests/images/real-servers.test.ts', 'bridge/tests/reconnect/quick-cycles.test.ts',
    ],
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
});

// vitest requires a default export here.
export { config as default };
