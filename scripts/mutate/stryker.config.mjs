/**
 * For `npm run mutate` (scripts/mutate.mjs).
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
const config = {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'scripts/mutate/vitest.config.ts', related: false },
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  reporters: ['progress-append-only', 'clear-text', 'json'],
  jsonReporter: { fileName: 'reports/mutation.json' },
  clearTextReporter: { logTests: false, allowColor: false, reportTests: false },
  tempDirName: 'node_modules/.cache/mutate',
  cleanTempDir: 'always',
  incremental: true,
  incrementalFile: 'reports/mutation-incremental.json',
  concurrency: 2,
  dryRunTimeoutMinutes: 30,
  timeoutMS: 5_000,
  timeoutFactor: 2,
  inPlace: false,
  ignorePatterns: ['reports', 'coverage', '**/dist/tests', 'scripts/node24/.cache'],
  disableTypeChecks: true,
  // TypeScript 7 has no library for the tool to read a tsconfig with; vitest needs none rewritten.
  tsconfigFile: 'scripts/mutate/no-tsconfig.json',
  allowEmpty: false,
};

// The tool reads a default export.
export { config as default };
