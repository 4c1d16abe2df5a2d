/** What an example's client does and sees, as lines for people. */
import type { TalkStep } from './examples.ts';

const json = (value: unknown): string => JSON.stringify(value) ?? '';

/** One step as lines: `→` from the client, `←` from the server. */
export function told(step: TalkStep): string[] {
  if ('ask' in step) {
    const sent = `→ ${step.ask}${step.params === undefined ? '' : ` ${json(step.params)}`}`;
    if (step.later !== undefined) return [`${sent}   (${step.later})`];
    if (step.bytes !== undefined) return [sent, `← an answer of ${step.bytes} bytes`];
    return [sent, step.answer === undefined ? '← the normal answer' : `← ${json(step.answer)}`];
  }
  if ('answered' in step) return [`← ${json(step.answer)}   (${step.answered})`];
  if ('unanswered' in step) return [`  no answer so far   (${step.unanswered})`];
  if ('lost' in step) return [`  the connection ends without an answer   (${step.lost})`];
  if ('hear' in step) return [`← ${json(step.hear)}${step.times === undefined ? '' : `, ${step.times} times`}`];
  if ('unheard' in step) return [`  never came: ${json(step.unheard)}`];
  if ('listen' in step) return ['→ GET, the listening stream'];
  if ('seen' in step) return [`← on the wire: ${json(step.seen)}`];
  if ('stderr' in step) return [`← on stderr: ${json(step.stderr)}`];
  if ('recorded' in step) return [`  in the trace${step.times === undefined ? '' : `, ${step.times} times`}: ${json(step.recorded)}`];
  if ('release' in step) return [`  the test releases the hold ${step.release}`];
  if ('signal' in step) return [`  the test sends the signal ${step.signal}`];
  if ('do' in step) return [`  the test has it do ${json(step.do)}`];
  if ('kill' in step) return [`→ ${step.kill}`];
  if ('end' in step) return ['→ the end of the input'];
  if ('ends' in step) return [`← the process ends, ${Object.entries(step.ends).map(([key, value]) => `${key} ${value}`).join()}`];
  if ('connect' in step) return ['→ another process, over HTTP another session'];
  const sent = `→ ${step.http}${step.message === undefined ? '' : ` ${json(step.message)}`}${step.headers === undefined ? '' : `, with ${json(step.headers)}`}`;
  if (step.broken !== undefined) return [sent, `← a response that breaks off${step.broken === '' ? '' : ` after ${json(step.broken)}`}`];
  const seen = [
    ...(step.status === undefined ? [] : [String(step.status)]), ...(step.has === undefined ? [] : [json(step.has)]),
    ...(step.body === undefined ? [] : [`a body with ${json(step.body)}`]),
    ...(step.is === undefined ? [] : [step.is === '' ? 'an empty body' : `the body ${json(step.is)}`]),
  ];
  return [sent, `← ${seen.join(', ')}`, ...(step.follow === undefined ? [] : ['  the client goes where it leads'])];
}
