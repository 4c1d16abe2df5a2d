/** How a bridge speaks, and what a view looks like. */
import type { CallReply } from '../../../src/adapter/bridge-adapter.ts';
import { liberty, type Liberty } from './vary.ts';

const WORDS = ['NAMING-002', 'DISCOVERY-010', 'GENERATION-005', 'CALL-006', 'CALL-008', 'CALL-011', 'PROJECTION-004', 'PROJECTION-028', 'ISOLATION-001'] as const;

const inOtherWords = (text: string): string => text
  .replaceAll('the server is gone', 'Verbindung weg').replaceAll('the caller gave the call up', 'abgebrochen')
  .replaceAll('is not offered', 'entfällt').replaceAll('belongs to', 'gehört').replaceAll('is listed twice', 'doppelt').replaceAll('the list could not be read again, the old one stays', 'Liste kaputt');

const spoken = (reply: CallReply): CallReply => ({
  ...reply, ...(reply.message === undefined ? {} : { message: inOtherWords(reply.message) }),
  view: reply.outcome === 'ok' ? reply.view : reply.view.map((block) => (block.type === 'text' ? { ...block, text: `Fehler: ${inOtherWords(block.text)}` } : block)),
});

/** Each line of a view as a block of its own. */
const inLines = (reply: CallReply): CallReply => ({
  ...reply, view: reply.view.flatMap((block): CallReply['view'] => (block.type === 'text' ? block.text.split('\n').map((text) => ({ type: 'text', text })) : [block])),
});

/** Liberties of words. */
export const wordingLiberties: readonly Liberty[] = [
  liberty('speaks another language', WORDS, {}, (inner) => ({
    call: async (request) => spoken(await inner.call(request)),
    onNotification: (listener) => inner.onNotification((told) => listener(told.type === 'log' ? { type: 'log', level: told.level, message: inOtherWords(told.message) } : told)),
  })),
  liberty('shows each line as a block of its own, and wraps results', ['CALL-006', 'CALL-008', 'PROJECTION-001', 'PROJECTION-004', 'PROJECTION-020', 'PROJECTION-025', 'PROJECTION-026', 'WIRE-005'], {}, (inner) => ({
    call: async (request) => {
      const { value: _value, ...reply } = inLines(await inner.call(request));
      return { ...reply, view: [{ type: 'text', text: '<result>' }, ...reply.view, { type: 'text', text: '</result>' }] };
    },
  })),
  liberty('tells an aborted call and a timeout as plain failures', ['CALL-004', 'CALL-010', 'CALL-011', 'CALL-050'], { declares: { features: ['list-changes', 'reconnect', 'abort', 'shared-registry', 'reload'] } }, (inner) => ({
    call: async (request) => {
      const reply = await inner.call(request);
      return reply.outcome === 'ok' || reply.outcome === 'tool-error' ? reply : { ...reply, outcome: 'failed', executed: 'unknown' };
    },
  })),
];
