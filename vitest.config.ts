import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take minutes, though they are short: begun last, they would leave the other cores idle at the end. */
const LONG = /\/(?:conformance\/tests\/(?:mutants|model|subjects|real|packed|python|cases)|bridge\/tests\/(?:containers|matrix))\//;

/** The longest of them, the longest first. */
const LONGEST = ['wire', 'connection', 'connection-second-half', 'call', 'http', 'http-second-half', 'generation', 'resilience', 'discovery', 'projection'].map((name) => `/tests/mutants/${name}.test.ts`);

/** The long files first, otherwise as vitest has it: by what it remembers, or by size. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const longest = LONGEST.flatMap((name) => sorted.filter(({ moduleId }) => moduleId.endsWith(name)));
    const rest = sorted.filter((file) => !longest.includes(file));
    return [...longest, ...rest.filter(({ moduleId }) => LONG.test(moduleId)), ...rest.filter(({ moduleId }) => !LONG.test(moduleId))];
  }
}

/** One run over every room; each file in a fork of its own, so that a test that hangs can be killed. */
const config = defineConfig({
  test: {
    include: ['{fixture-servers,bridge,conformance}/tests/**/*.test.ts', 'scripts/tests/**/*.test.ts'],
    pool: 'forks',
    // One more than there are cores: most tests wait for other processes.
    maxWorkers: availableParallelism() + 1,
    // Of one file: mutants run side by side, and a machine that is too busy hides defects that show in time.
    maxConcurrency: 2,
    sequence: { sequencer: LongFirst },
    // Where the first is set, Node before 22 reads every certificate of the machine at each start of each scripted server.
    // What speaks TLS here is npm alone, which is given it back (`conformance/tests/packed/`).
    env: { NODE_EXTRA_CA_CERTS: '', NPM_EXTRA_CA_CERTS: process.env['NODE_EXTRA_CA_CERTS'] ?? '' },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ['default'],
  },
});

// vitest requires a default export here; it is the one place that has one.
export { config as default };
