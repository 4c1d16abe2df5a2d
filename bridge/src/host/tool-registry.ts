/**
 * The tool registry of the embedded host, `ctx.tools`. Usable without any Cordis.
 */
import type { ToolDefinition, ToolExecutionResult } from '../host-services.ts';
import { describeError } from '../errors.ts';
import { ChangeNotice, type ChangeListener, type SettledListener } from './change-notice.ts';
import { executeCall, type ToolCall } from './execute-call.ts';
import { HostError } from './host-error.ts';
import type { HostedRegistry, ToolSchema } from './hosted-registry.ts';
import { defaultMaxValueDepth, defaultMaxValues, type SnapshotLimits } from './json-snapshot.ts';
import { createOutputValidator, type OutputValidator } from './output-validator.ts';
import type { ToolPolicy } from './policy.ts';

/** Options of a registry. */
export interface ToolRegistryOptions {
  /** Check each canonical value against its definition's `output.schema`; default true. */
  readonly validateOutput?: boolean;
  /** Levels a value or an argument may nest; default 1000. */
  readonly maxValueDepth?: number;
  /** Values that a value, an argument or a content may hold in all; default 1 000 000. */
  readonly maxValues?: number;
  /** Told of an error that a listener threw; default a process warning. */
  readonly onListenerError?: (error: unknown) => void;
}

/** Names that every model API accepts (S14). */
const legalName = /^[A-Za-z0-9_-]{1,64}$/;

/** Holds tools in registration order, tells of changes, and runs calls. */
export class LocalToolRegistry implements HostedRegistry {
  readonly #tools = new Map<string, ToolDefinition>();
  readonly #policies: ToolPolicy[] = [];
  readonly #notice: ChangeNotice;
  readonly #validate: OutputValidator | undefined;
  readonly #snapshot: Required<SnapshotLimits>;

  constructor(options: ToolRegistryOptions = {}) {
    this.#validate = options.validateOutput === false ? undefined : createOutputValidator();
    const { maxValueDepth: maxDepth = defaultMaxValueDepth, maxValues = defaultMaxValues } = options;
    this.#snapshot = { maxDepth, maxValues };
    this.#notice = new ChangeNotice(options.onListenerError ?? warn);
  }

  /**
   * Adds one tool at the end.
   * @returns removes exactly this tool again; a second call does nothing.
   * @throws HostError `tool-name-taken`, `tool-name-invalid`, `tool-definition-invalid`.
   */
  register(definition: ToolDefinition): () => void {
    const { name } = definition;
    if (typeof name !== 'string' || !legalName.test(name)) {
      throw new HostError('tool-name-invalid', `the tool name ${JSON.stringify(name)} is not 1 to 64 letters, digits, "_" or "-"; rename the tool`);
    }
    if (typeof definition.execute !== 'function' || typeof definition.output?.render !== 'function') {
      throw new HostError('tool-definition-invalid', `the tool "${name}" needs functions "execute" and "output.render"`);
    }
    if (this.#tools.has(name)) {
      throw new HostError('tool-name-taken', `a tool named "${name}" is already registered; unregister that one or rename this one`);
    }
    this.#tools.set(name, definition);
    this.#notice.changed();
    let registered = true;
    return () => {
      if (!registered) return;
      registered = false;
      this.#tools.delete(name);
      this.#notice.changed();
    };
  }

  /** All definitions, in registration order. */
  list(): readonly ToolDefinition[] {
    return [...this.#tools.values()];
  }

  /** What a model is told, in registration order. */
  schemas(): readonly ToolSchema[] {
    return this.list().map(({ name, description, parameters }) => ({ name, description, parameters }));
  }

  /** The definition of that name. */
  get(name: string): ToolDefinition | undefined {
    return this.#tools.get(name);
  }

  /** Counts single registrations and removals; never goes back. */
  get revision(): number {
    return this.#notice.revision;
  }

  /** Tells inside each registration and each removal, as `dsh-tools` does. */
  onChange(listener: ChangeListener): () => void {
    return this.#notice.onChange(listener);
  }

  /** Tells once at the end of each job in which the set changed: what is listed then is a settled set (S30). */
  onSettled(listener: SettledListener): () => void {
    return this.#notice.onSettled(listener);
  }

  /** Adds a policy around every call. @returns removes it again. */
  use(policy: ToolPolicy): () => void {
    const own: ToolPolicy = {
      ...(policy.preExecute === undefined ? {} : { preExecute: policy.preExecute.bind(policy) }),
      ...(policy.postExecute === undefined ? {} : { postExecute: policy.postExecute.bind(policy) }),
    };
    this.#policies.push(own);
    return () => {
      const index = this.#policies.indexOf(own);
      if (index >= 0) this.#policies.splice(index, 1);
    };
  }

  /** Runs one call through the whole pipeline. Never rejects: every failure is an outcome with `isError: true`. */
  execute(call: ToolCall): Promise<ToolExecutionResult> {
    return executeCall(call, {
      lookup: (name) => this.#tools.get(name),
      policies: this.#policies,
      validate: this.#validate,
      snapshot: this.#snapshot,
    });
  }
}

function warn(error: unknown): void {
  process.emitWarning(`a listener of the tool registry failed: ${describeError(error)}`);
}
