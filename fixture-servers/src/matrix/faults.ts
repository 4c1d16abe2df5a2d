/** The faults that cross the phases (DESIGN.md §5): what a script does, or why it cannot be said there. */
import type { Carrier } from '../scenario/carrier.ts';
import type { Action } from '../scenario/schema.ts';
import { PAGE_SIZE, type Phase } from './phases.ts';

/** What covers a cell, or why nothing does. */
export type Cover = { readonly actions: readonly Action[] } | { readonly reason: string };

/** One fault. */
export interface Fault {
  readonly name: string;
  readonly cover: (phase: Phase, carrier: Carrier) => Cover;
}

/** Past the limit of the official client, in bytes (R37). */
const OVERSIZE_BYTES = 11 * 1024 * 1024;
/** Beyond what a pipe holds unread, in lines of a hundred bytes. */
const STDERR_LINES = 10_000;
const LATE_MS = 50;
/** An id that no client gave. */
const NOBODY = 'nobody';

const UNASKED: Action = { reply: { id: NOBODY, result: {} } };
const ANSWER: Action = { default: {} };

const always = (...actions: Action[]) => (): Cover => ({ actions });

/** The rest of a fault that leaves the request to be answered: nothing where there is none. */
const then = (phase: Phase): Action[] => (phase.answers === 'request' ? [ANSWER] : []);

/** Bytes on the wire: a line on stdio, an event over HTTP, on the stream of the request or the listening one. */
function onWire(phase: Phase, carrier: Carrier, line: string, event: string, after: readonly Action[]): Cover {
  if (carrier === 'stdio') return { actions: [{ raw: { text: line } }, ...after] };
  if (phase.name === 'spawn') return { reason: 'before a request there is no response to write into' };
  // Only a request has an event stream for an answer; the rest has the listening stream.
  if (phase.answers === 'notice') return { reason: 'what is no request has a response without messages; see idle for the listening stream' };
  return { actions: [{ raw: { text: event } }, ...after] };
}

/** An answer that needs an open request. */
function answering(...actions: Action[]): Fault['cover'] {
  return (phase) => {
    if (phase.answers === 'request') return { actions };
    return { reason: 'no request is open; an answer that nobody asked for is a wrong id' };
  };
}

function unasked(phase: Phase, carrier: Carrier, action: Action): Cover {
  if (carrier === 'streamable-http' && phase.name === 'spawn') return { reason: 'before a request there is no response to write into' };
  if (carrier === 'streamable-http' && phase.name === 'shutdown') return { reason: 'the session is over with its listening stream' };
  return { actions: [action] };
}

/** The stream of HTTP that a phase has. */
const streamOf = (phase: Phase): 'request' | 'listen' => (phase.answers === 'nothing' ? 'listen' : 'request');

/** All faults. */
export const FAULTS: readonly Fault[] = [
  { name: 'exit', cover: always({ exit: 3 }) },
  { name: 'kill', cover: always({ kill: 'SIGKILL' }) },
  { name: 'hang', cover: always({ hang: true }) },
  {
    name: 'half a line',
    cover: (phase, carrier) => {
      const end: Action = carrier === 'stdio' ? { exit: 1 } : { cut: streamOf(phase) };
      return onWire(phase, carrier, '{"jsonrpc":"2.0","id":', 'data: {"jsonrpc":"2.0","id":', [end]);
    },
  },
  { name: 'noise', cover: (phase, carrier) => onWire(phase, carrier, 'Server is ready\n', ': ready\n\nevent: ready\ndata: Server is ready\n\n', then(phase)) },
  { name: 'bad JSON', cover: (phase, carrier) => onWire(phase, carrier, '{"jsonrpc":"2.0",}\n', 'data: {"jsonrpc":"2.0",}\n\n', then(phase)) },
  {
    name: 'wrong id',
    cover: (phase, carrier) => (phase.answers === 'request' ? { actions: [{ default: { id: NOBODY } }] } : unasked(phase, carrier, UNASKED)),
  },
  { name: 'late id', cover: answering({ delay: LATE_MS }, ANSWER) },
  { name: 'duplicate id', cover: answering(ANSWER, ANSWER) },
  {
    name: 'cursor that never advances',
    cover: (phase) => phase.name.startsWith('listing')
      ? { actions: [{ reply: { result: { tools: [], nextCursor: `offset:${PAGE_SIZE}` } } }] }
      : { reason: 'only a listing has cursors' },
  },
  {
    name: 'oversize',
    cover: (phase, carrier) => phase.answers === 'request'
      ? { actions: [{ oversize: { bytes: OVERSIZE_BYTES } }] }
      : unasked(phase, carrier, { oversize: { bytes: OVERSIZE_BYTES, id: NOBODY } }),
  },
  {
    name: 'stderr flood',
    cover: (phase, carrier) => carrier === 'stdio'
      ? { actions: [{ stderr: { text: `${'x'.repeat(99)}\n`, times: STDERR_LINES } }, ...then(phase)] }
      : { reason: 'over HTTP no client reads the stderr of its server' },
  },
  {
    name: 'stream loss',
    cover: (phase, carrier) => {
      if (carrier === 'stdio') return { reason: 'the streams of stdio are the process: see exit and kill' };
      if (phase.name === 'spawn') return { actions: [{ down: true }] };
      return { actions: [...(phase.answers === 'request' ? [{ openStream: {} }] : []), { cut: streamOf(phase) }] };
    },
  },
  {
    name: 'session loss',
    cover: (phase, carrier) => {
      if (carrier === 'stdio') return { reason: 'stdio has no sessions: its process is one' };
      if (phase.name === 'spawn') return { reason: 'a session begins with initialize' };
      return { actions: [...then(phase), { closeSession: true }] };
    },
  },
];
