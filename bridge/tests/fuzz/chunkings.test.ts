/** The same bytes give the same messages, however they are cut (B25). */
import { inspect } from 'node:util';
import * as fc from 'fast-check';
import { describe, it } from 'vitest';
import { equalJson } from '../../src/json-shape.ts';
import { anyBytes, anyCuts } from './chunkings.ts';
import { fuzzRuns } from './fuzz-runs.ts';
import { anyAnswer } from './http-answers.ts';
import { answerTo, strayMessage } from './mcp-texts.ts';
import { expectQuietHost, watchHost } from './quiet-host.ts';
import { heardOnStdio, heardOverHttp } from './transcripts.ts';

watchHost();

/** What stdout says, with messages that are too long for a limit of so many bytes. */
const output = fc.array(fc.oneof(
  fc.tuple(fc.oneof(answerTo('tools/list'), strayMessage), fc.constantFrom('\n', '\r\n', '\n\n', '\r\r\n')).map(([text, end]) => Buffer.from(`${text}${end}`)),
  fc.tuple(fc.constantFrom('', '\ufeff'), fc.integer({ min: 180, max: 460 }), fc.boolean(), fc.constantFrom('\n', '\r\n')).map(([mark, length, isIdFirst, end]) => {
    const filler = 'x'.repeat(length);
    return Buffer.from(`${mark}${isIdFirst ? `{"jsonrpc":"2.0","id":7,"result":"${filler}"}` : `{"result":"${filler}","jsonrpc":"2.0","id":7}`}${end}`);
  }),
  anyBytes,
), { maxLength: 5 }).map((parts) => Buffer.concat(parts));

/** Compared without recursion: some values are deeper than a stack. */
function expectSame(heard: unknown, whole: unknown): void {
  if (equalJson(heard, whole)) return;
  throw new Error(`cut, they gave ${inspect(heard)}; whole, ${inspect(whole)}`);
}

describe('the same bytes', () => {
  it('give the same messages on stdio', async () => {
    await fc.assert(fc.asyncProperty(output, anyCuts, fc.constantFrom(200, 1_000_000), async (bytes, cuts, maxMessageBytes) => {
      expectSame(await heardOnStdio(bytes, cuts, maxMessageBytes), await heardOnStdio(bytes, [], maxMessageBytes));
    }), fuzzRuns(150));
  });

  it('give the same result over HTTP, whether or not their length is said', async () => {
    const answers = anyAnswer('tools/call').filter(({ status }) => status <= 599);
    await fc.assert(fc.asyncProperty(answers, anyCuts, fc.constantFrom(600, 1_000_000), async (answer, cuts, maxMessageBytes) => {
      const whole = await heardOverHttp({ ...answer, saysLength: true }, [], maxMessageBytes);
      expectSame(await heardOverHttp({ ...answer, saysLength: false }, cuts, maxMessageBytes), whole);
      await expectQuietHost();
    }), fuzzRuns(80, 0.5));
  });
});
