/**
 * One instance of the plugin: one server from its reservation to its end.
 * @module
 */
import { createLog, type BridgeLog } from './bridge-log.ts';
import type { CallInput } from './call-execution.ts';
import { limitsOf } from './connection-limits.ts';
import { ConnectionSupervisor } from './connection-supervisor.ts';
import type { ResolvedConfig } from './config-types.ts';
import type { ToolSlot } from './definitions.ts';
import type { BridgeError } from './errors.ts';
import type { HostContext, JsonValue, ToolExecution } from './host-services.ts';
import { imageSettings, type ImageSettings } from './image-projection.ts';
import type { ProjectionStaging } from './image-staging.ts';
import { ListRefresh } from './list-refresh.ts';
import { redactError, redactRejection } from './redact-error.ts';
import { renderCanonical } from './render-canonical.ts';
import { serverDirectory, type ServerDirectory } from './server-directory.ts';
import { releaseServerName, reserveServerName } from './server-names.ts';
import type { Session, SessionListeners } from './session.ts';
import type { BridgeStages, DisposeStep } from './stages.ts';
import { StateBoard } from './state-board.ts';
import { ToolSync, type SyncOutcome } from './tool-sync.ts';
import { announcesListChanges } from './transport/handshake.ts';
import { readProxySettings } from './transport/proxy-settings.ts';
import { createRedactor, secretEntries, secretsInUrl, type Redactor } from './transport/redact.ts';

/** One server of one app. */
export class BridgeInstance {
  readonly #config: ResolvedConfig;
  readonly #stages: BridgeStages;
  readonly #log: BridgeLog;
  readonly #redact: Redactor;
  /** For the words of a tool, in which a setting that is no secret, such as a folder, has to stay. */
  readonly #redactTold: Redactor;
  readonly #directory: ServerDirectory;
  readonly #board: StateBoard;
  readonly #abort = new AbortController();
  readonly #sync: ToolSync;
  readonly #supervisor: ConnectionSupervisor;
  readonly #refresh: ListRefresh;
  readonly #images: ImageSettings;
  /** Captured at load, as the config is (S07, B29). */
  readonly #proxy = readProxySettings(process.env);
  #activation: Promise<BridgeError | undefined> | undefined;
  #disposal: Promise<void> | undefined;

  constructor(ctx: HostContext, config: ResolvedConfig, warnings: readonly string[], stages: BridgeStages) {
    this.#config = config;
    this.#stages = stages;
    const { serverName } = config;
    const given = config.transport === 'stdio' ? [config.env] : [config.headers, secretsInUrl(config.url)];
    this.#redact = createRedactor(...given);
    this.#redactTold = createRedactor(...given.map(secretEntries));
    const log = createLog(ctx, serverName, this.#redact);
    this.#log = log;
    for (const warning of warnings) log('warn', warning);
    this.#images = imageSettings(ctx, config, log, this.#abort.signal);
    this.#directory = serverDirectory(ctx.root);
    this.#board = new StateBoard({ serverName, root: ctx.root, directory: this.#directory, toolCount: () => this.#sync.toolCount, log });
    const { signal } = this.#abort;
    this.#sync = new ToolSync({
      config,
      stages,
      registry: ctx.tools,
      directory: this.#directory,
      execute: (slot, args, exec, staging) => this.#execute(slot, args, exec, staging),
      render: (_args, value) => renderCanonical(value, stages.projectResult, config.resultTextMaxChars),
      log,
      signal,
    });
    this.#refresh = new ListRefresh({
      createCoalescer: stages.createCoalescer,
      quietMs: config.listChangeQuietMs,
      maxWaitMs: config.listChangeMaxWaitMs,
      clock: stages.clock,
      policy: config.reconnect,
      session: () => this.#supervisor.session,
      sync: (session) => this.#syncTools(session),
      toolCount: () => this.#sync.toolCount,
      show: (fault) => this.#board.showReady(fault),
      log,
      signal,
    });
    this.#supervisor = new ConnectionSupervisor({
      serverName,
      policy: config.reconnect,
      retryFirst: !config.failOnStartupError,
      clock: stages.clock,
      decide: stages.decideReconnect,
      open: (listeners) => redactRejection(this.#open(listeners), this.#redact),
      sync: (session, attempt, onListed) => this.#syncAttempt(session, attempt, onListed),
      onToolListChanged: () => this.#refresh.notice(),
      onLive: (live) => this.#onLive(live),
      onStatus: (status) => this.#board.show(status),
      removeTools: () => this.#sync.unregisterAll(),
      toolCount: () => this.#sync.toolCount,
      log,
      signal,
    });
  }

  /**
   * Activates: reserves the name, connects, lists, registers; settles when all of that has (S12).
   * @throws {BridgeError} `server-name-taken` (S08); with `failOnStartupError` whatever made the start fail (S06). Then
   *   nothing is left behind.
   */
  async start(): Promise<void> {
    const { serverName, nameWaitMs, failOnStartupError } = this.#config;
    this.#activation = this.#activate(serverName, nameWaitMs);
    let failure: BridgeError | undefined;
    try {
      failure = await this.#activation;
    } catch (error) {
      if (this.#abort.signal.aborted) return;
      throw error;
    }
    if (failure === undefined || !failOnStartupError || this.#abort.signal.aborted) return;
    await this.dispose();
    throw failure;
  }

  /** Gives up what is under way; `dispose` is to follow. */
  cancel(): void {
    this.#board.holder.closing = true;
    this.#abort.abort();
    this.#supervisor.stop();
  }

  /** Ends the instance (S60). Idempotent; settles when the server is gone and the name is free. Never rejects. */
  dispose(): Promise<void> {
    this.#disposal ??= this.#dispose();
    return this.#disposal;
  }

  async #activate(serverName: string, waitMs: number): Promise<BridgeError | undefined> {
    const { signal } = this.#abort;
    await reserveServerName(this.#directory, serverName, this.#board.holder, { waitMs, signal });
    // A registry conflict fails a strict activation too, without an outage (S06, S32).
    return this.#supervisor.start();
  }

  async #open(listeners: SessionListeners): Promise<Session> {
    const config = this.#config;
    const session = await this.#stages.openSession({
      serverName: config.serverName,
      target: config,
      listeners,
      limits: limitsOf(config),
      signal: this.#abort.signal,
      effects: { buildEnv: this.#stages.buildChildEnv, proxy: this.#proxy },
    });
    this.#lookAgain = config.transport === 'streamable-http' && announcesListChanges(session.server.capabilities);
    return session;
  }

  /** Over HTTP a notice that is sent before the event stream is open is lost, so the list is read once more. */
  #lookAgain = false;

  #onLive(live: boolean): void {
    if (!live) {
      this.#refresh.hold();
      return;
    }
    this.#refresh.release();
    if (this.#lookAgain) this.#refresh.notice();
  }

  /** One sync; of what went wrong with it, only what holds no secret (B18). */
  async #syncTools(session: Session, onListed?: () => void): Promise<SyncOutcome> {
    const outcome = await redactRejection(this.#sync.run(session, onListed), this.#redact);
    return { ...outcome, conflict: redactError(outcome.conflict, this.#redact) };
  }

  /** The listing that completes an attempt. An attempt after the first is a recovery, and is called so (S59). */
  async #syncAttempt(session: Session, attempt: number, onListed: () => void): Promise<BridgeError | undefined> {
    const { transport, reconnect } = this.#config;
    const { toolCount, conflict } = await this.#syncTools(session, onListed);
    // Disposed by a change callback of the registry: there is nothing to tell of.
    if (this.#abort.signal.aborted) return conflict;
    const ready = `ready over ${transport}, ${toolCount} tools`;
    if (attempt > 0) this.#log('info', `recovered at attempt ${attempt} of ${reconnect.maxAttempts}: ${ready}`);
    else if (conflict === undefined) this.#log('info', ready);
    return conflict;
  }

  #execute(slot: ToolSlot, args: unknown, exec: ToolExecution | undefined, staging: ProjectionStaging): Promise<JsonValue> {
    const { serverName, toolCallTimeoutMs, toolCallMaxTotalMs, missingStructuredContent, resultTextMaxChars, maxResultDepth } = this.#config;
    const supervisor = this.#supervisor;
    const input: CallInput = {
      serverName,
      slot,
      args,
      signal: exec?.signal,
      timeoutMs: toolCallTimeoutMs,
      maxTotalMs: toolCallMaxTotalMs,
      session: supervisor.session,
      disconnectedBecause: supervisor.disconnectedBecause,
      missingStructuredContent,
      maxErrorChars: resultTextMaxChars,
      maxResultDepth,
      log: this.#log,
      images: exec?.signal === undefined ? undefined : { settings: this.#images, exec, staging },
    };
    return redactRejection(this.#stages.callTool(input, this.#stages), this.#redact, this.#redactTold);
  }

  async #dispose(): Promise<void> {
    const steps: Readonly<Record<DisposeStep, () => Promise<unknown> | undefined>> = {
      'stop-work': () => this.#stopWork(),
      'unregister-tools': () => this.#unregisterTools(),
      'close-connection': () => this.#supervisor.close(),
      'await-work': () => Promise.allSettled([this.#activation, this.#supervisor.idle(), this.#sync.idle(), this.#refresh.stop()]),
      'free-name': () => this.#freeName(),
    };
    for (const step of this.#stages.disposeSteps) {
      // Awaited only where there is something to await: a host that disposes synchronously must see the tools gone at once.
      const pending = steps[step]();
      if (pending !== undefined) await pending;
    }
  }

  #stopWork(): undefined {
    this.cancel();
    this.#refresh.hold();
    this.#board.showDisposed();
  }

  #unregisterTools(): undefined {
    this.#sync.unregisterAll();
    this.#board.showDisposed();
  }

  #freeName(): undefined {
    releaseServerName(this.#directory, this.#config.serverName, this.#board.holder);
    this.#board.freed();
  }
}
