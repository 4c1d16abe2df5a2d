import { TraceError } from '../error.ts';
import { readTraceFile } from '../read-file.ts';
import { messageOf } from '../../system-error.ts';
import { createLifeKeys } from '../life-keys.ts';
import { createLifeBuilder, type LifeBuilder } from './build.ts';
import type { Life } from './model.ts';

/** The most text of frames that is kept to be answered from, in characters: 256 Mi, what `record` writes at most. */
export const MAX_CONVERSATION_CHARS = 256 * 1024 * 1024;
/** The most processes or sessions of one trace. */
const MAX_LIVES = 10_000;

/** The conversations of one server in a trace, in the order in which they began. At least one. */
export interface Conversations {
  readonly server: string;
  readonly lives: readonly [Life, ...Life[]];
  /** Over HTTP without sessions: every request stands alone. */
  readonly stateless: boolean;
}

/**
 * Reads the conversations of one server. Lines that are no records are told to `onError` and left out.
 * @throws TraceError when the file cannot be read, is too large, or has several servers and none is chosen
 */
export async function loadConversations(
  path: string, wanted: string | undefined, onError: (error: TraceError) => void, maxChars: number = MAX_CONVERSATION_CHARS,
): Promise<Conversations> {
  const servers = new Map<string, Map<string, LifeBuilder>>();
  const lifeKey = createLifeKeys();
  let chars = 0;
  let stateless = true;
  for await (const each of readTraceFile(path)) {
    if ('error' in each) {
      onError(each.error);
      continue;
    }
    const { record, line } = each;
    if (record.carrier === 'stdio' || record.session !== undefined) stateless = false;
    if (wanted !== undefined && record.server !== wanted) continue;
    // Over HTTP a life is a session, and what is about the process is part of none.
    if (record.carrier !== 'stdio' && record.kind === 'process' && record.session === undefined) continue;
    chars += record.kind === 'frame' ? record.raw.length : 0;
    if (chars > maxChars) throw new TraceError(path, line, `the frames up to here come to more than ${maxChars} characters; cut the trace into smaller ones`);
    const lives = entryOf(servers, record.server, () => new Map<string, LifeBuilder>());
    const builder = entryOf(lives, lifeKey(record), () => createLifeBuilder(record.server, record.carrier));
    if (lives.size > MAX_LIVES) throw new TraceError(path, line, `has more than ${MAX_LIVES} processes or sessions of ${record.server}; cut the trace into smaller ones`);
    try {
      builder.add(record, line);
    } catch (error) {
      onError(new TraceError(path, line, `cannot be used: ${messageOf(error)}`, { cause: error }));
    }
  }
  const names = [...servers.keys()];
  const [server] = names;
  if (server === undefined) throw new TraceError(path, 0, wanted === undefined ? 'holds no records; record something first' : `has no records of a server ${wanted}; leave --server out`);
  if (names.length > 1) throw new TraceError(path, 0, `has records of ${names.length} servers; choose one with --server: ${names.slice(0, 20).join(', ')}`);
  const [first, ...rest] = [...(servers.get(server)?.values() ?? [])].map(({ life }) => life);
  if (first === undefined) throw new TraceError(path, 0, 'holds no records; record something first');
  return { server, lives: [first, ...rest], stateless };
}

function entryOf<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
