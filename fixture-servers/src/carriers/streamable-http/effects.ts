/** Performs what the engine asks for over HTTP. */
import { MAIN_EXCHANGE, type Effect, type HttpEffect, type ProcessEffect, type RedirectOptions, type StreamTarget } from '../../engine/events.ts';
import { jsonText } from '../../jsonrpc/message.ts';
import { messageOf } from '../../system-error.ts';
import type { Exchange } from './exchange.ts';
import type { Owner } from './owner.ts';
import { refuse } from './refuse.ts';
import { isPrimed } from './requests.ts';
import type { ServerContext } from './server-context.ts';

/** Performs one effect. `resume` takes a request on that the script lets go. */
export function perform(context: ServerContext, owner: Owner, effect: Effect, resume: (exchange: Exchange) => void): void {
  const { host } = context;
  switch (effect.type) {
    case 'send':
      send(context, owner, effect);
      return;
    case 'raw':
      raw(context, owner, effect);
      return;
    case 'record':
      context.record(owner, effect.record);
      return;
    case 'timer':
      setTimeout(() => context.hear(owner, { type: 'timer', token: effect.token }), effect.delayMs);
      return;
    case 'claim':
      context.hear(owner, { type: 'claimed', incarnation: host.claim() });
      return;
    case 'stderr':
      host.stderr(effect.text, effect.times);
      return;
    case 'spawn':
      void host.spawn(effect.options).then(() => context.hear(owner, { type: 'spawned', token: effect.token }));
      return;
    case 'ignore-term':
      host.ignoreTerm();
      return;
    case 'hang':
      context.hang();
      return;
    case 'exit':
      host.exit(effect.code);
      return;
    case 'kill':
      host.kill(effect.signal);
      return;
    case 'finish':
      context.closeSession(owner);
      context.exchanges.get(effect.exchange)?.respond(200, {}, undefined);
      return;
    default:
      performHttp(context, owner, effect, resume);
  }
}

function performHttp(context: ServerContext, running: Owner, effect: HttpEffect, resume: (exchange: Exchange) => void): void {
  if (!('exchange' in effect)) {
    performOnProcess(context, effect);
    return;
  }
  const exchange = context.exchanges.get(effect.exchange);
  // A rule about requests runs in the process; what it does is about the session of its request.
  const owner = exchange?.owner ?? running;
  if (effect.type === 'close-session') context.closeSession(owner);
  else if (effect.type === 'end-stream') endStreams(context, owner, exchange, effect.target, effect.how);
  else if (exchange !== undefined) aboutExchange(context, owner, exchange, effect, resume);
}

function performOnProcess(context: ServerContext, { type }: ProcessEffect): void {
  context.record(context.root(), { kind: 'process', event: type });
  if (type === 'down') context.host.down();
  else if (type === 'up') context.host.up();
  else {
    context.host.resetConnections();
    for (const session of context.sessions.values()) context.closeSession(session);
    context.hear(context.root(), { type: 'restarted' });
  }
}

type AboutExchange = Exclude<HttpEffect, ProcessEffect | { type: 'close-session' | 'end-stream' }>;

function aboutExchange(
  context: ServerContext, owner: Owner, exchange: Exchange, effect: AboutExchange, resume: (exchange: Exchange) => void,
): void {
  switch (effect.type) {
    case 'proceed':
      resume(exchange);
      return;
    case 'settled':
      settle(context, exchange);
      return;
    case 'drop':
      exchange.dropped = true;
      return;
    case 'open-stream':
      if (!exchange.isUnsent) sentAlready(context, owner, 'openStream');
      else exchange.open({ ...effect.options, retryMs: effect.options.retryMs ?? context.options().retryMs, flush: true, prime: isPrimed(owner) });
      return;
    case 'respond': {
      const { status, headers = {}, body } = effect.options;
      if (!exchange.respond(status, headers, body)) sentAlready(context, owner, 'respond');
      return;
    }
    case 'redirect':
      void redirect(context, owner, exchange, effect.options);
      return;
  }
}

async function redirect(context: ServerContext, owner: Owner, exchange: Exchange, { status, to }: RedirectOptions): Promise<void> {
  try {
    const location = `${await context.host.originUrl(to)}${exchange.request.url ?? '/'}`;
    if (!exchange.respond(status, { location }, undefined)) sentAlready(context, owner, 'redirect');
  } catch (error) {
    refuse(exchange, { status: 500, message: `the fixture cannot open the origin ${to}: ${messageOf(error)}` });
  }
}

/** The script is through with a message: what it answered ends here, and what needs no answer is acknowledged. */
function settle(context: ServerContext, exchange: Exchange): void {
  exchange.settled = true;
  if (exchange.answered) finish(context, exchange);
  else if (exchange.expects === 'nothing' && exchange.isUnsent && !exchange.dropped) {
    exchange.respond(exchange.method === 'POST' ? 202 : 200, {}, undefined);
  }
}

function finish(context: ServerContext, exchange: Exchange): void {
  if (exchange.stream === undefined) exchange.end('close');
  else exchange.stream.finish();
  // Its connection is gone: it was kept for the answer alone.
  if (exchange.isOver) context.exchanges.delete(exchange.number);
}

function send(context: ServerContext, running: Owner, effect: Extract<Effect, { type: 'send' }>): void {
  const { answers, frame, text } = effect;
  const own = context.exchanges.get(effect.exchange);
  const owner = own?.owner ?? running;
  if (frame?.stream === 'listen') {
    owner.listen.send(text, frame);
    return;
  }
  const exchange = own ?? (answers === undefined ? undefined : owner.waiting.get(jsonText(answers.value)));
  if (exchange === undefined) {
    // What belongs to an exchange that is gone has nobody to hear it; what answers nobody is for the listening stream.
    if (effect.exchange === MAIN_EXCHANGE) owner.listen.send(text, frame);
    return;
  }
  const isAnswer = answers !== undefined;
  const isHeard = exchange.expects === 'answer' && (isAnswer || exchange.form === 'event-stream' || frame?.stream === 'request');
  if (!isHeard) {
    owner.listen.send(text, frame);
    return;
  }
  openFor(context, exchange);
  exchange.send(text, frame);
  if (!isAnswer) return;
  exchange.answered = true;
  if (exchange.settled) finish(context, exchange);
}

function openFor(context: ServerContext, exchange: Exchange): void {
  if (!exchange.isUnsent) return;
  exchange.open({ retryMs: context.options().retryMs, prime: isPrimed(exchange.owner) });
}

function raw(context: ServerContext, running: Owner, effect: Extract<Effect, { type: 'raw' }>): void {
  const exchange = context.exchanges.get(effect.exchange);
  if (exchange === undefined) {
    (running.listen).raw(effect.bytes);
    return;
  }
  const to = effect.to ?? 'body';
  if (to === 'body') openFor(context, exchange);
  exchange.raw(effect.bytes, to);
}

function endStreams(
  context: ServerContext, owner: Owner, exchange: Exchange | undefined, target: StreamTarget, how: 'close' | 'cut' | 'reset',
): void {
  if (target !== 'listen' && exchange !== undefined) endRequest(context, exchange, how);
  for (const other of context.exchanges.values()) {
    if (other === exchange || other.owner !== owner) continue;
    const isListening = other.expects === 'stream' && other.stream === owner.listen;
    if (target === 'all' || (target === 'listen' && isListening)) endRequest(context, other, how);
  }
}

/** Ends the response of a request, and the connections over which its stream was resumed. */
function endRequest(context: ServerContext, exchange: Exchange, how: 'close' | 'cut' | 'reset'): void {
  if (how === 'close') openFor(context, exchange);
  exchange.end(how);
  if (exchange.stream === undefined) return;
  for (const other of context.exchanges.values()) {
    if (other !== exchange && other.stream === exchange.stream && exchange.expects === 'answer') other.end(how);
  }
}

function sentAlready(context: ServerContext, owner: Owner, action: string): void {
  context.record(owner, { kind: 'process', event: 'note', text: `${action}: the response had begun already, so it could not be done` });
}
