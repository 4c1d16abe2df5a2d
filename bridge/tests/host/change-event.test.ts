import { expect, it } from 'vitest';
import type { CordisContext } from '../../src/host/cordis-context.ts';
import { eventEmitter } from '../../src/host/change-event.ts';
import { embeddedHosts } from './cordis-versions.ts';

/** What is emitted on a context that stands for `ctx`. */
function watched(ctx: object): { readonly watching: CordisContext; readonly emitted: unknown[][] } {
  const emitted: unknown[][] = [];
  const watching: CordisContext = Object.create(ctx, { emit: { value: (...args: unknown[]) => void emitted.push(args) } });
  return { watching, emitted };
}

function isEmitter(ctx: unknown): ctx is { on(event: string, listener: () => void): () => void } {
  return typeof ctx === 'object' && ctx !== null && 'on' in ctx;
}

it.each(embeddedHosts)('in %s nothing is emitted while nobody listens', async (_name, start) => {
  const host = await start();
  const { watching, emitted } = watched(host.ctx);
  const emit = eventEmitter(watching, 'tools/change');
  emit(1);
  expect(emitted).toEqual([]);
  if (!isEmitter(host.ctx)) throw new TypeError('a context has on');
  const stop = host.ctx.on('tools/change', () => undefined);
  emit(2);
  stop();
  emit(3);
  expect(emitted).toEqual([['tools/change', 2]]);
  await host.dispose();
});

it('nothing is emitted where the list names the event and holds nothing', () => {
  const { watching, emitted } = watched({ events: { _hooks: { 'tools/change': null, 'tools/settled': 7 } } });
  for (const event of ['tools/change', 'tools/settled']) eventEmitter(watching, event)(1);
  expect(emitted).toEqual([]);
});

it.each([
  ['no list of listeners', {}],
  ['a list of another shape', { events: { _hooks: 7 } }],
  ['a list that is empty in another way', { events: { _hooks: null } }],
  ['nothing where the list should be', { events: null }],
  ['something else there', { events: 'none' }],
  ['an object of another kind there', { events: {} }],
])('in a context with %s it is always emitted', (_what, ctx) => {
  const { watching, emitted } = watched(ctx);
  eventEmitter(watching, 'tools/change')(1);
  expect(emitted).toEqual([['tools/change', 1]]);
});
