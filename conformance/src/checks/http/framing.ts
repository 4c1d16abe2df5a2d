/** The same messages over HTTP, cut and written in other ways: JSON bodies, and events of a stream (WIRE-044). */
import * as fc from 'fast-check';
import type { FrameOptions, ScenarioInput } from 'mcp-fixture-server/scenario';
import { inconclusive, property, scripted, type Check, type Judgement } from '../check.ts';
import { callFor } from '../support/facts.ts';
import { onCall, script, STEADY, textResult, tool } from '../support/scripts.ts';
import { ask, openedServer, opens, shortConnect } from '../support/steps.ts';
import { cut, GREET, greeter, judgeFramed, judgeGreeting, labelsOf, lastInput, rawSeparators, text, unhealthy, type Framing } from '../wire/framing.ts';
import { openWeb } from './steps.ts';

const SERVER = 'chopped';
/** The tool whose results are framed. */
const SAID = 'said';

/** A framing, and in which form answers come. */
interface WebFraming extends Framing {
  readonly answers: 'event-stream' | 'json';
}

type EventForm = NonNullable<FrameOptions['event']>;

/** Each answer has a stream of its own, so a byte order mark is where it may be. */
const events: fc.Arbitrary<FrameOptions> = fc
  .record({ crlf: fc.boolean(), bom: fc.boolean(), comments: fc.boolean(), lines: fc.boolean(), spaceless: fc.boolean(), unnamed: fc.boolean() })
  .map(({ crlf, bom, ...form }) => ({ ...(crlf ? { crlf } : {}), ...(bom ? { bom } : {}), event: form }));

/** Two of three answers come in event streams, which have more ways. */
const way: fc.Arbitrary<Pick<WebFraming, 'answers' | 'frame'>> = fc.oneof(
  { weight: 2, arbitrary: events.map((frame) => ({ answers: 'event-stream' as const, frame })) },
  { weight: 1, arbitrary: fc.constant({ answers: 'json' as const, frame: {} }) },
);

const FORMS: readonly (keyof EventForm)[] = ['comments', 'lines', 'spaceless', 'unnamed'];

/** Results, however they are framed. */
const framings = property<WebFraming>({
  id: 'WIRE-044/framings',
  invariant: 'WIRE-044',
  arbitrary: fc.record({ text, cut, raw: rawSeparators, way })
    .map(({ text: said, cut: pieces, raw, way: { answers, frame } }) => ({ text: said, answers, frame: { ...pieces, ...(raw ? { rawSeparators: raw } : {}), ...frame } })),
  runs: 18,
  labels: (input) => [
    ...labelsOf(input), input.answers, ...(input.frame.bom === true ? ['byte order mark'] : []), ...FORMS.filter((form) => input.frame.event?.[form] === true),
  ],
  minimums: {
    'every byte': 1, cut: 1, crlf: 1, 'raw separator': 1, 'multi-byte': 3, json: 1, 'event-stream': 3, 'byte order mark': 1, comments: 1, lines: 1, spaceless: 1, unnamed: 1,
  },
  async prepare(bench) {
    opens(bench, await openWeb(bench, SERVER, saying()));
    await ask(bench, SERVER, STEADY);
  },
  async exercise(bench, input) {
    await openedServer(bench).program(saying(input));
    await ask(bench, SERVER, SAID, { boundMs: 2_000 });
  },
  judge(history): Judgement {
    const run = lastInput(history);
    if (run === undefined) return inconclusive('no input was run');
    return unhealthy(history) ?? judgeFramed(run, callFor(history, SAID));
  },
});

/** A server whose tool answers in this framing. Its list stays, since nobody has to listen for a change of it. */
function saying(input?: WebFraming): ScenarioInput {
  const rules = input === undefined ? [] : [onCall(SAID, [{ reply: { result: textResult(input.text), frame: input.frame } }])];
  return script(SERVER, [tool(SERVER, SAID)], rules, input === undefined ? {} : { http: { answers: input.answers } });
}

/** The very first messages of a connection, and the list. */
const handshakes = (['event-stream', 'json'] as const).map((answers) => scripted({
  id: `WIRE-044/handshake-${answers}`,
  invariant: 'WIRE-044',
  async exercise(bench) {
    // A byte order mark may stand before a stream, not before JSON.
    const how: FrameOptions = { everyByte: true, ...(answers === 'json' ? {} : { crlf: true, bom: true, event: { comments: true, lines: true, spaceless: true, unnamed: true } }) };
    await openWeb(bench, SERVER, { ...greeter(SERVER, how), http: { answers } }, shortConnect(bench));
    await ask(bench, SERVER, GREET);
    await bench.close();
  },
  judge: (history) => judgeGreeting(history, SERVER),
}));

/** Checks of framing over HTTP. */
export const webFramingChecks: readonly Check[] = [framings, ...handshakes];
