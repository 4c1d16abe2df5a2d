/**
 * The way to a subject in another process and any language: a {@link BridgeAdapter} over the driver protocol.
 */
import type { BridgeAdapter } from './bridge-adapter.ts';
import { DRIVER_BOUNDS, type DriverBounds } from './driver-bounds.ts';
import { DriverConnection } from './driver-connection.ts';
import type { DriverCommand } from './driver-process.ts';
import { DRIVER_METHODS, DRIVER_PROTOCOL } from './driver-protocol.ts';
import { owedAnswers } from './owed-answers.ts';

/** A driver that runs. */
export interface DriverAdapter extends BridgeAdapter {
  /** Ends the process, see {@link BridgeAdapter.end}. */
  readonly end: (how: 'in-order' | 'now') => Promise<void>;
  /** Its process id; absent when it could not be started. */
  readonly pid: number | undefined;
  /** The end of what it wrote on stderr. */
  readonly stderrTail: string;
}

/** Adapters whose replies are checked already. */
const made = new WeakSet<BridgeAdapter>();

/** Whether this is one of {@link outOfProcess}: its replies need no second check. */
export function isOutOfProcess(adapter: BridgeAdapter): boolean {
  return made.has(adapter);
}

/**
 * Starts a driver. Its first `describe` is due within `startMs`; whatever is asked later has no bound of its own, but a
 * driver that says nothing and does not answer `describe` either is killed with everything it started (`driver-hung`).
 * After an error other than `unsupported`, `driver-error` and a single reply that does not fit, the driver is dead and
 * every method rejects with that same error.
 *
 * @param bounds replace some of {@link DRIVER_BOUNDS}
 */
export function outOfProcess(command: DriverCommand, bounds: Partial<DriverBounds> = {}): DriverAdapter {
  const all = { ...DRIVER_BOUNDS, ...bounds };
  const driver = new DriverConnection(nameOf(command), command, all);
  let met = false;
  const owed = owedAnswers({
    async describe() {
      const asked = driver.ask('describe', DRIVER_METHODS.describe, { protocol: DRIVER_PROTOCOL });
      if (met) return asked;
      const timer = setTimeout(() => driver.hang(`did not answer "describe" within ${all.startMs} ms of its start, and was killed; a driver reads its input line by line, and flushes each line that it writes`), all.startMs);
      try {
        const description = await asked;
        met = true;
        return description;
      } finally {
        clearTimeout(timer);
      }
    },
    open: (request) => driver.ask('open', DRIVER_METHODS.open, request),
    add: (server) => driver.ask('add', DRIVER_METHODS.add, { server }),
    reload: (name) => driver.ask('reload', DRIVER_METHODS.reload, { name }),
    close: async () => void (await driver.ask('close', DRIVER_METHODS.close, {})),
    tools: () => driver.ask('tools', DRIVER_METHODS.tools, {}),
    call: (request) => driver.ask('call', DRIVER_METHODS.call, { ...request, via: request.via ?? 'model' }),
  }, `the driver ${nameOf(command)}`);
  const adapter: DriverAdapter = {
    ...owed,
    get pid() {
      return driver.pid;
    },
    get stderrTail() {
      return driver.stderrTail;
    },
    remove: async (name) => void (await driver.ask('remove', DRIVER_METHODS.remove, { name })),
    state: () => driver.ask('state', DRIVER_METHODS.state, {}),
    cancel: async (callId) => void (await driver.ask('cancel', DRIVER_METHODS.cancel, { callId })),
    gate: async (request) => void (await driver.ask('gate', DRIVER_METHODS.gate, request)),
    setHost: async (change) => void (await driver.ask('host/set', DRIVER_METHODS['host/set'], change)),
    onNotification: (listener) => driver.onNotification(listener),
    end: (how) => (how === 'now' ? driver.kill() : driver.end()),
  };
  made.add(adapter);
  return adapter;
}

/** As a person typed it, nearly. */
function nameOf({ command, args = [] }: DriverCommand): string {
  return JSON.stringify([command, ...args].join(' '));
}
