/**
 * The parts of a Cordis context, of either major version, that the embedded host uses. Structural: no Cordis is
 * imported at run time.
 */
import type { HostContext, ToolExecution, ToolExecutionResult } from '../host-services.ts';
import { HostError } from './host-error.ts';
import type { PostToolDecision, PreToolDecision } from './policy.ts';

/** A context of Cordis 3 or 4. */
export interface CordisContext extends HostContext {
  emit(event: string, ...args: unknown[]): void;
  plugin(plugin: object, config?: unknown): unknown;
}

/** Cordis 3: a plugin instance is a fork; `apply` is not awaited and disposers neither. */
export interface Cordis3Context extends CordisContext {
  /** Mounts a service until the calling plugin ends. */
  set(service: string, value: unknown): unknown;
  plugin(plugin: object, config?: unknown): { dispose(): unknown };
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Cordis 4: a plugin instance is a fiber, which can be awaited. */
export interface Cordis4Context extends CordisContext {
  readonly fiber: Cordis4Fiber;
  /** Mounts a service until the calling plugin ends. */
  provide(service: string, value: unknown): unknown;
  plugin(plugin: object, config?: unknown): Cordis4Fiber;
  /** @returns removes the listener again; it ends with the calling plugin anyway. */
  on(event: string, listener: (...args: never[]) => unknown): () => void;
  waterfall(
    event: 'tools/pre-execute',
    exec: ToolExecution,
    next: () => Promise<PreToolDecision>,
  ): Promise<PreToolDecision>;
  waterfall(
    event: 'tools/post-execute',
    exec: ToolExecution,
    result: Readonly<ToolExecutionResult>,
    next: () => Promise<PostToolDecision>,
  ): Promise<PostToolDecision>;
}

/** One plugin instance of Cordis 4. */
export interface Cordis4Fiber {
  /** 0 is pending: a service that it needs is missing. */
  readonly state: number;
  /** Settles when loading has; rejects with the error of the plugin's config or `apply`. */
  await(): Promise<unknown>;
  dispose(): Promise<void> | undefined;
}

/** The class `Context` of Cordis 3 or 4. */
export type CordisContextClass = new () => object;

/**
 * Mounts a service for the life of the calling plugin.
 * @throws HostError `plugin-invalid` in any other Cordis.
 */
export function mountService(ctx: object, service: string, value: unknown): void {
  if (isCordis4(ctx)) ctx.provide(service, value);
  else if (isCordis3(ctx)) ctx.set(service, value);
  else throw new HostError('plugin-invalid', 'the embedded host runs in Cordis 3 and 4, and this context is of neither');
}

/** Whether this is a context of Cordis 4. */
export function isCordis4(ctx: object): ctx is Cordis4Context {
  return 'fiber' in ctx && 'provide' in ctx;
}

/** Whether this is a context of Cordis 3. */
export function isCordis3(ctx: object): ctx is Cordis3Context {
  return !('fiber' in ctx) && 'scope' in ctx && 'set' in ctx;
}
