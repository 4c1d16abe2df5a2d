/** Answers that are encoded many times over never reach `fetch` (B27). */
import type { Dispatcher } from 'undici';
import { expect, it } from 'vitest';
import { refuseManyCodings } from '../../src/transport/content-codings.ts';

/** What a handler is told of an answer with these headers, and why it was ended, if it was. */
function told(headers: Record<string, string | string[]>): { readonly events: unknown[]; readonly ended: string[] } {
  const [events, ended] = [new Array<unknown>(), new Array<string>()];
  const controller: Dispatcher.DispatchController = { aborted: false, paused: false, reason: null, abort: ({ message }) => ended.push(message), pause: () => {}, resume: () => {} };
  const answer: Dispatcher.Dispatch = (request, handler) => {
    events.push(request.path);
    handler.onRequestStart?.(controller, 'context');
    handler.onResponseStart?.(controller, 200, headers, 'OK');
    handler.onResponseData?.(controller, Buffer.from('data'));
    handler.onResponseEnd?.(controller, { trailer: 'x' });
    handler.onResponseError?.(controller, new Error('reset'));
    return true;
  };
  const dispatch = refuseManyCodings(answer);
  const isTaken = dispatch({ path: '/mcp', method: 'GET' }, {
    onRequestStart: (_controller, context) => events.push(context),
    onResponseStart: (_controller, ...more) => events.push(more),
    onResponseData: (_controller, chunk) => events.push(chunk.toString()),
    onResponseEnd: (_controller, trailers) => events.push(trailers),
    onResponseError: (_controller, error) => events.push(error.message),
  });
  // Nobody has to listen.
  expect([isTaken, dispatch({ path: '/mcp', method: 'GET' }, {})]).toEqual([true, true]);
  return { events: events.slice(0, -1), ended };
}

it.each<readonly [Record<string, string | string[]>]>([[{}], [{ 'content-encoding': 'gzip' }], [{ 'content-encoding': 'br, br, br, br, br' }], [{ 'content-encoding': ['gzip, br', 'gzip'] }]])('hands on an answer with %j as it comes', (headers) => {
  expect(told(headers)).toEqual({ events: ['/mcp', 'context', [200, headers, 'OK'], 'data', { trailer: 'x' }, 'reset'], ended: [] });
});

it.each([['br, br, br, br, br, br'], [['br, br, br', 'br, br', 'br']]])('ends one that is encoded %j', (coding) => {
  const { events, ended } = told({ 'content-encoding': coding });
  expect(events).toEqual(['/mcp', 'context', 'data', { trailer: 'x' }, 'reset']);
  expect(ended[0]).toBe('its content is encoded 6 times over, more than 5 are not accepted');
});
