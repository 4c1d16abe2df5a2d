/**
 * A bridge that sends calls again which its server did not answer before it ended.
 */
import type { AdapterFactory } from 'mcp-bridge-conformance/adapter';
import { BridgeError, referenceStages } from 'cordis-plugin-mcp-bridge/internal';
import { replaced } from '../model/sessions.ts';
import { isMessage, onWire, withStages, type Message } from '../plant.ts';

/** Ids of repeated requests; their answers have nobody to go to. */
const AGAIN = 'again-';

/** Names of the tools in an answer that say that a call may be repeated. */
function idempotentIn({ result }: Message): string[] {
  const tools: unknown = isMessage(result) ? result['tools'] : undefined;
  if (!Array.isArray(tools)) return [];
  return tools.filter(isMessage).filter(({ annotations }) => isMessage(annotations) && annotations['idempotentHint'] === true).map(({ name }) => String(name));
}

const toolOf = ({ params }: Message): string => (isMessage(params) ? String(params['name']) : '');

/**
 * The reference with that defect. Unanswered calls are remembered by server, across its sessions.
 * @param which `idempotent`: only those of tools that say they may be called again
 */
export function sendingAgain(which: 'all' | 'idempotent' = 'all'): AdapterFactory {
  const promised = new Set<string>();
  const unanswered = new Map<string, Map<unknown, Message>>();
  return onWire((serverName) => {
    const left = [...(unanswered.get(serverName) ?? new Map<unknown, Message>()).values()];
    const mine = new Map<unknown, Message>();
    unanswered.set(serverName, mine);
    return {
      async send(message, pass) {
        if (message['method'] === 'tools/call' && (which === 'all' || promised.has(toolOf(message)))) mine.set(message['id'], message);
        await pass(message);
        if (message['method'] !== 'notifications/initialized') return;
        for (const [at, call] of left.entries()) await pass({ ...call, id: AGAIN + at });
      },
      receive(message, pass) {
        for (const name of idempotentIn(message)) promised.add(name);
        mine.delete(message['id']);
        if (!String(message['id']).startsWith(AGAIN)) pass(message);
      },
    };
  });
}

/** The reference that over HTTP repeats a call whose outcome is unknown, where its tool says that it may be called again. */
export function repeatingOverHttp(): AdapterFactory {
  return withStages(() => ({
    openSession: async (options) => {
      const session = await referenceStages.openSession(options);
      if (options.target.transport === 'stdio') return session;
      const promised = new Set<string>();
      return replaced(session, {
        listToolsPage: async (...args) => {
          const page = await session.listToolsPage(...args);
          for (const name of idempotentIn({ result: page })) promised.add(name);
          return page;
        },
        callTool: async (...args) => {
          try {
            return await session.callTool(...args);
          } catch (error) {
            if (error instanceof BridgeError && error.executed === 'unknown' && promised.has(args[0])) return session.callTool(...args);
            throw error;
          }
        },
      });
    },
  }));
}
