/** Calls told in every part. */
import type { CallReply } from '../../../src/adapter/messages.ts';
import type { HistoryBuilder } from '../builder.ts';

/** A call whose arguments, wire and result are told apart. */
export interface Told {
  readonly server: string;
  readonly rawName: string;
  readonly args?: object;
  /** What the server received; default: what was given. */
  readonly wire?: unknown;
  readonly result?: object;
  readonly error?: object;
  readonly reply?: Partial<CallReply>;
}

/** One such call. */
export function tell(builder: HistoryBuilder, { server, rawName, args = {}, result, error, reply, ...rest }: Told): HistoryBuilder {
  const callId = `told-${builder.nextId()}`;
  const given = { ...args, probe: callId };
  const id = builder.nextId();
  const wire = 'wire' in rest ? rest.wire : given;
  builder.asked({ callId, name: `p_${rawName}`, arguments: given }, { server, rawName })
    .received(server, { jsonrpc: '2.0', id, method: 'tools/call', params: { name: rawName, arguments: wire } });
  if (result !== undefined || error !== undefined) builder.sent(server, { jsonrpc: '2.0', id, ...(result === undefined ? { error } : { result }) });
  return reply === undefined ? builder : builder.outcome(callId, reply);
}
