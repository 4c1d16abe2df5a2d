import { describe, expect, it } from 'vitest';
import type { HistoryEvent } from '../../src/history/schema.ts';
import { EventTable, historyOf } from '../../src/history/saved-run.ts';

const event = (callId: string): HistoryEvent => ({ atMs: 1, kind: 'cancel', callId });

describe('the events of a saved run', () => {
  it('are kept once each, and every history is found again whole and in order', () => {
    const [prepared, a, b, c] = [event('prepared'), event('a'), event('b'), event('c')];
    const table = new EventTable();
    const histories = [[prepared, a], [prepared, b, c], [c, a]];
    const attempts = histories.map((history) => ({ spans: table.spansOf(history) }));
    expect(table.events).toHaveLength(4);
    expect(attempts[0]?.spans).toEqual([[0, 2]]);
    expect(attempts.map((attempt) => historyOf(table, attempt))).toEqual(histories);
  });

  it('that are named and not there are nothing', () => {
    expect(historyOf({ events: [event('a')] }, { spans: [[0, 9], [5, 7]] })).toHaveLength(1);
  });
});
