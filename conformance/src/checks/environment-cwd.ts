/** The folder in which a program runs where none is configured (ENVIRONMENT-003). */
import { readFileSync, readlinkSync } from 'node:fs';
import { NotApplicable } from '../bench/endings.ts';
import { eventsOf, isObject } from '../history/views.ts';
import { fail, inconclusive, pass, scripted } from './check.ts';
import { script, STEADY } from './support/scripts.ts';
import { ask, note } from './support/steps.ts';

const SERVER = 'unplaced';
const PLACES = 'folders';

/** The folder of the process that started this one: a driver may have gone elsewhere than the suite. `undefined` where the system does not say. */
function folderOfParent(pid: number): string | undefined {
  try {
    const parent = /^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return parent === undefined ? undefined : readlinkSync(`/proc/${parent}/cwd`);
  } catch {
    return undefined;
  }
}

/** ENVIRONMENT-003: the folder of the host. */
export const defaultCwd = scripted({
  id: 'ENVIRONMENT-003/default-cwd',
  invariant: 'ENVIRONMENT-003',
  async exercise(bench) {
    const server = bench.serve(SERVER, script(SERVER, []));
    await bench.open([server]);
    await ask(bench, SERVER, STEADY);
    const started = server.fixture.processes.at(-1);
    if (started !== undefined) {
      const host = folderOfParent(started.pid);
      if (host === undefined) throw new NotApplicable('this system does not say in which folder the process runs that started a server');
      note(bench, PLACES, { host, cwd: started.cwd });
    }
    await bench.close();
  },
  judge(history) {
    const told = eventsOf(history, 'host-event').find(({ event }) => event.event === PLACES);
    const detail = told?.event.detail;
    if (told === undefined || !isObject(detail)) return inconclusive('no process told its folder');
    const { host, cwd } = detail;
    return cwd === host ? pass('the program runs in the folder of the host') : fail(`no cwd was configured; the host runs in ${String(host)}, the program in ${String(cwd)}`, [told.index]);
  },
});
