import { defineConfig } from 'vitest/config';

/** `npm run coverage`: every line and branch of the bridge is run by the bridge's own tests. */
const config = defineConfig({
  test: {
    include: ['bridge/tests/**/*.test.ts'],
    pool: 'forks',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ['default'],
    coverage: {
      enabled: true,
      provider: 'v8',
      include: ['bridge/src/**/*.ts'],
      reporter: ['text', 'json'],
      reportsDirectory: 'coverage',
      thresholds: { lines: 100, branches: 100, functions: 100, statements: 100 },
    },
  },
});

// vitest requires a default export here.
export { config as default };
