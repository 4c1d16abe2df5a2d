import { describe, expect, it } from 'vitest';
import { caseJudges } from '../../src/cases/judges/index.ts';
import { mark } from '../../src/bench/bench.ts';
import type { OfferedTool } from '../../src/adapter/messages.ts';
import { HistoryBuilder } from '../histories/builder.ts';

/** Longer than the subject of these histories declares to need. */
const LONG_MS = 60_000;

const listed = (...names: readonly string[]): object[] => names.map((name) => ({ name }));
const shown = (...names: readonly string[]): OfferedTool[] => names.map((name) => ({ name: `a_${name}`, description: mark('a', name), parameters: {} }));
const verdictOf = (invariant: string, story: HistoryBuilder): string | undefined => caseJudges[invariant]?.(story.named('').history).verdict;

/** Announced between two pages; what comes then is told. */
const announced = (): HistoryBuilder => new HistoryBuilder().step('open', ['a']).page('a', listed('x'), { nextCursor: '2' }).announced('a').page('a', listed('y'), { cursor: '2' });
const called = (told: HistoryBuilder): HistoryBuilder => told.registry(shown('x', 'y')).call('a_x', 'a', 'x').step('close');

/** Opened again with a list that lacks a tool of before. */
const reopened = (): HistoryBuilder => new HistoryBuilder().step('open', ['a']).page('a', listed('x', 'y')).registry(shown('x', 'y')).event({ kind: 'processes', started: [1], alive: [] })
  .step('close').step('open', ['a']).page('a', listed('x'));
const closed = (told: HistoryBuilder): HistoryBuilder => told.step('close').event({ kind: 'processes', started: [1, 2], alive: [] });

describe('a list that changed while it was read', () => {
  it('is stale when it was not read from its beginning, and had its time', () => {
    expect(verdictOf('GENERATION-051', called(announced().barrier('await a listing', false, LONG_MS)))).toBe('fail');
  });

  it('is none when it was read anew, or when nobody waited so long', () => {
    expect(verdictOf('GENERATION-051', called(announced().page('a', listed('x'), { nextCursor: '2' }).page('a', listed('y'), { cursor: '2' }).barrier('await more', false, LONG_MS)))).toBe('pass');
    expect(verdictOf('GENERATION-051', called(announced().barrier('await a listing', false, 1)))).toBe('pass');
  });
});

describe('what was opened again', () => {
  it('must not offer what it offered before and is listed no more, once that had its time', () => {
    expect(verdictOf('ISOLATION-050', closed(reopened().barrier('await x alone', false, LONG_MS).registry(shown('x', 'y'))))).toBe('fail');
    expect(verdictOf('ISOLATION-050', closed(reopened().registry(shown('x', 'y'), 'told').registry(shown('x'), 'told')))).toBe('pass');
  });

  it('may offer nothing, which is for others to judge', () => {
    expect(verdictOf('ISOLATION-050', closed(reopened().barrier('await x alone', false, LONG_MS).registry([])))).toBe('pass');
  });
});
