/**
 * The tool registry of the DeepSeek Harness behind the same interface as the embedded one.
 *
 * What differs is the Harness' own: it runs a policy's hooks as listeners of its waterfalls, so the policy that was
 * added first and has an opinion decides alone and every policy sees the outcome of the body; an error keeps its message
 * and, unless it is one of the Harness' own, no code and no cause; each lookup walks the whole registry.
 */
import type { ToolDefinition, ToolExecution, ToolExecutionResult } from '../host-services.ts';
import { ChangeNotice, type ChangeListener, type SettledListener } from './change-notice.ts';
import type { Cordis4Context } from './cordis-context.ts';
import type { DshTools } from './dsh-services.ts';
import type { ToolCall } from './execute-call.ts';
import type { HostedRegistry, ToolSchema } from './hosted-registry.ts';
import type { PostToolDecision, PreToolDecision, ToolPolicy } from './policy.ts';

/** Asks the listeners behind this one, and in the end the registry. */
type Next<T> = () => Promise<T>;

/** `ctx.tools` of `@deepseek-ai/dsh-tools`, with the counting and the settled notice of the embedded host. */
export class DshRegistry implements HostedRegistry {
  readonly #ctx: Cordis4Context;
  readonly #tools: DshTools;
  readonly #notice: ChangeNotice;

  constructor(ctx: Cordis4Context, tools: DshTools, report: (error: unknown) => void) {
    this.#ctx = ctx;
    this.#tools = tools;
    this.#notice = new ChangeNotice(report);
    ctx.on('tools/change', () => this.#notice.changed());
  }

  register(definition: ToolDefinition): () => void {
    return this.#tools.register(definition);
  }

  list(): readonly ToolDefinition[] {
    return this.schemas().map(({ name }) => this.get(name)).filter((definition) => definition !== undefined);
  }

  schemas(): readonly ToolSchema[] {
    return this.#tools.schemas();
  }

  get(name: string): ToolDefinition | undefined {
    return this.#tools.get(name);
  }

  get revision(): number {
    return this.#notice.revision;
  }

  onChange(listener: ChangeListener): () => void {
    return this.#notice.onChange(listener);
  }

  onSettled(listener: SettledListener): () => void {
    return this.#notice.onSettled(listener);
  }

  use(policy: ToolPolicy): () => void {
    const ends = [
      this.#ctx.on('tools/pre-execute', async (exec: ToolExecution, next: Next<PreToolDecision>) => {
        const decision = await policy.preExecute?.(exec);
        return decision === undefined || decision.kind === 'allow' ? next() : decision;
      }),
      this.#ctx.on('tools/post-execute', async (exec: ToolExecution, result: Readonly<ToolExecutionResult>, next: Next<PostToolDecision>) => (await policy.postExecute?.(exec, result)) ?? next()),
    ];
    return () => {
      for (const end of ends) end();
    };
  }

  execute(call: ToolCall): Promise<ToolExecutionResult> {
    return this.#tools.execute(call);
  }
}
