/** The parts of both languages, as the reference page tells them. */
import type { z } from 'zod';
import { caseFile, caseServer } from '../case/schema.ts';
import { barrier, caseHost, step } from '../case/steps.ts';
import { callExpectation, expectation } from '../case/expectations.ts';
import { action, frameOptions } from '../scenario/actions.ts';
import { httpOptions } from '../scenario/http-options.ts';
import { rule, when } from '../scenario/rules.ts';
import { scenario } from '../scenario/schema.ts';
import { toolEntry } from '../scenario/tools.ts';

/** A part of a language: what may stand in one kind of place. */
export interface Section {
  readonly id: string;
  readonly language: 'scenario' | 'case';
  readonly title: string;
  readonly intro: string;
  readonly schema: z.ZodType;
}

const part = (language: Section['language'], id: string, title: string, intro: string, schema: z.ZodType): Section =>
  ({ id, language, title, intro, schema });

/** All parts, in the order of the page. */
export const SECTIONS: readonly Section[] = [
  part('scenario', 'scenario', 'A scenario', 'The members of a scenario, which is a script for one server. It names no carrier: who serves it does.', scenario),
  part('scenario', 'tools', 'Tools', 'One entry of a list of tools: written out, many alike (`generate`), anything at all (`raw`), or taken from a trace (`fromTrace`).', toolEntry),
  part('scenario', 'rule', 'Rules', 'The first rule that matches an event is performed, alone. Without rules the server is a good one.', rule),
  part('scenario', 'when', 'Triggers', 'What stands in `when`: exactly one trigger (`method`, `spawn`, `inputEnd`, `after`, `signal`, `http`); the rest narrows it.', when),
  part('scenario', 'do', 'Actions', 'What stands in `do`: a list, done in order, each entry a mapping with exactly one key.', action),
  part('scenario', 'frame', 'Frames', 'What stands in `frame`: how a message is put on the wire.', frameOptions),
  part('scenario', 'http', 'Over HTTP', 'What stands in `http`, beside the rules. A server on stdio takes no notice of it.', httpOptions),
  part('case', 'case', 'A case', 'The members of a case: servers, host and steps of one bug report in one file.', caseFile),
  part('case', 'server', 'Servers', 'What stands under the name of a server in `servers`.', caseServer),
  part('case', 'host', 'Host conditions', 'What stands in `host`: what the host of the bridge has.', caseHost),
  part('case', 'step', 'Steps', 'What stands in `steps`: a list, done in order, each entry a mapping with exactly one key.', step),
  part('case', 'await', 'Barriers', 'What stands in `await`. The step ends when the fact is there, or fails when its bound is reached.', barrier),
  part('case', 'expect', 'Expectations', 'What stands in the step `expect`: it must be so now, of all that happened since the case began.', expectation),
  part('case', 'call-expect', 'What a call has to come to', 'What stands in `expect` of the step `call`.', callExpectation),
];
