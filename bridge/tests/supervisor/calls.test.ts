/** Calls of tools whose server is not connected. */
import { beforeEach, describe, expect, it } from 'vitest';
import { BridgeError } from '../../src/errors.ts';
import { settle } from '../helpers-logic/manual-clock.ts';
import { listedTool, textResult } from '../helpers-logic/scripted-session.ts';
import { MemoryApp } from './memory-app.ts';

let app: MemoryApp;

beforeEach(() => {
  app = new MemoryApp('a');
});

const refused = new BridgeError('connect-failed', 'refused');

/** How a call of the tool fails. */
async function failedCall({ host }: MemoryApp): Promise<BridgeError> {
  try {
    await host.call('mcp__mem__a');
  } catch (error) {
    if (error instanceof BridgeError) return error;
  }
  throw new Error('the call did not fail');
}

describe('a call during an outage', () => {
  it('fails at once, was not sent, and says what is going on (S55)', async () => {
    await app.load();
    app.server.session.lose('the process exited with code 3');
    expect(await failedCall(app)).toMatchObject({ code: 'not-connected', executed: 'no', message: expect.stringContaining('the connection was lost: the process exited with code 3; what is left of it is being ended') as unknown });
    app.server.session.vanish('the process exited with code 3');
    await app.clock.advance(40);
    expect((await failedCall(app)).message).toContain('code 3; attempt 1 of 4 begins in 60 ms');
    const held = app.server.holdListings();
    await app.clock.advance(60);
    await held.reached;
    expect((await failedCall(app)).message).toContain('code 3; attempt 1 of 4 is under way');
    expect(app.server.calls).toEqual([]);
    held.release();
    await settle();
    expect(await app.host.call('mcp__mem__a')).toEqual(textResult('called a'));
  });

  it('says that the connection has just ended, when nobody was told yet', async () => {
    await app.load();
    app.server.session.isOpen = false;
    expect((await failedCall(app)).message).toContain('(its connection has just ended)');
  });

  it('is not queued: the recovered server never sees it (S55, B04)', async () => {
    await app.load();
    app.server.session.crash();
    await failedCall(app);
    await app.clock.advance(1_000);
    expect(app.state).toMatchObject({ state: 'ready' });
    expect(app.server.calls).toEqual([]);
  });

  it('says that the budget is spent, when somebody kept a definition', async () => {
    await app.load();
    const kept = app.host.tool('mcp__mem__a');
    app.server.connectError = refused;
    app.server.session.crash();
    await app.clock.advance(10_000);
    await expect(kept.execute({}, { callId: '1', name: 'mcp__mem__a', arguments: {}, signal: new AbortController().signal })).rejects.toThrow(/it could not be connected: refused; given up after 4 attempts/);
  });

  it('says that the instance is disposed, when somebody kept a definition', async () => {
    await app.load();
    const kept = app.host.tool('mcp__mem__a');
    await app.dispose();
    await expect(kept.execute({}, { callId: '1', name: 'mcp__mem__a', arguments: {}, signal: new AbortController().signal })).rejects.toThrow('this instance of the bridge is disposed');
  });

  it('finds the connection it needs already inside the change that registers its tool', async () => {
    app.server.tools = [listedTool('b')];
    app.server.connectError = refused;
    await app.load();
    const outcomes: unknown[] = [];
    app.host.onChange = () => void app.host.call('mcp__mem__b').then((value) => outcomes.push(value), (error: unknown) => outcomes.push(error));
    app.server.connectError = undefined;
    await app.clock.advance(100);
    expect(outcomes).toEqual([textResult('called b')]);
  });
});
