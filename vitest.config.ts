import { defineConfig } from 'vitest/config';

/** One run over every room; each file in a fork of its own, so that a test that hangs can be killed. */
const config = defineConfig({
  test: {
    include: ['{fixture-servers,bridge,conformance}/tests/**/*.test.ts', 'scripts/tests/**/*.test.ts'],
    pool: 'forks',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ['default'],
  },
});

// vitest requires a default export here; it is the one place that has one.
export { config as default };
