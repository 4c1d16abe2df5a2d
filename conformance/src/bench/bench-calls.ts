/**
 * Calls that an exercise makes: numbered, marked so that a judge finds them on the wire, and on record.
 */
import type { BridgeAdapter, CallRequest } from '../adapter/bridge-adapter.ts';
import { PROBE } from '../history/call-views.ts';
import type { Recorder } from '../history/recorder.ts';
import { isObject } from '../history/wire-views.ts';
import type { Asking } from './asking.ts';
import type { BenchCall, PendingCall } from './bench.ts';
import { ANSWER_BOUND_MS, CALL_BOUND_MS } from './bounds.ts';

/** See the module's comment. */
export class BenchCalls {
  readonly #adapter: BridgeAdapter;
  readonly #asking: Asking;
  readonly #recorder: Recorder;
  #calls = 0;
  /** How many were answered. */
  answered = 0;

  constructor(adapter: BridgeAdapter, asking: Asking, recorder: Recorder) {
    this.#adapter = adapter;
    this.#asking = asking;
    this.#recorder = recorder;
  }

  /** Starts one call. */
  start(call: BenchCall): PendingCall {
    const callId = `call-${++this.#calls}`;
    const { via = 'model', ...extra } = call.extra ?? {};
    const request = { callId, name: call.tool.name, arguments: withProbe(call, callId), via, ...extra } satisfies CallRequest;
    const reply = this.#asking.quiet(async () => {
      this.#recorder.note({
        kind: 'call', request,
        ...(call.server === undefined ? {} : { server: call.server }),
        ...(call.rawName === undefined ? {} : { rawName: call.rawName }),
      });
      const settled = await this.#asking.bounded(`${callId} settles`, call.boundMs ?? CALL_BOUND_MS, () => this.#adapter.call(request), 'call');
      this.answered += 1;
      this.#recorder.note({ kind: 'outcome', callId, reply: settled });
      return settled;
    });
    const cancel = (): Promise<void> =>
      this.#asking.quiet(async () => {
        this.#recorder.note({ kind: 'cancel', callId });
        await this.#asking.bounded(`cancel of ${callId} answers`, ANSWER_BOUND_MS, () => this.#adapter.cancel(callId), 'cancel');
      });
    return { callId, reply, cancel };
  }
}

function withProbe(call: BenchCall, callId: string): unknown {
  const given = call.arguments ?? {};
  return call.probe === false || !isObject(given) ? given : { ...given, [PROBE]: callId };
}
