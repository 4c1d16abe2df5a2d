/** Plays what an example says a client does, against a real server, and compares what it sees. */
import { isDeepStrictEqual } from 'node:util';
import { expect, vi } from 'vitest';
import { ended, type Controller, type ScriptedServer } from 'mcp-fixture-server/control';
import type { Carrier } from '../../src/scenario/carrier.ts';
import { checkActions } from '../../src/scenario/check.ts';
import type { Scenario } from '../../src/scenario/schema.ts';
import type { TalkStep } from '../../src/reference/examples.ts';
import { startClient, type Client, type Wire } from '../client.ts';
import { createHttpClient, messagesOf, type HttpClient, type OpenReply } from '../http-client.ts';

/** A machine may be busy; nothing is expected to take this long. */
const WAIT = { timeout: 30_000, interval: 10 };

/** One connection, whatever the carrier. */
interface Line {
  greet(): Promise<void>;
  ask(method: string, params?: object): Promise<Wire>;
  text(): string;
  stderr(): string;
  messages(): readonly Wire[];
  /** Opens a listening stream, where the carrier has one. */
  listen(): Promise<void>;
  end(): Promise<void>;
  ended(): Promise<{ code?: number | null | undefined; signal?: string | null | undefined }>;
  readonly stdio?: Client;
  readonly http?: HttpClient;
}

/** Serves the scenario and talks to it as the example says. */
export async function play(controller: Controller, name: string, scenario: Scenario, carrier: Carrier, talk: readonly TalkStep[], greet: boolean): Promise<void> {
  const lines: Line[] = [];
  let connect: () => Line;
  let server: ScriptedServer;
  if (carrier === 'stdio') {
    const served = controller.serve(name, scenario);
    server = served;
    connect = () => stdioLine(startClient(served.command, served.args));
  } else {
    const served = await controller.serve(name, scenario, { carrier });
    server = served;
    connect = () => httpLine(createHttpClient(served.url), served, () => served.stderr());
  }
  const open = async (): Promise<Line> => {
    const line = connect();
    lines.push(line);
    if (greet) await line.greet();
    return line;
  };
  try {
    await playSteps(talk, server, await open(), open);
  } finally {
    for (const line of lines) line.stdio?.process.kill('SIGKILL');
    await server.close();
  }
}

/** A request that nobody waits for yet. */
interface Pending {
  state: 'open' | 'answered' | 'lost';
  readonly settled: Promise<Wire | undefined>;
}

async function playSteps(talk: readonly TalkStep[], server: ScriptedServer, first: Line, open: () => Promise<Line>): Promise<void> {
  let line = first;
  const pending = new Map<string, Pending>();
  const find = (name: string): Pending => {
    const found = pending.get(name);
    if (found === undefined) throw new Error(`nothing was asked as ${name}`);
    return found;
  };
  for (const step of talk) {
    if ('ask' in step) {
      const answer = line.ask(step.ask, step.params);
      if (step.later !== undefined) {
        pending.set(step.later, watch(answer));
        continue;
      }
      const message = await answer;
      if (step.answer !== undefined) expect(message).toMatchObject(asObject(step.answer));
      if (step.bytes !== undefined) expect(JSON.stringify(message)).toHaveLength(step.bytes);
    } else if ('answered' in step) expect(await find(step.answered).settled).toMatchObject(asObject(step.answer));
    else if ('unanswered' in step) expect(find(step.unanswered).state).toBe('open');
    else if ('lost' in step) {
      const { settled } = find(step.lost);
      await settled;
      expect(find(step.lost).state).toBe('lost');
    } else if ('hear' in step) {
      await vi.waitFor(() => expect(line.messages().filter((message) => contains(message, step.hear))).toHaveLength(step.times ?? 1), WAIT);
    } else if ('unheard' in step) expect(line.messages().filter((message) => contains(message, step.unheard))).toEqual([]);
    else if ('listen' in step) await line.listen();
    else if ('seen' in step) await vi.waitFor(() => expect(line.text()).toContain(step.seen), WAIT);
    else if ('stderr' in step) await vi.waitFor(() => expect(line.stderr()).toContain(step.stderr), WAIT);
    else if ('recorded' in step) {
      await vi.waitFor(() => expect(server.records.filter((record) => contains(record, step.recorded)).length).toBeGreaterThanOrEqual(step.times ?? 1), WAIT);
    } else if ('release' in step) await server.release(step.release);
    else if ('signal' in step) await server.signal(step.signal);
    else if ('do' in step) await server.do(checkActions(step.do));
    else if ('kill' in step) line.stdio?.process.kill(step.kill);
    else if ('end' in step) await line.end();
    else if ('ends' in step) expect(await line.ended()).toMatchObject(step.ends);
    else if ('connect' in step) line = await open();
    else line = await speakHttp(line, step);
  }
}

async function speakHttp(line: Line, step: Extract<TalkStep, { http: string }>): Promise<Line> {
  const { http: client } = line;
  if (client === undefined) throw new Error('this example speaks HTTP, and is served on stdio');
  const message = step.http === 'POST' ? { jsonrpc: '2.0', id: 77, method: 'ping', ...step.message } : undefined;
  const opening = client.open(step.http, message, step.headers);
  if (step.broken !== undefined) {
    await expect(opening.then(({ ended: whole }) => whole)).rejects.toThrow();
    // Perhaps not even the head came.
    expect(await opening.then((reply) => reply.text(), () => '')).toContain(step.broken);
    return line;
  }
  const reply = await opening;
  const text = await reply.ended;
  if (step.body !== undefined) expect(text).toContain(step.body);
  if (step.is !== undefined) expect(text).toBe(step.is);
  if (step.status !== undefined) expect(reply.status).toBe(step.status);
  if (step.has !== undefined) expect(reply.headers).toMatchObject(step.has);
  if (step.follow === undefined) return line;
  const there = createHttpClient(reply.headers.location ?? '');
  there.sessionId = client.sessionId;
  return { ...line, http: there, ask: (method, params) => there.ask(method, params) };
}

function watch(answer: Promise<Wire>): Pending {
  const pending: Pending = {
    state: 'open',
    settled: answer.then(
      (message) => {
        pending.state = 'answered';
        return message;
      },
      () => {
        pending.state = 'lost';
        return undefined;
      },
    ),
  };
  return pending;
}

function stdioLine(client: Client): Line {
  return {
    greet: () => client.handshake(), ask: (method, params) => client.ask(method, params),
    text: () => client.stdout().toString(), stderr: () => client.stderr(), messages: () => client.messages,
    async end() {
      client.process.stdin.end();
      await client.ended;
    },
    listen: () => Promise.resolve(),
    ended: () => client.ended, stdio: client,
  };
}

function httpLine(client: HttpClient, server: ScriptedServer, stderr: () => string): Line {
  const replies: OpenReply[] = [];
  let nextId = 100;
  const listen = async (): Promise<void> => {
    const listening = await client.listen();
    if (listening.status === 200) replies.push(listening);
  };
  const text = (): string => replies.map((reply) => reply.text()).join('\n');
  return {
    async greet() {
      const { status } = await client.handshake();
      expect(status).toBe(200);
      await listen();
    },
    listen,
    async ask(method, params) {
      nextId += 1;
      const id = nextId;
      const reply = await client.open('POST', { jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) });
      replies.push(reply);
      const isIt = (message: Wire): boolean => message.id === id && message.method === undefined;
      const answer = messagesOf(await reply.until((sofar) => messagesOf(sofar).some(isIt))).find(isIt);
      if (answer === undefined) throw new Error(`no answer to ${method}`);
      return answer;
    },
    text, stderr, messages: () => replies.flatMap((reply) => messagesOf(reply.text())),
    async end() {
      await client.send('DELETE');
    },
    async ended() {
      const record = await server.waitFor(ended());
      return record.kind === 'process' ? { code: record.code, signal: record.signal } : {};
    },
    http: client,
  };
}

function asObject(value: unknown): object {
  if (typeof value !== 'object' || value === null) throw new Error('an answer is a mapping');
  return value;
}

/** Whether `whole` has all that `part` has: mappings by their members, lists by their entries, the rest as it is. */
function contains(whole: unknown, part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return isDeepStrictEqual(whole, part);
  if (typeof whole !== 'object' || whole === null) return false;
  return Object.entries(part).every(([key, value]) => Object.hasOwn(whole, key) && contains(Reflect.get(whole, key), value));
}
