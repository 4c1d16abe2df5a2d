/**
 * The whole way of one call: arguments, policy, body, value, content, policy, final content. It always resolves.
 */
import type {
  CallingAgent,
  ContentBlock,
  JsonValue,
  ToolDefinition,
  ToolExecution,
  ToolExecutionResult,
  ToolExecutionSuccess,
} from '../host-services.ts';
import { describeError } from '../errors.ts';
import { snapshotJson, type SnapshotLimits } from './json-snapshot.ts';
import { cancelled, failure, failureFrom, outcomeCodes, textOf } from './outcome.ts';
import type { OutputValidator } from './output-validator.ts';
import { firstDenial, type PostToolDecision, type ToolPolicy } from './policy.ts';

/** One call as its caller states it. */
export interface ToolCall {
  readonly callId: string;
  /** The public name. */
  readonly name: string;
  /** Lossless JSON; the tool sees a deep-frozen copy. */
  readonly arguments: unknown;
  readonly agent?: CallingAgent;
  /** Set when a program made the call rather than the model. It receives the same canonical value (S49). */
  readonly parent?: unknown;
  /** Gives the call up; without one it cannot be. */
  readonly signal?: AbortSignal;
}

/** What the pipeline needs from the registry. */
export interface CallEnvironment {
  /** The definition that is registered now. */
  lookup(name: string): ToolDefinition | undefined;
  readonly policies: readonly ToolPolicy[];
  /** Absent when values are not checked against `output.schema`. */
  readonly validate: OutputValidator | undefined;
  readonly snapshot: SnapshotLimits;
}

/** A call on its way. */
interface Run {
  readonly env: CallEnvironment;
  readonly exec: ToolExecution;
  /** The definition whose body ran, once it did. */
  tool?: ToolDefinition;
}

/**
 * Runs one call. `finalizeContent` is the one that was registered when the call began (S48); the body is the one
 * registered once policy allowed the call, so a tool withdrawn meanwhile does not run.
 */
export async function executeCall(call: ToolCall, env: CallEnvironment): Promise<ToolExecutionResult> {
  const first = env.lookup(call.name);
  const finalize = first?.finalizeContent?.bind(first);
  const { callId, name, agent, parent, signal = new AbortController().signal } = call;
  const identity = {
    callId,
    name,
    signal,
    ...(agent === undefined ? {} : { agent }),
    ...(parent === undefined ? {} : { parent }),
  };
  let args: JsonValue;
  try {
    args = snapshotJson(call.arguments, env.snapshot);
  } catch (error) {
    const exec = Object.freeze({ ...identity, arguments: undefined });
    const message = `the arguments for "${name}" cannot be used: ${describeError(error)}`;
    return finish({ env, exec }, failure(message, 'ToolArgumentsError', outcomeCodes.invalidArguments), finalize);
  }
  const run: Run = { env, exec: Object.freeze({ ...identity, arguments: args }) };
  return finish(run, await decide(run), finalize);
}

async function decide(run: Run): Promise<ToolExecutionResult> {
  const { env, exec } = run;
  if (exec.signal.aborted) return cancelled(false);
  const policies = [...env.policies];
  let dispatched: ToolExecutionResult;
  try {
    const reason = await firstDenial(policies, exec);
    if (reason !== undefined) dispatched = failure(reason, 'ToolDeniedError', outcomeCodes.denied);
    else dispatched = exec.signal.aborted ? cancelled(false) : await dispatch(run);
    const judged = await applyPostPolicies(run, policies, dispatched);
    return exec.signal.aborted && !judged.isError ? cancelled(true) : judged;
  } catch (error) {
    return failureFrom(error);
  }
}

async function dispatch(run: Run): Promise<ToolExecutionResult> {
  const { env, exec } = run;
  const tool = env.lookup(exec.name);
  if (tool === undefined) {
    return failure(`no tool named "${exec.name}" is registered`, 'ToolNotFoundError', outcomeCodes.unknownTool);
  }
  run.tool = tool;
  try {
    const success = succeed(run, tool, await tool.execute(exec.arguments, exec));
    return exec.signal.aborted ? cancelled(true) : success;
  } catch (error) {
    return failureFrom(error);
  }
}

function succeed(run: Run, tool: ToolDefinition, candidate: unknown): ToolExecutionResult {
  const wrong = (what: string): ToolExecutionResult =>
    failure(`the tool "${tool.name}" returned invalid output: ${what}`, 'ToolOutputError', outcomeCodes.invalidOutput);
  let value: JsonValue;
  try {
    value = snapshotJson(candidate, run.env.snapshot);
    const contradiction = run.env.validate?.(tool.output.schema, value);
    if (contradiction !== undefined) return wrong(contradiction);
  } catch (error) {
    return wrong(describeError(error));
  }
  const content = contentSnapshot(run, tool.output.render(run.exec.arguments, value), 'render');
  return Object.freeze<ToolExecutionSuccess>({ isError: false, value, content });
}

async function applyPostPolicies(
  run: Run,
  policies: readonly ToolPolicy[],
  dispatched: ToolExecutionResult,
): Promise<ToolExecutionResult> {
  let result = dispatched;
  for (const policy of policies) {
    const decision = await policy.postExecute?.(run.exec, result);
    if (decision !== undefined) result = applyDecision(run, result, decision);
  }
  return result;
}

function applyDecision(run: Run, result: ToolExecutionResult, decision: PostToolDecision): ToolExecutionResult {
  if (decision.kind === 'block') {
    const feedback = contentSnapshot(run, decision.feedback, 'a policy');
    const message = textOf(feedback) || 'a policy blocked the result';
    return failure(message, 'ToolBlockedError', outcomeCodes.blocked, feedback);
  }
  if (decision.value !== undefined) {
    if (decision.content !== undefined) throw new TypeError('a policy replaced both value and content; return one of them');
    if (result.isError || run.tool === undefined) throw new TypeError('a policy replaced the value of a failed call; block it or accept it');
    return succeed(run, run.tool, decision.value);
  }
  if (decision.content === undefined) return result;
  return { ...result, content: contentSnapshot(run, decision.content, 'a policy') };
}

/** The outcome as everybody gets it: frozen, its content a copy of its own. `finalizeContent` runs here, once. */
function finish(
  run: Run,
  result: ToolExecutionResult,
  finalize: ToolDefinition['finalizeContent'],
): ToolExecutionResult {
  try {
    const candidate = Object.freeze({ ...result, content: contentSnapshot(run, result.content, 'the registry') });
    const content = finalize?.(run.exec, candidate);
    if (content === undefined) return candidate;
    return Object.freeze({ ...candidate, content: contentSnapshot(run, content, 'finalizeContent') });
  } catch (error) {
    return Object.freeze(failureFrom(error));
  }
}

function contentSnapshot(run: Run, content: unknown, author: string): ContentBlock[] {
  const problem = (what: string): Error =>
    Object.assign(new TypeError(`the content that ${author} gave for "${run.exec.name}" ${what}`), {
      code: outcomeCodes.invalidContent,
    });
  if (!Array.isArray(content)) throw problem('is no list of blocks');
  let copied: JsonValue;
  try {
    copied = snapshotJson(content, run.env.snapshot);
  } catch (error) {
    throw problem(`is no JSON: ${describeError(error)}`);
  }
  if (!isContent(copied)) throw problem('has a block without a type');
  return copied;
}

/** Hosts may know more kinds of block than the bridge produces: only the discriminant is checked. */
function isContent(blocks: unknown): blocks is ContentBlock[] {
  return (
    Array.isArray(blocks) &&
    blocks.every((block: unknown) => typeof block === 'object' && block !== null && 'type' in block && typeof block.type === 'string')
  );
}
