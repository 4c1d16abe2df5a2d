import * as fc from 'fast-check';
import { describe, it } from 'vitest';
import { fuzzRuns } from './fuzz-runs.ts';
import { expectHealthy, openAnew, PATIENT, useSession } from './judge.ts';
import { expectQuietHost, watchHost } from './quiet-host.ts';
import { anyStdioScript, SOUND_STDIO, stdioEffects, type StdioScript } from './stdio-peer.ts';

watchHost();

const TARGET = { transport: 'stdio', command: 'none' } as const;

async function survives(script: StdioScript): Promise<void> {
  await useSession(openAnew(TARGET, stdioEffects(script)));
  await expectHealthy(openAnew(TARGET, stdioEffects(SOUND_STDIO), PATIENT));
  await expectQuietHost();
}

describe('a server on stdio, whatever it writes', () => {
  it('is served, or fails with a clear error, and the next connection works (B01, B05, B08, B27)', async () => {
    await fc.assert(fc.asyncProperty(anyStdioScript, survives), fuzzRuns(60));
  });
});
