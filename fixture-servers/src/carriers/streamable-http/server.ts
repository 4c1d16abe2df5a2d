/** One scripted server over HTTP: its requests, its sessions, and what its script does with them. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { step } from '../../engine/engine.ts';
import { compileProgram, type Program } from '../../engine/program.ts';
import { initialState } from '../../engine/state.ts';
import type { Scenario } from '../../scenario/schema.ts';
import { readBody, type Body } from './body.ts';
import { MAX_BODY_BYTES, MAX_CLOSED_SESSIONS, MAX_EXCHANGES, MAX_KEPT_BYTES, MAX_SESSIONS } from './bounds.ts';
import { command, type ServerCommand } from './commands.ts';
import { DEFAULT_HTTP_OPTIONS } from './defaults.ts';
import { perform } from './effects.ts';
import { createExchange, type Exchange } from './exchange.ts';
import { createOwner, discardOwner, type Owner } from './owner.ts';
import { refuse } from './refuse.ts';
import { createPendingWatch } from './pending.ts';
import { createBudget } from './replay.ts';
import { proceed } from './requests.ts';
import type { HttpHost, ServerContext } from './server-context.ts';

const MS_PER_SECOND = 1_000;

/** A server over HTTP. */
export interface HttpScenarioServer {
  /** Begins to serve; requests that came before have waited. */
  start(scenario: Scenario): void;
  /** Takes a request that came to this origin of the server. */
  handle(request: IncomingMessage, response: ServerResponse, origin: string): void;
  /** Hands over a control command; the first `program` starts the server. @returns why it could not be obeyed. */
  command(event: ServerCommand): string | undefined;
  /** Resolves when everything sent so far has left the process. */
  flushed(): Promise<void>;
}

/** Makes a server; requests wait until it is started. */
export function createHttpScenarioServer(host: HttpHost, isLoopback: boolean): HttpScenarioServer {
  const { recorder } = host;
  const exchanges = new Map<number, Exchange>();
  const sessions = new Map<string, Owner>();
  /** Sessions that the client cannot reach any more, with lists of actions on their way. */
  const closed = new Set<Owner>();
  const budget = createBudget(MAX_KEPT_BYTES);
  const pending = createPendingWatch(exchanges);
  const parked: (() => void)[] = [];
  const bodies = new WeakMap<Exchange, string>();
  let program: Program | undefined;
  let root: Owner | undefined;
  let numbers = 0;
  let isHung = false;

  const nextNumber = (): number => {
    numbers += 1;
    return numbers;
  };
  const options = () => program?.scenario.http ?? DEFAULT_HTTP_OPTIONS;
  const newOwner = (script: Program, id: string | undefined): Owner => createOwner({
    state: initialState(script.scenario, script), id, nextNumber, budget,
    eventIds: options().eventIds, keepsUnheard: () => options().unheard === 'keep',
  });
  const needRoot = (): Owner => {
    if (root === undefined) throw new Error('the server was not started');
    return root;
  };

  const context: ServerContext = {
    host, options, budget, sessions, exchanges, isLoopback,
    root: needRoot,
    hear(owner, event) {
      const { effects, refused } = step(owner.state, event);
      for (const effect of effects) {
        pending.sent(effect);
        perform(context, owner, effect, (exchange) => proceed(context, exchange, bodies.get(exchange) ?? ''));
      }
      return refused;
    },
    openSession() {
      if (program === undefined || sessions.size >= MAX_SESSIONS) return undefined;
      const session = newOwner(program, randomUUID());
      sessions.set(session.id ?? '', session);
      context.record(session, { kind: 'process', event: 'session' });
      context.hear(session, { type: 'session', incarnation: program.scenario.countFrom === 'spawn' ? needRoot().state.incarnation : 0 });
      return session;
    },
    closeSession(owner) {
      if (owner.id === undefined || !sessions.delete(owner.id)) return;
      context.record(owner, { kind: 'process', event: 'session-end' });
      owner.listen.finish();
      discardOwner(owner);
      for (const exchange of exchanges.values()) if (exchange.owner === owner && exchange.isOver) exchanges.delete(exchange.number);
      for (const each of closed) if (each.state.suspended === 0) closed.delete(each);
      if (closed.size < MAX_CLOSED_SESSIONS) closed.add(owner);
    },
    hang() {
      isHung = true;
      host.hang();
    },
    record(owner, body) {
      recorder.setIncarnation(owner.state.incarnation);
      recorder.record(owner.id === undefined ? body : { ...body, session: owner.id });
    },
  };

  const note = (exchange: Exchange, text: string, bytes: number, http: object): void => {
    if (!recorder.active) return;
    recorder.setIncarnation(exchange.owner.state.incarnation);
    recorder.frame('server-to-client', text, bytes, {
      ...(exchange.owner.id === undefined ? {} : { session: exchange.owner.id }),
      http: { method: exchange.method, exchange: exchange.number, ...http },
    });
  };
  const noteRequest = (exchange: Exchange, body: Extract<Body, { kind: 'whole' }>): void => {
    if (!recorder.active) return;
    const { headers, url } = exchange.request;
    recorder.setIncarnation(exchange.owner.state.incarnation);
    recorder.frame('client-to-server', body.text, body.bytes, {
      ...(exchange.owner.id === undefined ? {} : { session: exchange.owner.id }),
      http: {
        method: exchange.method, exchange: exchange.number, path: url ?? '',
        requestHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      },
    });
  };
  const sessionOf = (request: IncomingMessage): Owner | undefined => {
    const id = request.headers['mcp-session-id'];
    return typeof id === 'string' ? sessions.get(id) : undefined;
  };
  const onClosed = (exchange: Exchange): void => {
    exchange.closed();
    const { owner, stream } = exchange;
    // A client may come back for the rest of its answer.
    const isResumable = exchange.expects === 'answer' && stream !== undefined && owner.replay !== undefined && !stream.isFinished;
    if (isResumable && owner.streams.has(exchange.number)) return;
    exchanges.delete(exchange.number);
    const id = JSON.stringify(exchange.id) ?? '';
    if (owner.waiting.get(id) === exchange) owner.waiting.delete(id);
    // A session whose id nobody was told is none.
    if (!owner.announced && exchange.expects === 'answer') context.closeSession(owner);
  };

  const onRequest = (request: IncomingMessage, response: ServerResponse, origin: string, body: Body): void => {
    if (body.kind === 'broken') return;
    if (exchanges.size >= MAX_EXCHANGES) {
      request.socket.destroy();
      return;
    }
    const owner = sessionOf(request) ?? needRoot();
    const exchange = createExchange({
      number: nextNumber(), owner, request, response, note, headers: sessionHeader,
      trace: recorder.active ? { isCongested: host.traceCongested, flushed: host.traceFlushed } : undefined,
    });
    exchanges.set(exchange.number, exchange);
    response.on('close', () => onClosed(exchange));
    response.on('error', () => undefined);
    if (body.kind === 'too-large') {
      refuse(exchange, { status: 413, message: `Content Too Large: at most ${MAX_BODY_BYTES} bytes are read`, headers: { connection: 'close' } });
      return;
    }
    noteRequest(exchange, body);
    if (isHung) return;
    if (pending.isOverfull()) {
      refuse(exchange, { status: 503, message: 'Service Unavailable: too much waits for readers' });
      return;
    }
    bodies.set(exchange, body.text);
    if (program === undefined || program.http.length === 0) proceed(context, exchange, body.text);
    else {
      context.hear(needRoot(), {
        type: 'http', method: exchange.method, origin, incarnation: exchange.owner.state.incarnation, exchange: exchange.number,
      });
    }
  };

  const start = (scenario: Scenario): void => {
    program = compileProgram(scenario);
    root = newOwner(program, undefined);
    context.record(root, { kind: 'process', event: 'start', ageMs: process.uptime() * MS_PER_SECOND });
    context.hear(root, { type: 'spawn', sessions: options().sessions });
    for (const go of parked.splice(0)) go();
  };
  const restart = (next: Program): void => {
    program = next;
  };

  return {
    start,
    handle(request, response, origin) {
      readBody(request, MAX_BODY_BYTES, (body) => {
        const go = (): void => onRequest(request, response, origin, body);
        if (root === undefined) parked.push(go);
        else if (host.traceCongested()) void host.traceFlushed().then(go);
        else go();
      });
    },
    command(event) {
      if (root !== undefined) return command(context, closed, event, restart);
      if (event.type !== 'program') return 'the process has no script yet';
      start(event.scenario);
      return undefined;
    },
    async flushed() {
      await Promise.all([...exchanges.values()].flatMap(({ output }) => (output === undefined ? [] : [output.flushed()])));
    },
  };
}

/** The first answer of a session tells its id. */
function sessionHeader({ owner, expects }: Exchange): Record<string, string> {
  if (owner.id === undefined || owner.announced || expects !== 'answer') return {};
  owner.announced = true;
  return { 'mcp-session-id': owner.id };
}
