/** How a bridge speaks, and what a view looks like. */
import type { CallReply, SubjectNotification } from '../../../src/adapter/bridge-adapter.ts';
import { liberty, type Around, type Liberty } from './vary.ts';

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

/** What the minimal bridge itself says of a call that failed. */
const OWN_WORDS = /^(?:no answer|the server (?:is|answered|refused)|the caller)/;

/** What a server says of a call that it refused is for people, in the log; the model hears that it failed. */
const discreet: Around = (inner) => {
  const listeners = new Set<(told: SubjectNotification) => void>();
  return {
    onNotification: (listener) => {
      listeners.add(listener);
      const stop = inner.onNotification(listener);
      return () => {
        listeners.delete(listener);
        stop();
      };
    },
    call: async (request) => {
      const reply = await inner.call(request);
      const { message = '' } = reply;
      if (reply.outcome !== 'failed' || reply.executed !== 'unknown' || OWN_WORDS.test(message)) return reply;
      for (const listener of listeners) listener({ type: 'log', level: 'warn', message: `a call was refused: ${message}` });
      return { ...reply, message: 'the call failed', view: [{ type: 'text', text: 'the call failed' }] };
    },
  };
};

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
  liberty("leaves a server's words of a call to the log", ['CALL-006', 'CALL-008', 'CALL-010', 'CALL-011'], {}, discreet),
  liberty('tells an aborted call and a timeout as plain failures', ['CALL-004', 'CALL-010', 'CALL-011', 'CALL-050'], { declares: { features: ['list-changes', 'reconnect', 'abort', 'shared-registry', 'reload'] } }, (inner) => ({
    call: async (request) => {
      const reply = await inner.call(request);
      return reply.outcome === 'ok' || reply.outcome === 'tool-error' ? reply : { ...reply, outcome: 'failed', executed: 'unknown' };
    },
  })),
];
