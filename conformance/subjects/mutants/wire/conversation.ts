/** Defects in what is said to a server, and when. */
import { spawn } from 'node:child_process';
import { mutant, type Mutant } from '../mutant.ts';
import { LATEST, reading } from './limits.ts';
import { connecting, isMessage, onWire, type Message, type Tap } from '../plant.ts';

const INITIALIZED = 'notifications/initialized';

/** Messages of one method, said in another way. */
const saying = (method: string, change: (message: Message) => Message): ReturnType<typeof onWire> =>
  onWire(() => ({ send: (message, pass) => pass(message['method'] === method ? change(message) : message) }));

const withParams = (message: Message, change: (params: Message) => Message): Message => ({ ...message, params: change(isMessage(message['params']) ? message['params'] : {}) });

/** Holds the end of the handshake back until the list was asked for. */
function late(): Tap {
  let held: Message | undefined;
  return {
    async send(message, pass) {
      if (message['method'] === INITIALIZED) {
        held = message;
        return;
      }
      await pass(message);
      if (held === undefined || message['method'] !== 'tools/list') return;
      const due = held;
      held = undefined;
      await pass(due);
    },
  };
}

/** Gives each request the smallest number that no request in flight has. */
function smallestFree(): Tap {
  const own = new Map<unknown, number>();
  const given = new Map<number, unknown>();
  return {
    send(message, pass) {
      if (message['method'] === 'notifications/cancelled') return pass(withParams(message, (params) => ({ ...params, requestId: own.get(params['requestId']) ?? params['requestId'] })));
      if (message['method'] === undefined || message['id'] === undefined) return pass(message);
      let free = 1;
      while (given.has(free)) free += 1;
      given.set(free, message['id']);
      own.set(message['id'], free);
      return pass({ ...message, id: free });
    },
    receive(message, pass) {
      const { id } = message;
      if (message['method'] !== undefined || typeof id !== 'number' || !given.has(id)) return pass(message);
      const asked = given.get(id);
      given.delete(id);
      own.delete(asked);
      pass({ ...message, id: asked });
    },
  };
}

/** Every request that asks for progress does so under the same token. */
function oneToken(message: Message): Message {
  return withParams(message, (params) => (isMessage(params['_meta']) && params['_meta']['progressToken'] !== undefined ? { ...params, _meta: { ...params['_meta'], progressToken: 1 } } : params));
}

/** Cancels a handshake that was never answered, before the connection is ended. */
function cancelling(): Tap {
  let requestId: unknown;
  return {
    send(message, pass) {
      if (message['method'] === 'initialize') requestId = message['id'];
      return pass(message);
    },
    receive(message, pass) {
      requestId = undefined;
      pass(message);
    },
    async close(send) {
      if (requestId !== undefined) await send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
    },
  };
}

/** The tools in a message, each as `change` makes it. */
function changingTools(message: Message, change: (tool: Message) => Message): Message {
  const { result } = message;
  if (!isMessage(result) || !Array.isArray(result['tools'])) return message;
  return { ...message, result: { ...result, tools: result['tools'].map((tool: unknown) => (isMessage(tool) ? change(tool) : tool)) } };
}

/** Calls a tool as a task that may be one, whether its server has tasks or not. */
function atTheirWord(): Tap {
  const willing = new Set<unknown>();
  return {
    send(message, pass) {
      const { params } = message;
      const isMeant = message['method'] === 'tools/call' && isMessage(params) && willing.has(params['name']);
      return pass(isMeant ? withParams(message, (known) => ({ ...known, task: { ttl: 60_000 } })) : message);
    },
    receive(message, pass) {
      changingTools(message, (tool) => {
        if (isMessage(tool['execution']) && tool['execution']['taskSupport'] === 'optional') willing.add(tool['name']);
        return tool;
      });
      pass(message);
    },
  };
}

/** Asks every server for something as soon as it is ready, and keeps the answer to itself. */
const askingFor = (method: string, params: Message): ReturnType<typeof onWire> => onWire(() => ({
  async send(message, pass) {
    await pass(message);
    if (message['method'] === INITIALIZED) await pass({ jsonrpc: '2.0', id: 'asked-beside', method, params });
  },
  receive: (message, pass) => (message['id'] === 'asked-beside' ? undefined : pass(message)),
}));

/** See the names. */
export const conversationMutants: readonly Mutant[] = [
  mutant('WIRE-026', 'never-ends-the-handshake', {
    kind: 'wire', create: () => onWire(() => ({ send: (message, pass) => (message['method'] === INITIALIZED ? Promise.resolve() : pass(message)) })),
  }),
  mutant('WIRE-026', 'lists-within-the-handshake', { kind: 'wire', create: () => onWire(late) }),
  mutant('WIRE-026', 'says-no-name', {
    kind: 'wire', create: () => saying('initialize', (message) => withParams(message, ({ clientInfo: _name, ...params }) => params)),
  }),
  mutant('WIRE-027', 'takes-the-smallest-free-id', { kind: 'wire', create: () => onWire(smallestFree) }),
  mutant('WIRE-028', 'reads-past-an-unknown-revision', { kind: 'wire', create: () => reading((revision) => (revision === '1999-01-01' ? LATEST : revision)) }),
  mutant('WIRE-029', 'writes-blank-lines', {
    kind: 'wire',
    create: () => connecting((options) => ({
      ...options,
      effects: {
        ...options.effects,
        spawn: (command, args, how) => {
          const child = spawn(command, args, how);
          child.stdin?.write('\n');
          return child;
        },
      },
    })),
  }),
  mutant('WIRE-029', 'lists-with-null-for-params', { kind: 'wire', create: () => saying('tools/list', (message) => ({ ...message, params: message['params'] ?? null })) }),
  mutant('WIRE-030', 'cancels-the-handshake', { kind: 'wire', create: () => onWire(cancelling) }),
  mutant('WIRE-031', 'has-one-token', { kind: 'wire', create: () => saying('tools/call', oneToken) }),
  mutant('WIRE-032', 'calls-everything-as-a-task', {
    kind: 'wire', create: () => saying('tools/call', (message) => withParams(message, (params) => ({ ...params, task: { ttl: 60_000 } }))),
  }),
  mutant('WIRE-049', 'sets-a-level-everywhere', { kind: 'wire', create: () => askingFor('logging/setLevel', { level: 'debug' }) }),
  mutant('WIRE-049', 'tells-of-roots-it-does-not-have', {
    kind: 'wire',
    create: () => onWire(() => ({
      async send(message, pass) {
        await pass(message);
        if (message['method'] === INITIALIZED) await pass({ jsonrpc: '2.0', method: 'notifications/roots/list_changed' });
      },
    })),
  }),
  mutant('WIRE-032', 'takes-tools-at-their-word', { kind: 'wire', create: () => onWire(atTheirWord) }),
  mutant('WIRE-032', 'refuses-whatever-speaks-of-tasks', {
    kind: 'wire',
    create: () => onWire(() => ({ receive: (message, pass) => pass(changingTools(message, (tool) => (isMessage(tool['execution']) ? { ...tool, execution: { taskSupport: 'required' } } : tool))) })),
  }),
];
