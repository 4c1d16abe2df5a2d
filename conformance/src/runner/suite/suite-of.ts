import type { Area } from 'mcp-fixture-server/case';
import { afterAll, inject } from 'vitest';
import { caseCommand, replayCommand } from '../../cli/replay-command.ts';
import { declareConformance } from '../describe.ts';
import { eventText } from '../../reporters/event-text.ts';
import { isStimulus } from '../lost-run.ts';
import { RunNotes } from '../run-notes.ts';
import { factoryOf } from '../subject-way.ts';
import { SubjectWorker } from '../subject-worker.ts';
import type { SuiteSettings } from '../suite-settings.ts';

/** What a process keeps from one suite file to the next: a driver is started once, and a subject that never starts is given up once. */
interface Kept {
  readonly worker: SubjectWorker;
  readonly notes: RunNotes;
}
let kept: Promise<Kept> | undefined;

async function keep({ way, described, notesDir, blockedMs }: SuiteSettings): Promise<Kept> {
  const notes = new RunNotes(notesDir, blockedMs);
  const worker = new SubjectWorker(await factoryOf(way), {}, described);
  worker.onNote = (event) => {
    if (isStimulus(event)) notes.asked(eventText(event));
  };
  return { worker, notes };
}

/** Declares the checks of these areas with the settings that the command line provides. */
export async function suiteOf(...areas: Area[]): Promise<void> {
  const { way, described: _described, notesDir: _notesDir, blockedMs: _blockedMs, ...settings } = inject('bridgeConformance');
  const { worker, notes } = await (kept ??= keep(inject('bridgeConformance')));
  const { subject } = settings;
  declareConformance(worker, {
    ...settings, areas, replayCommand: (run) => replayCommand(run, subject), caseCommand: (file) => caseCommand(file, subject),
  }, notes);
  // An adapter in this process is made anew for each area. A driver lives on until its input ends with this process.
  if (way.kind === 'module') afterAll(() => worker.discard());
}
