import type { ViewBlock } from '../../src/adapter/messages.ts';
import type { HistoryBuilder } from './builder.ts';

/** What a scripted tool answers by default: something that holds the probe. */
export function echoOf(callId: string): ViewBlock {
  return { type: 'text', text: JSON.stringify({ arguments: { probe: callId } }) };
}

/** A call that reached its tool and ended with its own echo. */
export function echo(builder: HistoryBuilder, server: string, rawName: string): HistoryBuilder {
  const callId = `echo-${builder.nextId()}`;
  const args = { probe: callId };
  return builder
    .asked({ callId, name: `p_${rawName}`, arguments: args }, { server, rawName })
    .wireCall(server, rawName, args, { content: [echoOf(callId)] })
    .outcome(callId, { view: [echoOf(callId)] });
}
