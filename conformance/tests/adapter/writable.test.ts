/** What nests too deep to be written is told in words, by whichever way the subject is operated. */
import { expect, it } from 'vitest';
import type { BridgeAdapter } from '../../src/adapter/bridge-adapter.ts';
import { completeAdapter } from '../../src/adapter/complete-adapter.ts';
import type { SubjectNotification } from '../../src/adapter/messages.ts';
import { isWritable, UNWRITABLE } from '../../src/adapter/writable.ts';
import { capableSubject } from '../histories/builder.ts';

function nested(levels: number): unknown {
  let value: unknown = {};
  for (let level = 1; level < levels; level += 1) value = { a: value };
  return value;
}

const tools = [{ name: 'deep', description: '', parameters: nested(20_000) }, { name: 'flat', description: '', parameters: { type: 'object' } }];

function adapter(told: SubjectNotification[]): BridgeAdapter {
  return completeAdapter({
    describe: () => Promise.resolve(capableSubject),
    open: () => Promise.resolve({ servers: [] }),
    close: () => Promise.resolve(),
    tools: () => Promise.resolve({ revision: 1, tools }),
    call: ({ name }) => Promise.resolve({ outcome: 'ok', executed: 'yes', view: [], value: nested(name === 'deep' ? 20_000 : 1) }),
    onNotification: (listener) => {
      for (const one of told) listener(one);
      return () => undefined;
    },
  });
}

it('puts words in the place of a schema and of a value, and leaves all else as it is', async () => {
  const subject = adapter([]);
  expect((await subject.tools()).tools).toEqual([{ name: 'deep', description: '', parameters: UNWRITABLE }, tools[1]]);
  expect(await subject.call({ callId: '1', name: 'deep', arguments: {} })).toMatchObject({ outcome: 'ok', value: UNWRITABLE });
  expect(await subject.call({ callId: '2', name: 'flat', arguments: {} })).toMatchObject({ value: {} });
});

it('does so in what is told, too', () => {
  const heard: SubjectNotification[] = [];
  const log: SubjectNotification = { type: 'log', level: 'info', message: 'm' };
  const end = adapter([{ type: 'registry', revision: 1, tools }, log]).onNotification((one) => heard.push(one));
  expect(heard).toEqual([{ type: 'registry', revision: 1, tools: [{ ...tools[0], parameters: UNWRITABLE }, tools[1]] }, log]);
  expect(end()).toBeUndefined();
});

it('knows the words again, and calls nothing else unwritable', () => {
  expect([nested(20_000), UNWRITABLE, nested(100), 'text', undefined, true].map(isWritable)).toEqual([false, false, true, true, true, true]);
});
