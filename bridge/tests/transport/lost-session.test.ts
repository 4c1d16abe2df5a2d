import { describe, expect, it } from 'vitest';
import { doubtsSession, isSessionLost, lostSessionWords, lostSessionWordsIn, sessionLostAnswer } from '../../src/transport/lost-session.ts';

/** An error as a server answers with it. */
function error(code: unknown, message: unknown): { jsonrpc: '2.0'; id: number; error: { code: unknown; message: unknown } } {
  return { jsonrpc: '2.0', id: 1, error: { code, message } };
}

it.each([
  [400, 'Bad Request: Server not initialized', true], [400, 'no such tool', false],
  [401, 'your session has expired', true], [401, 'a session needs a key', false], [403, 'your session has expired', false],
])('tells by status %i and the words %j whether a refusal may mean the end of the session: %s', (status, body, doubts) => {
  expect(doubtsSession(status, body)).toBe(doubts);
});

describe('an error that may mean the end of the session (R46)', () => {
  it.each(['Session not found', 'session abc-1 is unknown', 'Your session has expired', 'Invalid session', 'No valid session ID provided', 'unknown MCP session', 'session does not exist'])('is found by its words: %s', (words) => {
    expect(lostSessionWords(error(-32_001, words))).toBe(words);
    expect(lostSessionWords(error(-32_000, words))).toBe(words);
  });

  it.each([
    ['another code', error(-32_603, 'Session not found')],
    ['a code that is text', error('-32001', 'Session not found')],
    ['a timeout of the server', error(-32_001, 'Request timed out')],
    ['words about a session that lives', error(-32_000, 'the session is busy')],
    ['no words', error(-32_001, undefined)],
    ['words in a list', error(-32_001, ['Session not found'])],
    ['a result', { jsonrpc: '2.0', id: 1, result: {} }],
    ['an error that is text', { error: 'Session not found' }],
    ['nothing', undefined],
  ])('is not %s', (_what, answer) => {
    expect(lostSessionWords(answer)).toBeUndefined();
  });

  it('is found in the text of an answer, JSON or an event stream', () => {
    const json = JSON.stringify(error(-32_001, 'Session not found'));
    expect(lostSessionWordsIn(json)).toBe('Session not found');
    expect(lostSessionWordsIn(`: hello\r\nevent: message\r\ndata: ${json}\r\n\r\n`)).toBe('Session not found');
    expect(lostSessionWordsIn(`data:${json}\n\n`)).toBe('Session not found');
    expect(lostSessionWordsIn(`event: message\ndata: ${json}\n\n`)).toBe('Session not found');
    expect(lostSessionWordsIn(`event: message\n${json}\n\n`)).toBeUndefined();
    expect(lostSessionWordsIn('data: {"jsonrpc":"2.0","id":1,"result":{}}\n\n')).toBeUndefined();
    expect(lostSessionWordsIn('')).toBeUndefined();
  });

  it('carries a mark that no server can write', () => {
    const marked = sessionLostAnswer({ jsonrpc: '2.0', id: 1, error: { code: -32_001, message: 'Session not found' } });
    expect(marked).toMatchObject(error(-32_001, 'Session not found'));
    expect(isSessionLost(marked.error)).toBe(true);
    const copy: object = JSON.parse(JSON.stringify(marked.error));
    expect(isSessionLost(copy)).toBe(false);
  });
});
