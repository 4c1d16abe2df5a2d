/**
 * Projections on their way from a call's body to the end of its pipeline (S47, S48).
 * @module
 */
import type { CanonicalValue } from './canonical-value.ts';
import type { ContentBlock, ToolExecution, ToolExecutionResult } from './host-services.ts';
import { equalJson } from './json-shape.ts';

/** What the model sees of one execution, if nobody changes its result on the way. */
export interface StagedProjection {
  /** What the body returned. */
  readonly value: CanonicalValue;
  /** What `render` makes of it. */
  readonly fallback: readonly ContentBlock[];
  /** What takes the place of that. */
  readonly content: readonly ContentBlock[];
}

/** The projections of one generation: each for exactly one execution, taken at most once. */
export class ProjectionStaging {
  /** By the object that the host hands to the body and to `finalizeContent`; ids are the caller's choice and may repeat. */
  readonly #staged = new WeakMap<object, StagedProjection>();

  /** Keeps a projection for the end of this execution. */
  stage(exec: ToolExecution, projection: StagedProjection): void {
    this.#staged.set(exec, projection);
  }

  /**
   * The projection of this execution, once; `undefined` when there is none, or when value or content are no longer those
   * of the body: a policy's replacement or block wins. Hosts copy and freeze both, so they are compared by what they hold.
   */
  take(exec: Readonly<ToolExecution>, result: Readonly<ToolExecutionResult>): ContentBlock[] | undefined {
    const staged = this.#staged.get(exec);
    if (staged === undefined) return undefined;
    this.#staged.delete(exec);
    if (result.isError || !equalJson(result.value, staged.value) || !equalJson(result.content, staged.fallback)) return undefined;
    return [...staged.content];
  }
}
