import { constants } from 'node:os';
import { isJsonObject, member } from '../../jsonrpc/message.ts';
import { action, type Action } from '../../scenario/actions.ts';
import type { Deed, Turn } from '../conversation/model.ts';

/** The most of what a server wrote on stderr before it died that is kept, in characters. */
const MAX_STDERR_CHARS = 4_096;
const FIRST_SIGNAL_EXIT = 128;

/** What a turn becomes: actions, and what of it a scenario cannot say. */
export interface TurnActions {
  readonly actions: readonly Action[];
  readonly lost: readonly string[];
}

/**
 * The actions that do what the server did in a turn. `isDefault` says of an answer that it is the server's normal one;
 * `before` gives actions that come before a deed, such as a change of the list before its notice.
 */
export function actionsOf(turn: Turn, isDefault: (deed: Deed) => boolean, before: (deed: Deed) => readonly Action[]): TurnActions {
  const actions: Action[] = [];
  const lost: string[] = [];
  const dies = turn.deeds.some((deed) => deed.kind === 'end');
  for (const deed of turn.deeds) {
    actions.push(...before(deed));
    if (deed.kind === 'await') lost.push('the server went on only after an answer of the client');
    else if (deed.kind === 'stderr') {
      // What it said matters when it died of it.
      if (dies) actions.push({ stderr: { text: deed.text.slice(-MAX_STDERR_CHARS) } });
    } else if (deed.kind === 'cut') lost.push(`an answer of ${deed.bytes} bytes, of which the trace has the beginning`);
    else actions.push(checked(one(deed, isDefault), deed));
  }
  const answers = turn.deeds.some((deed) => deed.kind === 'answer');
  if (turn.kind === 'request' && !answers && !dies) actions.push({ drop: true });
  return { actions, lost };
}

type Spoken = Exclude<Deed, { kind: 'await' | 'stderr' | 'cut' }>;

function one(deed: Spoken, isDefault: (deed: Deed) => boolean): unknown {
  switch (deed.kind) {
    case 'answer': {
      if (isDefault(deed)) return { default: {} };
      if (!isJsonObject(deed.message)) return undefined;
      return Object.hasOwn(deed.message, 'error') ? { error: deed.message['error'] } : { reply: { result: deed.message['result'] } };
    }
    case 'request':
    case 'progress':
    case 'say': {
      const { message } = deed;
      if (!isJsonObject(message) || typeof member(message, 'method') !== 'string') return undefined;
      const said = { method: message['method'], ...(Object.hasOwn(message, 'params') ? { params: message['params'] } : {}) };
      return deed.kind === 'request' ? { request: { id: deed.id, ...said } } : { notify: said };
    }
    default:
      return ending(deed);
  }
}

function ending({ code, signal }: Extract<Deed, { kind: 'end' }>): unknown {
  if (signal === undefined) return { exit: code ?? 0 };
  const kill = action.safeParse({ kill: signal });
  const number = Object.entries(constants.signals).find(([name]) => name === signal)?.[1];
  return kill.success ? kill.data : { exit: FIRST_SIGNAL_EXIT + (number ?? 0) };
}

/** What the language cannot say in its own words is said in raw ones. */
function checked(candidate: unknown, deed: Spoken): Action {
  const parsed = action.safeParse(candidate);
  if (parsed.success) return parsed.data;
  if (deed.kind === 'end') return { exit: 1 };
  const ended = deed.kind === 'say' ? deed.ended : true;
  return { raw: { text: ended ? `${deed.raw}\n` : deed.raw } };
}
