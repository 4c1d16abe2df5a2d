/** What the model sees of results, on any case. */
import { fail, inconclusive, pass, type Judgement } from '../../checks/check.ts';
import { allReadable, answeredResult, placesOf, replyOf } from '../../checks/support/facts.ts';
import type { History } from '../../history/schema.ts';
import { frames, isObject, messageOf, subjectOf, textOf, type PairedCall } from '../../history/views.ts';
import { casePairs } from './facts.ts';
import type { CaseJudge } from './case-judge.ts';

/** So many letters of a payload in some text are a leak. */
const LEAK_LETTERS = 64;
/** A text that is longer may be cut. */
const MAX_TEXT = 4_000;
/** Types that the protocol has. */
const KNOWN_TYPES: ReadonlySet<unknown> = new Set(['text', 'image', 'audio', 'resource', 'resource_link']);

type Judge = (shown: string, blocks: readonly unknown[], call: PairedCall) => string | undefined;

/** Judges each success with content. */
function eachShown(judge: Judge): CaseJudge {
  return (history) => {
    const calls = casePairs(history).filter((call) => replyOf(call)?.outcome === 'ok' && Array.isArray(answeredResult(call)?.['content']));
    for (const call of calls) {
      const { content } = (answeredResult(call) ?? {}) as { content?: unknown };
      const shown = (replyOf(call)?.view ?? []).map((block) => (block.type === 'text' ? block.text : '[image]')).join('\n');
      const problem = judge(shown, Array.isArray(content) ? content : [], call);
      if (problem !== undefined) return fail(`${call.callId}: ${problem}`, placesOf(call));
    }
    return calls.length === 0 ? inconclusive('no success with content is in the history') : pass(`${calls.length} results are shown as is due`);
  };
}

const textIn = (block: unknown): string | undefined => (isObject(block) && block['type'] === 'text' && typeof block['text'] === 'string' && block['text'].length <= MAX_TEXT ? block['text'] : undefined);

const inOrder: Judge = (shown, blocks) => {
  let from = 0;
  for (const block of blocks) {
    const text = textIn(block);
    if (text === undefined) continue;
    const at = shown.indexOf(text, from);
    if (at === -1) return `the text ${JSON.stringify(text.slice(0, 80))} is not shown in its place`;
    from = at + text.length;
  }
  return undefined;
};

/** Between two texts, before the first and after the last something stands for what the server sent there. */
const nothingGone: Judge = (shown, blocks) => {
  let from = 0;
  let odd: unknown[] = [];
  for (const block of [...blocks, undefined]) {
    const text = textIn(block);
    if (text === undefined && block !== undefined) {
      odd.push(block);
      continue;
    }
    const at = text === undefined ? shown.length : shown.indexOf(text, from);
    if (at === -1) return `the text ${JSON.stringify(text?.slice(0, 80))} is not shown in its place`;
    if (odd.length > 0 && !/[\p{L}\p{N}]/u.test(shown.slice(from, at))) return `${odd.length} blocks disappeared, the first is ${JSON.stringify(odd[0]).slice(0, 120)}`;
    odd = [];
    from = at + (text?.length ?? 0);
  }
  return undefined;
};

const linksKept: Judge = (shown, blocks) => {
  const parts = blocks.flatMap((block) => (isObject(block) && block['type'] === 'resource_link' ? [block['name'], block['uri']] : []));
  const lost = parts.find((part) => typeof part === 'string' && !shown.includes(part));
  return lost === undefined ? undefined : `${JSON.stringify(lost)} of a link is not shown`;
};

const unknownNamed: Judge = (shown, blocks) => {
  const types = blocks.flatMap((block) => (isObject(block) && typeof block['type'] === 'string' && !KNOWN_TYPES.has(block['type']) ? [block['type']] : []));
  const unnamed = types.find((type) => !shown.includes(type));
  return unnamed === undefined ? undefined : `a block of the unknown type ${JSON.stringify(unnamed)} is not named`;
};

/** Payloads of blocks in every result that was sent: what stands in `data` and `blob`, wherever. */
function payloadsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => payloadsIn(one));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    (key === 'data' || key === 'blob') && typeof one === 'string' && one.length >= LEAK_LETTERS ? [one] : payloadsIn(one));
}

/** Texts that servers sent as such: they may be shown whole (PROJECTION-001), but by who keeps to S46. */
function ownTexts(history: History): string[] {
  if (subjectOf(history)?.levels.includes('seed') === true) return [];
  return frames(history, { direction: 'server-to-client' }).flatMap(({ event }) => {
    const { result } = messageOf(event) as { result?: unknown };
    const content = isObject(result) && Array.isArray(result['content']) ? (result['content'] as unknown[]) : [];
    return content.flatMap((block) => (isObject(block) && block['type'] === 'text' && typeof block['text'] === 'string' ? [block['text']] : []));
  });
}

function judgePayloads(history: History): Judgement {
  const texts = ownTexts(history);
  const payloads = frames(history, { direction: 'server-to-client' }).flatMap(({ event }) => payloadsIn(messageOf(event)['result']))
    .filter((payload) => !texts.some((text) => text.includes(payload.slice(0, LEAK_LETTERS)) || text.includes(payload.slice(-LEAK_LETTERS))));
  if (payloads.length === 0) return inconclusive('no result with a payload of 64 letters or more was sent');
  const readable = allReadable(history);
  for (const payload of new Set(payloads)) {
    const leak = readable.find(({ text }) => text.includes(payload.slice(0, LEAK_LETTERS)) || text.includes(payload.slice(-LEAK_LETTERS)));
    if (leak !== undefined) return fail('the payload of a block stands in text that a model or a person reads', [leak.index]);
  }
  return pass(`${payloads.length} payloads stand in no text`);
}

/** Text of a view has no half of a character. */
const wellFormed: Judge = (_shown, _blocks, call) => (/\p{Cs}/u.test(textOf(replyOf(call)?.view ?? [])) ? 'the text has half a character' : undefined);

/** By invariant. */
export const projectionJudges: Readonly<Record<string, CaseJudge>> = {
  'PROJECTION-001': eachShown(inOrder), 'PROJECTION-003': eachShown(linksKept), 'PROJECTION-004': eachShown(nothingGone),
  'PROJECTION-005': eachShown(unknownNamed), 'PROJECTION-006': judgePayloads, 'PROJECTION-008': eachShown(wellFormed), 'PROJECTION-033': judgePayloads,
};
