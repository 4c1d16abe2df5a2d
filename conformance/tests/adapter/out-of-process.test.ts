import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import type { DriverBounds } from '../../src/adapter/driver-bounds.ts';
import { outOfProcess, type DriverAdapter } from '../../src/adapter/out-of-process.ts';
import type { ServerSpec, SubjectNotification } from '../../src/adapter/messages.ts';
import { isRunning, survivors } from '../../src/bench/processes.ts';

const DRIVER = fileURLToPath(new URL('../drivers/scripted-driver.mjs', import.meta.url));
/** Long enough for a node to start on a busy machine. */
const VANISH_MS = 5_000;

const started: DriverAdapter[] = [];
afterEach(() => Promise.all(started.splice(0).map((driver) => driver.end('now'))));

function start(faults: readonly string[], bounds: Partial<DriverBounds> = {}): DriverAdapter {
  const driver = outOfProcess({ command: process.execPath, args: [DRIVER, ...faults] }, bounds);
  started.push(driver);
  return driver;
}

/** The error of a promise that has to reject. */
async function errorOf(promise: Promise<unknown>): Promise<{ readonly code: string; readonly message: string }> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return { code: String(error.code), message: error.message };
    throw error;
  }
  throw new Error('it did not reject');
}

describe('a driver that is right', () => {
  it('is asked every method, and values come through as they are', async () => {
    const driver = start([]);
    expect((await driver.describe()).name).toBe('scripted');
    expect(await driver.open({ servers: [] })).toEqual({ servers: [] });
    const value = { z: 1, a: [1e300, -0.5, 2 ** 53], '\u2028': '\ud800 \0 é' };
    const reply = await driver.call({ callId: 'c', name: 't', arguments: value });
    expect(JSON.stringify(reply.value)).toBe(JSON.stringify(value));
    await Promise.all([driver.cancel('c'), driver.gate({ gate: 'store', action: 'hold' }), driver.setHost({}), driver.close()]);
    expect(await driver.state()).toEqual({ servers: [] });
  });

  it('may answer in any order', async () => {
    const driver = start(['call=late']);
    const settled: string[] = [];
    const call = driver.call({ callId: 'c', name: 't', arguments: {} }).then(() => settled.push('call'));
    await driver.tools().then(() => settled.push('tools'));
    await call;
    expect(settled).toEqual(['tools', 'call']);
  });

  it('tells in order, before what it answers afterwards', async () => {
    const driver = start(['tools=tells']);
    const told: SubjectNotification[] = [];
    driver.onNotification((one) => told.push(one));
    await driver.tools();
    expect(told.map(({ type }) => type)).toEqual(['log', 'registry', 'host-event']);
  });

  it('ends with its input', async () => {
    const driver = start([]);
    await driver.describe();
    await driver.end('in-order');
    expect(await isRunning(driver.pid ?? 0)).toBe(false);
    expect(await errorOf(driver.tools())).toMatchObject({ code: 'driver-exited' });
  });
});

describe('what is wrong is told with its place and the way to mend it', () => {
  it.each<[string, string, string, RegExp]>([
    ['an error', 'open=error', 'driver-error', /answered "open" with the error -32000: no such luck$/],
    ['a method that every driver has, refused', 'open=missing', 'driver-error', /"\S+ \S+ open=missing" refused "open" as unsupported \(-32601\); every adapter and driver needs describe, open, close, tools, call$/],
    ['a line that is no UTF-8', 'open=latin', 'invalid-reply', /line 2 of its stdout is no UTF-8: its byte 40 is 0xe9; write JSON in UTF-8/],
    ['a byte order mark', 'open=marked', 'invalid-reply', /line 1 of its stdout begins with a byte order mark; write UTF-8 without one$/],
    ['a result that does not fit', 'open=invalid', 'invalid-reply', /line 1 of its stdout, the reply to "open", does not fit: servers: .*; see "open\.result" in schemas\/driver\.schema\.json$/],
    ['a line that is no message', 'open=noise', 'invalid-reply', /line 1 of its stdout is no JSON: "Listening on port 80"; only messages .* stderr$/],
    ['a line without an end', 'open=long', 'invalid-reply', /line 1 of its stdout is longer than 50000 bytes/],
    ['an id that was never asked', 'open=unknown-id', 'invalid-reply', /line 1 .* answers the id 999, which was never asked/],
    ['an unknown notification', 'open=rumour', 'invalid-reply', /a notification "rumour", which is none of registry, log, host-event/],
    ['a notification that does not fit', 'open=bad-log', 'invalid-reply', /the notification "log", does not fit: level: .*found "loud"; see "log\.notification"/],
    ['a request', 'open=request', 'invalid-reply', /line 1 of its stdout is a request, "ping"; a driver asks nothing/],
    ['another version', 'open=version', 'invalid-reply', /no reply of JSON-RPC 2\.0: jsonrpc: .*"2\.0".*, found "1\.0"/],
    ['an exit', 'open=exit', 'driver-exited', /exited with code 7, with "open" unanswered; the end of its stderr:\nthe last words$/],
  ])('%s', async (_what, fault, code, told) => {
    const error = await errorOf(start([fault], { maxLineBytes: 50_000 }).open({ servers: [] }));
    expect(error).toMatchObject({ code, message: expect.stringMatching(told) });
  });

  it.each<[string, string, RegExp]>([
    ['another server', 'open=ghost', /: the reply to "open" names "ghost", asked was "files"; missing: "files", not asked for: "ghost": answer for each server/],
    ['none', 'open=forgets', /: the reply to "open" names none, asked was "files"; missing: "files": answer/],
    ['one twice', 'open=doubles', /: the reply to "open" names "files", "files", asked was "files"; answered too often: "files": answer/],
    ['another than was added', 'add=ghost-one', /: the reply to "add" names "ghost", asked was "files"; missing/],
    ['another than was reloaded', 'reload=ghost-one', /: the reply to "reload" names "ghost", asked was "files"; missing/],
  ])('a reply about %s', async (_what, fault, told) => {
    const driver = start([fault]);
    const files: ServerSpec = { name: 'files', transport: 'stdio', command: 'x', args: [] };
    const asked = fault.startsWith('open') ? driver.open({ servers: [files] }) : fault.startsWith('add') ? driver.add(files) : driver.reload('files');
    expect(await errorOf(asked)).toMatchObject({ code: 'invalid-reply', message: expect.stringMatching(told) });
  });

  it.each(['close', 'tools', 'call'] as const)('a refusal of "%s", which every driver has', async (method) => {
    const driver = start([`${method}=missing`]);
    const asked = method === 'call' ? driver.call({ callId: 'c', name: 't', arguments: {} }) : driver[method]();
    expect(await errorOf(asked)).toMatchObject({ code: 'driver-error', message: expect.stringContaining(`refused "${method}" as unsupported`) });
  });

  it.each<[string, (driver: DriverAdapter) => Promise<unknown>]>([
    ['state=missing', (driver) => driver.state()],
    // A host that cannot have a proxy, and a bridge that knows no agents.
    ['open=missing', (driver) => driver.open({ servers: [], host: { proxy: 'http://127.0.0.1:1' } })],
    ['call=missing', (driver) => driver.call({ callId: 'c', name: 't', arguments: {}, agent: 'a' })],
  ])('but not a refusal of what a bridge may lack: %s', async (fault, ask) => {
    expect(await errorOf(ask(start([fault])))).toMatchObject({ code: 'unsupported' });
  });

  it('a driver that describes itself otherwise the second time', async () => {
    const driver = start(['describe=changes']);
    await driver.describe();
    expect(await errorOf(driver.describe())).toMatchObject({ code: 'invalid-reply', message: expect.stringMatching(/describes itself otherwise than before: bounds\.settleMs was 50, is 51; the reply to "describe" stays the same/) });
  });

  it('an answer that comes twice breaks the next request', async () => {
    const driver = start(['open=twice']);
    await driver.open({ servers: [] });
    expect(await errorOf(driver.tools())).toMatchObject({ code: 'invalid-reply', message: expect.stringMatching(/answers the id 1, which was answered already/) });
  });

  it('a driver that closes its stdout and lives on', async () => {
    const error = await errorOf(start(['open=mute'], { voicelessMs: 50 }).open({ servers: [] }));
    expect(error).toMatchObject({ code: 'driver-exited', message: expect.stringMatching(/closed its stdout while it runs on, with "open" unanswered/) });
  });

  it('a program that is not there', async () => {
    const error = await errorOf(outOfProcess({ command: './no-such-program' }).describe());
    expect(error).toMatchObject({ code: 'driver-exited', message: expect.stringMatching(/"\.\/no-such-program" cannot be started: .*ENOENT.*try the command by hand in this folder$/) });
  });

  it('a driver that never says who it is', async () => {
    const error = await errorOf(start(['describe=silent'], { startMs: 300 }).describe());
    expect(error).toMatchObject({ code: 'driver-hung', message: expect.stringMatching(/did not answer "describe" within 300 ms/) });
  });

  it('only the end of a flood on stderr', async () => {
    const error = await errorOf(start(['open=flood'], { stderrTailBytes: 100 }).open({ servers: [] }));
    expect(error.message).toMatch(/the last of many$/);
    expect(error.message.length).toBeLessThan(600);
  });
});

describe('a request without a reply', () => {
  it('waits while the driver still says who it is', async () => {
    const driver = start(['call=late'], { silenceMs: 30, answerMs: 5_000 });
    await driver.describe();
    // Nothing but the question whether it still answers makes it answer the call.
    await expect(driver.call({ callId: 'c', name: 't', arguments: {} })).resolves.toMatchObject({ outcome: 'ok' });
  });

  it('of a driver that says nothing any more ends, and so does every process that it started', async () => {
    const driver = start(['call=hang'], { silenceMs: 30, answerMs: 300 });
    await driver.describe();
    const error = await errorOf(driver.call({ callId: 'c', name: 't', arguments: {} }));
    expect(error).toMatchObject({ code: 'driver-hung', message: expect.stringMatching(/has not answered "describe" for 300 ms, with "call" unanswered.*grandchild \d+/s) });
    expect(await errorOf(driver.tools())).toEqual(error);
    const grandchild = Number(/grandchild (\d+)/.exec(error.message)?.[1]);
    expect(await survivors([driver.pid ?? 0, grandchild], VANISH_MS)).toEqual([]);
  });

  it('of one that ends leaves no process either, though its parent is gone', async () => {
    const error = await errorOf(start(['call=leave']).call({ callId: 'c', name: 't', arguments: {} }));
    const grandchild = Number(/grandchild (\d+)/.exec(error.message)?.[1]);
    expect(await survivors([grandchild], VANISH_MS)).toEqual([]);
  });

  it('when it is ended in order but neither the end of input nor SIGTERM ends it, it is killed', async () => {
    const driver = start(['cancel=hang'], { endGraceMs: 50, termGraceMs: 50, silenceMs: 60_000 });
    await driver.describe();
    const cancelled = errorOf(driver.cancel('c'));
    // Its last words show that it hangs now.
    await expect.poll(() => driver.stderrTail).toContain('grandchild');
    await driver.end('in-order');
    expect(await isRunning(driver.pid ?? 0)).toBe(false);
    expect((await cancelled).code).toBe('driver-exited');
  });
});
