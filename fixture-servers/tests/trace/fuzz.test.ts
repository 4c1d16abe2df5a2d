import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuzzRuns } from '../fuzz-runs.ts';
import { createReplayer } from '../../src/proxy/replay/replayer.ts';
import { parseMessage } from '../../src/jsonrpc/message.ts';
import { ScenarioError } from '../../src/scenario/error.ts';
import { fromConversations } from '../../src/trace/as-scenario/from-conversations.ts';
import { scenarioText } from '../../src/trace/as-scenario/to-yaml.ts';
import { createLifeBuilder } from '../../src/trace/conversation/build.ts';
import { createDiagram } from '../../src/trace/diagram.ts';
import { createScrubber } from '../../src/trace/scrub/scrubber.ts';
import type { TraceRecord } from '../../src/trace/schema.ts';
import { recordsOf } from './records.ts';

const odd = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom('t', 1, 2, '__proto__', null, '$any'));
const message = fc.record({
  jsonrpc: fc.constant('2.0'),
  id: fc.oneof(fc.constantFrom<unknown>(1, 2, 3, 'a'), odd),
  method: fc.oneof(fc.constantFrom<unknown>('initialize', 'tools/list', 'tools/call', 'ping', 'x', 'notifications/tools/list_changed', 'notifications/progress', 'notifications/cancelled'), odd),
  params: fc.oneof(fc.record({ name: odd, arguments: odd, cursor: odd, requestId: odd, progressToken: odd, _meta: odd }, { requiredKeys: [] }), odd),
  result: fc.oneof(fc.record({ tools: fc.array(fc.oneof(odd, fc.record({ name: odd, inputSchema: odd, annotations: odd, result: odd }, { requiredKeys: [] }))), nextCursor: odd }, { requiredKeys: [] }), odd),
  error: fc.oneof(fc.record({ code: odd, message: odd, data: odd }), odd),
}, { requiredKeys: ['jsonrpc'] });
const raw = fc.oneof({ weight: 6, arbitrary: message.map((value) => JSON.stringify(value)) }, { weight: 1, arbitrary: fc.string() }, { weight: 1, arbitrary: fc.array(message, { maxLength: 3 }).map((value) => JSON.stringify(value)) });
const happening = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(fc.constant('c2s' as const), raw, fc.nat(20)) },
  { weight: 4, arbitrary: fc.tuple(fc.constant('s2c' as const), raw, fc.nat(20)) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom('exit' as const, 'stderr' as const, 'input-end' as const, 'note' as const), fc.string(), fc.nat(255)) },
);
const trace = fc.array(happening, { maxLength: 25 }).map((happenings): TraceRecord[] => {
  const made = recordsOf();
  for (const [what, text, number] of happenings) {
    if (what === 'c2s') made.c2s(text, { bytes: Buffer.byteLength(text) + number });
    else if (what === 's2c') made.s2c(text, { bytes: Buffer.byteLength(text) + number });
    else made.process(what, what === 'exit' ? (number % 2 === 0 ? { code: number } : { signal: 'SIGTERM' }) : { text });
  }
  return made.records;
});

/** Each process of the trace in turn; every second life has the records of the first. */
function conversations(records: readonly TraceRecord[], count: number) {
  const [first, ...rest] = Array.from({ length: count }, (_, index) => {
    const builder = createLifeBuilder('s', 'stdio');
    records.slice(index).forEach((record, line) => builder.add(record, line + 1));
    return builder.life;
  });
  if (first === undefined) throw new Error('at least one');
  return { server: 's', lives: [first, ...rest] as const, stateless: false };
}

describe('whatever a trace holds', () => {
  it('is drawn, scrubbed and replayed, and becomes a scenario that is one, or is refused', async () => {
    let scenarios = 0;
    await fc.assert(fc.asyncProperty(trace, fc.constantFrom(1, 2), async (records, count) => {
      const diagram = createDiagram();
      for (const record of records) diagram.push(record);
      diagram.end();
      const scrubber = createScrubber();
      for (const record of records) scrubber.survey(record);
      expect(records.map((record) => scrubber.scrub(record))).toHaveLength(records.length);

      const sent: string[] = [];
      const replayer = createReplayer<undefined>(conversations(records, count), count, {
        send: (text) => void sent.push(text), raw: () => undefined, stderr: () => undefined, end: () => undefined, complain: () => undefined,
      });
      replayer.start(undefined);
      for (const record of records) {
        if (record.kind === 'frame' && record.direction === 'client-to-server') replayer.message(parseMessage(record.raw), undefined);
      }
      replayer.inputEnd(undefined);
      await replayer.idle();
      for (const text of sent) expect(() => JSON.parse(text)).not.toThrow();

      try {
        scenarioText(fromConversations(conversations(records, count)), 'x.jsonl');
        scenarios += 1;
      } catch (error) {
        // Such as a name that is too long, or a number that YAML would not give back.
        if (!(error instanceof ScenarioError)) throw error;
      }
    }), fuzzRuns(80));
    expect(scenarios).toBeGreaterThan(40);
  });
});
