/**
 * What every subject owes besides the shape of its replies, whichever way leads to it: an answer to what every adapter has,
 * answers about those servers that were asked for, and one description for its whole life. What it does not keep is an
 * error of the adapter or driver, never a verdict.
 */
import { AdapterError, isAdapterError, type BridgeAdapter } from './bridge-adapter.ts';
import { NEEDED_METHODS } from './demand-methods.ts';
import { differenceOf } from './difference.ts';
import type { SubjectDescription } from './messages.ts';
import { quoted } from './problems.ts';

/** The methods about which something is owed. */
type OwedMethods = Pick<BridgeAdapter, 'describe' | 'open' | 'add' | 'reload' | 'close' | 'tools' | 'call'>;

/** The most names that one message lists. */
const MAX_NAMES = 5;

/**
 * Checks these methods.
 * @param who how messages name the subject, such as `the adapter`
 */
export function owedAnswers(adapter: OwedMethods, who: string): OwedMethods {
  let described: SubjectDescription | undefined;
  const needed = async <T>(method: string, asked: Promise<T>): Promise<T> => {
    try {
      return await asked;
    } catch (error) {
      if (!isAdapterError(error) || error.code !== 'unsupported') throw error;
      throw new AdapterError('driver-error', `${who} refused "${method}" as unsupported (-32601); every adapter and driver needs ${NEEDED_METHODS.join(', ')}`, { cause: error });
    }
  };
  const about = (method: string, asked: readonly string[], answered: readonly string[]): void => {
    const odd = oddNames(asked, answered);
    if (odd !== undefined) throw new AdapterError('invalid-reply', `${who}: the reply to "${method}" names ${list(answered)}, asked was ${list(asked)}; ${odd}: answer for each server that was asked for, by its name`);
  };
  return {
    async describe() {
      const now = await needed('describe', adapter.describe());
      demandSame(who, described ??= now, now);
      return now;
    },
    async open(request) {
      const asked = adapter.open(request);
      // What a host shall have is asked for with it, and a subject may have no such host.
      const reply = await (request.host === undefined ? needed('open', asked) : asked);
      about('open', request.servers.map(({ name }) => name), reply.servers.map(({ name }) => name));
      return reply;
    },
    async add(server) {
      const reply = await adapter.add(server);
      about('add', [server.name], [reply.name]);
      return reply;
    },
    async reload(name) {
      const reply = await adapter.reload(name);
      about('reload', [name], [reply.name]);
      return reply;
    },
    close: () => needed('close', adapter.close()),
    tools: () => needed('tools', adapter.tools()),
    call(request) {
      const asked = adapter.call(request);
      const plain = request.agent === undefined && request.policy === undefined && request.via !== 'program';
      return plain ? needed('call', asked) : asked;
    },
  };
}

/**
 * Demands that a subject describes itself as it did before.
 * @throws AdapterError `invalid-reply` that names the member, what it was and what it is
 */
export function demandSame(who: string, before: SubjectDescription, now: SubjectDescription): void {
  const difference = before === now ? undefined : differenceOf(before, now);
  if (difference !== undefined) throw new AdapterError('invalid-reply', `${who} describes itself otherwise than before: ${difference}; the reply to "describe" stays the same, in each process`);
}

/** What is odd about the names in a reply; a name that was asked for twice may be answered once. */
function oddNames(asked: readonly string[], answered: readonly string[]): string | undefined {
  const missing = asked.filter((name) => !answered.includes(name));
  const unasked = answered.filter((name) => !asked.includes(name));
  const twice = answered.filter((name) => asked.includes(name) && count(answered, name) > count(asked, name));
  const odd = [['missing', missing], ['not asked for', unasked], ['answered too often', [...new Set(twice)]]] as const;
  const told = odd.filter(([, names]) => names.length > 0).map(([what, names]) => `${what}: ${list(names)}`);
  return told.length === 0 ? undefined : told.join(', ');
}

function count(names: readonly string[], name: string): number {
  return names.filter((one) => one === name).length;
}

function list(names: readonly string[]): string {
  if (names.length === 0) return 'none';
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : '';
  return names.slice(0, MAX_NAMES).map(quoted).join(', ') + more;
}
