/**
 * `BridgeAdapter`: the one way the suite operates a subject (DESIGN.md §6). In process it is implemented by an object;
 * out of process by the driver protocol, message for message.
 */
import type {
  CallReply, CallRequest, GateRequest, HostChange, OpenReply, OpenRequest, ServerReply, ServerSpec, StateReply,
  SubjectDescription, SubjectNotification, ToolsReply,
} from './messages.ts';

/** A bridge under test and the small host around it. Every method settles within the bounds that `describe` declares. */
export interface BridgeAdapter {
  /** Who this is and what it declares. Constant for the life of the adapter. */
  describe(): Promise<SubjectDescription>;
  /** Starts a fresh host with these servers. Resolves when activation has settled; a bad server is no rejection. */
  open(request: OpenRequest): Promise<OpenReply>;
  /** Adds one server to the open host. Only with `servers: dynamic`. */
  add(server: ServerSpec): Promise<ServerReply>;
  /** Removes one server; resolves when its tools and its processes are gone. Only with `servers: dynamic`. */
  remove(server: string): Promise<void>;
  /** Removes and adds the same entry. Only with the feature `reload`. */
  reload(server: string): Promise<ServerReply>;
  /** Disposes the host; resolves when everything it started is gone. Idempotent. */
  close(): Promise<void>;
  /** What the model is offered now. */
  tools(): Promise<ToolsReply>;
  /** State of each server (B20). */
  state(): Promise<StateReply>;
  /** One call. Never rejects for a failure of the tool, the server or the bridge: that is an outcome. */
  call(request: CallRequest): Promise<CallReply>;
  /** Aborts a call that is under way; the call settles by itself. Unknown ids are ignored. */
  cancel(callId: string): Promise<void>;
  /** Holds or releases something inside the host. Rejects with `AdapterError` `unsupported` where it cannot. */
  gate(request: GateRequest): Promise<void>;
  /** Changes a route or the store while calls run. Rejects with `AdapterError` `unsupported` where it cannot. */
  setHost(change: HostChange): Promise<void>;
  /** Listens to notifications, in order. @returns stops listening. */
  onNotification(listener: (notification: SubjectNotification) => void): () => void;
  /**
   * Only of a subject in a process of its own: ends that process and everything it started, `in-order` with time to close
   * by itself, `now` without. Bounded, never rejects; nothing may be asked afterwards.
   */
  end?(how: 'in-order' | 'now'): Promise<void>;
}

/** Makes adapters; the suite may make several, one a worker. */
export type AdapterFactory = () => BridgeAdapter | Promise<BridgeAdapter>;

/**
 * The subject's driver or adapter is wrong: never a verdict, exit code 2. Only `unsupported` is none: what the subject does not
 * have is not asked for.
 */
export type AdapterErrorCode =
  /** The adapter or driver has no such method, gate or service. */
  | 'unsupported'
  /** A reply, a notification or a line that does not fit the contract. */
  | 'invalid-reply'
  /** The driver answered with an error of its own. */
  | 'driver-error'
  /** The driver's process ended, or could not be started. */
  | 'driver-exited'
  /** Nothing was answered, not even who the subject is. */
  | 'driver-hung'
  /** After several starts in a row that failed nothing more is tried. */
  | 'given-up'
  /** What was given is no adapter, or was used in a wrong order. */
  | 'misuse';

/** An error of the way to the subject, not of the bridge. */
export class AdapterError extends Error {
  override readonly name = 'AdapterError';
  readonly code: AdapterErrorCode;

  constructor(code: AdapterErrorCode, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
  }
}

/** Whether an error is one of the way to the subject; also when a second copy of this package made it. */
export function isAdapterError(error: unknown): error is AdapterError {
  return error instanceof Error && error.name === 'AdapterError' && 'code' in error;
}

export type {
  CallReply, CallRequest, Feature, GateRequest, HostChange, HostSpec, Level, OfferedTool, OpenReply, OpenRequest,
  ServerReply, ServerSpec, StateReply, SubjectDescription, SubjectNotification, ToolsReply, ViewBlock,
} from './messages.ts';
export { ADAPTER_VERSION, FEATURES, LEVELS } from './messages.ts';
