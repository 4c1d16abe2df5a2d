/**
 * From the registry's outcome of a call to the suite's: by code, never by wording.
 */
import type { CallReply, ViewBlock } from 'mcp-bridge-conformance/adapter';
import { outcomeCodes, type ContentBlock, type ToolExecutionFailure, type ToolExecutionResult } from 'cordis-plugin-mcp-bridge/host';
import { BridgeError } from 'cordis-plugin-mcp-bridge/internal';
import type { CallBody } from './call-bodies.ts';

type Ending = Pick<CallReply, 'outcome' | 'executed'>;

/** Codes of the registry itself, which knows whether the body ran. */
const REGISTRY_ENDINGS: Readonly<Record<string, Ending>> = {
  [outcomeCodes.unknownTool]: { outcome: 'failed', executed: 'no' },
  [outcomeCodes.invalidArguments]: { outcome: 'failed', executed: 'no' },
  [outcomeCodes.denied]: { outcome: 'failed', executed: 'no' },
  [outcomeCodes.abortedBeforeDispatch]: { outcome: 'aborted', executed: 'no' },
  // The body had come to its end when the registry saw the abort.
  [outcomeCodes.aborted]: { outcome: 'aborted', executed: 'yes' },
  [outcomeCodes.blocked]: { outcome: 'failed', executed: 'yes' },
  [outcomeCodes.invalidOutput]: { outcome: 'failed', executed: 'yes' },
  [outcomeCodes.invalidContent]: { outcome: 'failed', executed: 'yes' },
};

/**
 * The reply to `call`.
 * @param body the bridge's own part; absent when it never began, and in calls of tools that are not the bridge's
 */
export function replyOf(result: ToolExecutionResult, body: CallBody | undefined): CallReply {
  const view = result.content.map(viewBlock);
  if (!result.isError) return { outcome: 'ok', executed: 'yes', value: result.value, view };
  return { ...endingOf(result.error, body), view, message: result.error.message };
}

function endingOf({ message, cause, info }: ToolExecutionFailure['error'], body: CallBody | undefined): Ending {
  const error = cause ?? body?.thrown;
  // A policy may have put an error of its own in place of the bridge's.
  if (error instanceof BridgeError && error.message === message) {
    const executed = error.executed ?? 'unknown';
    switch (error.code) {
      case 'tool-error': return { outcome: 'tool-error', executed };
      case 'call-aborted': return { outcome: 'aborted', executed };
      case 'call-timeout': return { outcome: 'timed-out', executed };
      default: return { outcome: 'failed', executed };
    }
  }
  return REGISTRY_ENDINGS[info?.code ?? ''] ?? { outcome: 'failed', executed: executedBy(body) };
}

function executedBy(body: CallBody | undefined): Ending['executed'] {
  if (body === undefined) return 'no';
  return body.returned ? 'yes' : (body.thrown?.executed ?? 'unknown');
}

function viewBlock(block: ContentBlock): ViewBlock {
  if (block.type === 'text') return { type: 'text', text: block.text };
  const { mediaType = '', sha256, attachmentId } = block.attachment;
  return { type: 'image', mediaType, sha256: sha256 ?? digestIn(attachmentId) };
}

/** The store of the DeepSeek Harness names an image by `sha256:` and its digest. */
function digestIn(attachmentId: unknown): string {
  return typeof attachmentId === 'string' && attachmentId.startsWith('sha256:') ? attachmentId.slice(7) : '';
}
