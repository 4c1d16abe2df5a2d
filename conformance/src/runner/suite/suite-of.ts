import type { Area } from 'mcp-fixture-server/case';
import { inject } from 'vitest';
import { replayCommand } from '../../cli/replay-command.ts';
import { describeBridgeConformance } from '../describe.ts';
import { loadSubject } from '../subject-module.ts';
import type { SuiteSettings } from '../suite-settings.ts';

/** Declares the checks of these areas with the settings that the command line provides. */
export async function suiteOf(...areas: Area[]): Promise<void> {
  const { subjectUrl, ...settings }: SuiteSettings = inject('bridgeConformance');
  const factory = await loadSubject(subjectUrl);
  describeBridgeConformance(factory, { ...settings, areas, replayCommand: (run) => replayCommand(run, settings.subject) });
}
