/**
 * One call of one tool: what goes to the session, and what comes back as success or failure (S34-S39, B04, B14).
 * @module
 */
import type { BridgeLog } from './bridge-log.ts';
import type { CanonicalValue } from './canonical-value.ts';
import type { ToolSlot } from './definitions.ts';
import { BridgeError } from './errors.ts';
import type { JsonObject } from './host-services.ts';
import { holdsImages, type ImageCall, type ImageStages } from './image-projection.ts';
import { isJsonObject, jsonDepth } from './json-shape.ts';
import { createOutputValidator } from './output-validation.ts';
import { ERROR_WITHOUT_TEXT } from './result-projection.ts';
import type { RequestLimits, Session } from './session.ts';
import { quoteName } from './tool-list.ts';

/** What one call needs. */
export interface CallInput {
  readonly serverName: string;
  readonly slot: ToolSlot;
  readonly args: unknown;
  readonly signal: AbortSignal | undefined;
  /** Bound of the call, milliseconds (S05). */
  readonly timeoutMs: number;
  /** Bound of the call with progress, milliseconds; default `timeoutMs` (B11). */
  readonly maxTotalMs?: number | undefined;
  /** The live session; `undefined` when there is none. */
  readonly session: Session | undefined;
  /** Why there is no live session, for the error. */
  readonly disconnectedBecause: string;
  readonly missingStructuredContent: 'warn' | 'fail';
  /** Bound of an error's text, UTF-16 code units (B16). */
  readonly maxErrorChars: number;
  /** Levels the canonical value may nest; default 1 000 (B01). */
  readonly maxResultDepth?: number;
  readonly log: BridgeLog;
  /** How images reach the model; `undefined` for a caller that is no execution of a registry. */
  readonly images?: ImageCall | undefined;
}

/** The parts of a call that a test may replace one by one. */
export interface CallStages extends ImageStages {
  /** Throws for a call that must not be sent at all. */
  readonly refuseCall: (input: CallInput) => void;
  /** The arguments as they go on the wire. */
  readonly prepareArguments: (input: CallInput) => JsonObject;
  /** The canonical value of a raw result (S35). */
  readonly canonicalValue: (input: CallInput, result: JsonObject) => CanonicalValue;
  /** Whether the tool reported failure (S36). */
  readonly isToolError: (result: JsonObject) => boolean;
  /** The text of such a failure (S36). */
  readonly projectError: (value: CanonicalValue, maxChars: number) => string;
  /** Throws for a value that nests too deep to be handed on (B27). */
  readonly checkDepth: (input: CallInput, value: CanonicalValue, projectError: CallStages['projectError']) => void;
  /** Throws for structured content that contradicts the output schema (S37). */
  readonly checkOutput: (input: CallInput, value: CanonicalValue) => void;
  /** Stages what the model sees of a success with images (S43-S48). */
  readonly stageImages: (call: ImageCall, value: CanonicalValue, stages: ImageStages) => Promise<void>;
}

/**
 * Runs one call: at most one `tools/call` goes out, whatever happens (B04).
 * @throws {BridgeError} with `executed` set: `task-required`, `arguments-invalid`, `not-connected`, `call-aborted`,
 *   `call-timeout`, `connection-lost`, `rpc-error`, `result-invalid`, `tool-error`, `limit-exceeded`, `output-invalid`
 */
export async function callTool(input: CallInput, stages: CallStages): Promise<CanonicalValue> {
  const { session, signal, timeoutMs, maxTotalMs } = input;
  stages.refuseCall(input);
  const args = stages.prepareArguments(input);
  if (session === undefined || !session.isOpen) {
    throw new BridgeError('not-connected', `${calledTool(input)}: the server is not connected (${input.disconnectedBecause}), so the call was not sent`, { executed: 'no' });
  }
  const limits: RequestLimits = signal === undefined ? { timeoutMs, maxTotalMs } : { timeoutMs, maxTotalMs, signal };
  const result = await session.callTool(input.slot.rawName, args, limits);
  if (!isJsonObject(result)) throw notAResult(input, 'it is no object');
  const value = stages.canonicalValue(input, result);
  // A tool's own error comes first: its structured content is not judged (B14).
  if (stages.isToolError(result)) throw new BridgeError('tool-error', stages.projectError(value, input.maxErrorChars), { executed: 'yes' });
  stages.checkDepth(input, value, stages.projectError);
  stages.checkOutput(input, value);
  if (input.images !== undefined && holdsImages(value)) {
    await stages.stageImages(input.images, value, stages);
    if (input.images.exec.signal.aborted) {
      throw new BridgeError('call-aborted', `${calledTool(input)}: the call was aborted after the tool ran, and its images are not used`, { executed: 'yes' });
    }
  }
  return value;
}

/** What a message calls the tool; made only where there is a message. */
function calledTool({ slot, serverName }: CallInput): string {
  return `tool ${quoteName(slot.rawName)} of MCP server "${serverName}"`;
}

function notAResult(input: CallInput, why: string): BridgeError {
  return new BridgeError('result-invalid', `${calledTool(input)}: the answer is no tool result, ${why}; the tool ran, but what it returned cannot be used`, { executed: 'yes' });
}

/** Refuses a tool that requires task execution (S39), and a call that was given up already. */
export function refuseCall(input: CallInput): void {
  if (input.slot.taskRequired) {
    throw new BridgeError('task-required', `${calledTool(input)} can only be called as a task, and this bridge does not run tasks; nothing was sent`, { executed: 'no' });
  }
  if (input.signal?.aborted === true) {
    throw new BridgeError('call-aborted', `${calledTool(input)}: the call was aborted before it was sent`, { executed: 'no' });
  }
}

/**
 * The caller's own object, or `{}` where there is none, since servers trip over a missing member (R45).
 * @throws {BridgeError} `arguments-invalid` for anything but an object
 */
export function prepareArguments(input: CallInput): JsonObject {
  const { args } = input;
  if (args === undefined || args === null) return {};
  if (isJsonObject(args)) return args;
  throw new BridgeError('arguments-invalid', `${calledTool(input)}: the arguments must be an object, not ${Array.isArray(args) ? 'a list' : `a ${typeof args}`}; nothing was sent`, { executed: 'no' });
}

/**
 * The canonical value: the parsed JSON that came, by reference. An absent `content` is an empty one, as the official
 * client has it; an absent `structuredContent` stays absent (S35).
 * @throws {BridgeError} `result-invalid` when `content` is no list
 */
export function canonicalValue(input: CallInput, result: JsonObject): CanonicalValue {
  const { content = [], structuredContent } = result;
  if (!Array.isArray(content)) throw notAResult(input, 'its "content" is no list');
  return structuredContent === undefined ? { content } : { content, structuredContent };
}

/** Whether the tool reported failure: only the boolean counts (S36). */
export function isToolError(result: JsonObject): boolean {
  return result['isError'] === true;
}

/**
 * Refuses a value so deep that whoever copies it or writes it down would fail, and nobody could tell why. Half of it is not
 * handed on as the whole (S35); its text is in the error, so that one deep block does not cost its siblings (B13).
 * @throws {BridgeError} `limit-exceeded`
 */
export function checkDepth(input: CallInput, value: CanonicalValue, projectError: CallStages['projectError']): void {
  const { maxResultDepth = 1_000, maxErrorChars } = input;
  const depth = jsonDepth(value);
  if (depth <= maxResultDepth) return;
  const text = projectError(value, maxErrorChars);
  throw new BridgeError(
    'limit-exceeded',
    `${calledTool(input)}: the tool ran, but its result nests ${depth} levels, more than the ${maxResultDepth} of maxResultDepth, and is not handed on${text === ERROR_WITHOUT_TEXT ? '' : `. Its text is:\n${text}`}`,
    { executed: 'yes' },
  );
}

/**
 * Judges structured content by the tool's declared `outputSchema` (S37). A schema that is not supported is ignored whole
 * and reported once; a result without structured content is delivered with a warning, or failed if the config says so.
 * @throws {BridgeError} `output-invalid`
 */
export function checkOutput(input: CallInput, value: CanonicalValue): void {
  const { slot, log } = input;
  if (slot.outputSchema === undefined) return;
  if (value.structuredContent === undefined) {
    reportMissing(input);
    return;
  }
  slot.validator ??= createOutputValidator(slot.outputSchema);
  const judgement = slot.validator(value.structuredContent);
  if (judgement.kind === 'invalid') {
    throw new BridgeError('output-invalid', `${calledTool(input)}: the tool ran, but its structured content contradicts its output schema: ${judgement.detail}`, { executed: 'yes' });
  }
  if (judgement.kind === 'unsupported') {
    log('warn', `${calledTool(input)}: its output schema is not supported and is ignored: ${judgement.detail}`);
    slot.validator = ACCEPT_ALL;
  }
}

const ACCEPT_ALL = (): { readonly kind: 'valid' } => ({ kind: 'valid' });

function reportMissing(input: CallInput): void {
  const { slot, log, missingStructuredContent } = input;
  const message = `${calledTool(input)}: the tool ran, but returned no structured content although it declares an output schema`;
  if (missingStructuredContent === 'fail') throw new BridgeError('output-invalid', message, { executed: 'yes' });
  if (slot.missingReported) return;
  slot.missingReported = true;
  log('warn', `${message}; it is delivered as it came, and this is said once`);
}
