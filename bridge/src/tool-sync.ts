/**
 * One sync after the other: list, judge, build, swap (S27-S33). Holds the generation that is registered.
 * @module
 */
import type { BridgeLog } from './bridge-log.ts';
import type { ResolvedConfig } from './config-types.ts';
import type { BuildInput, BuiltTool } from './definitions.ts';
import { BridgeError, describeError } from './errors.ts';
import type { Generation, SwapInput } from './generation.ts';
import type { ToolRegistry } from './host-services.ts';
import type { ServerDirectory } from './server-directory.ts';
import type { Session } from './session.ts';
import type { BridgeStages } from './stages.ts';

/** What every sync of one instance has in common. */
export interface ToolSyncOptions {
  readonly config: ResolvedConfig;
  readonly stages: BridgeStages;
  readonly registry: ToolRegistry;
  readonly directory: ServerDirectory;
  readonly execute: BuildInput['execute'];
  readonly render: BuildInput['render'];
  readonly log: BridgeLog;
  /** Aborts when the instance is being disposed. */
  readonly signal: AbortSignal;
}

/** What one sync did. */
export interface SyncOutcome {
  /** Whether the model sees anything else than before. */
  readonly changed: boolean;
  readonly toolCount: number;
  /** Set when a foreign tool was in the way: the generation was rolled back (S32). */
  readonly conflict: BridgeError | undefined;
}

/** Lines of one kind that one sync logs; the rest is counted. */
const ODDITIES_LOGGED = 20;

/** Syncs the registry with one server. */
export class ToolSync {
  readonly #options: ToolSyncOptions;
  #generation: Generation = [];
  /** The end of the last sync that was begun; never rejects. */
  #tail: Promise<unknown> = Promise.resolve();
  #reported: string | undefined;

  constructor(options: ToolSyncOptions) {
    this.#options = options;
  }

  /** How many tools are registered. */
  get toolCount(): number {
    return this.#generation.length;
  }

  /**
   * Reads the list and swaps. Syncs never interleave: one begins when the one before it has ended (S31).
   * @param onListed called when the list is read and good, right before the swap
   * @throws {BridgeError} when the sync failed before its swap; then the previous generation stays, whole (S28)
   */
  run(session: Session, onListed?: () => void): Promise<SyncOutcome> {
    const sync = this.#tail.then(() => this.#sync(session, onListed));
    this.#tail = sync.catch(() => undefined);
    return sync;
  }

  /** Settles when no sync is under way. */
  async idle(): Promise<void> {
    await this.#tail;
  }

  /** Removes every tool, at once. */
  unregisterAll(): void {
    this.#swap([]);
  }

  async #sync(session: Session, onListed: (() => void) | undefined): Promise<SyncOutcome> {
    const { config, stages, signal, directory, execute, render } = this.#options;
    const { serverName } = config;
    this.#assertCurrent(session);
    const listed = await stages.drainTools(serverName, session, { ...config, signal });
    const checked = stages.checkList({ serverName, listed, publicToolName: stages.publicToolName, claims: directory.claims });
    const built = stages.buildDefinitions({ tools: checked.tools, schemaRoot: config.schemaRoot, maxSchemaDepth: config.maxSchemaDepth, execute, render });
    // Nothing is awaited between this look and the end of the swap (S30).
    this.#assertCurrent(session);
    onListed?.();
    const before = this.#generation.length;
    const { kept, conflict } = this.#swap(built.tools);
    // A change callback of the registry may have disposed this instance in the middle of the swap.
    if (signal.aborted) this.unregisterAll();
    this.#report([...checked.skipped, ...built.oddities]);
    if (conflict !== undefined) this.#options.log('error', conflict.message);
    return { changed: kept !== before || kept !== built.tools.length, toolCount: this.#generation.length, conflict };
  }

  #swap(next: readonly BuiltTool[]): { readonly kept: number; readonly conflict: BridgeError | undefined } {
    const { config, stages, registry, directory, log } = this.#options;
    const input: SwapInput = {
      serverName: config.serverName,
      registry,
      claims: directory.claims,
      current: this.#generation,
      next,
      onUnregisterFailed: (publicName, error) => log('error', `the tool "${publicName}" could not be removed from the registry: ${describeError(error)}`),
    };
    const outcome = stages.swapGeneration(input);
    this.#generation = outcome.generation;
    return outcome;
  }

  /** A list that arrives after the end of its connection or of the instance is not used (S53, S56, S60). */
  #assertCurrent(session: Session): void {
    const { config, signal } = this.#options;
    if (signal.aborted) throw new BridgeError('disposed', `MCP server "${config.serverName}": disposed while its tools were being listed`);
    if (!session.isOpen) throw new BridgeError('connection-lost', `MCP server "${config.serverName}": the connection ended before its tool list could be used`);
  }

  /** Logs what is odd about a list, bounded, and not again while it stays the same. */
  #report(lines: readonly string[]): void {
    const shown = lines.slice(0, ODDITIES_LOGGED);
    const text = JSON.stringify([lines.length, shown]);
    if (text === this.#reported) return;
    this.#reported = text;
    for (const line of shown) this.#options.log('warn', line);
    if (lines.length > shown.length) this.#options.log('warn', `and ${lines.length - shown.length} more oddities of its tool list`);
  }
}
