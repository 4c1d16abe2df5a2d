import { expect, it } from 'vitest';
import { sameState, serverDirectory, type ServerState } from '../src/server-directory.ts';

const STATE: ServerState = { serverName: 's', state: 'reconnecting', attempt: 1, nextDelayMs: 500, toolCount: 2, lastError: 'gone' };

it.each<Partial<ServerState>>([{ state: 'failed' }, { attempt: 2 }, { nextDelayMs: undefined }, { toolCount: 3 }, { lastError: undefined }])('takes a state that differs in %j for news (B20)', (change) => {
  expect(sameState(STATE, { ...STATE })).toBe(true);
  expect(sameState(STATE, { ...STATE, ...change })).toBe(false);
});

it('keeps one directory for one app, whoever asks for it', () => {
  const [app, other] = [{}, {}];
  expect(serverDirectory(app)).toBe(serverDirectory(app));
  expect(serverDirectory(app)).not.toBe(serverDirectory(other));
});
