/**
 * From the registry's outcome of a call to the suite's: by code, never by wording.
 */
import type { CallReply, ViewBlock } from 'mcp-bridge-conformance/adapter';
import { outcomeCodes, type ContentBlock, type ToolExecutionFailure, type ToolExecutionResult } from 'cordis-plugin-mcp-bridge/host';
import { BridgeError } from 'cordis-plugin-mcp-bridge/internal';

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

/** The reply to `call`. */
export function replyOf(result: ToolExecutionResult): CallReply {
  const view = result.content.map(viewBlock);
  if (!result.isError) return { outcome: 'ok', executed: 'yes', value: result.value, view };
  return { ...endingOf(result.error), view, message: result.error.message };
}

function endingOf({ cause, info }: ToolExecutionFailure['error']): Ending {
  if (cause instanceof BridgeError) {
    const executed = cause.executed ?? 'unknown';
    switch (cause.code) {
      case 'tool-error': return { outcome: 'tool-error', executed };
      case 'call-aborted': return { outcome: 'aborted', executed };
      case 'call-timeout': return { outcome: 'timed-out', executed };
      default: return { outcome: 'failed', executed };
    }
  }
  return REGISTRY_ENDINGS[info?.code ?? ''] ?? { outcome: 'failed', executed: 'unknown' };
}

function viewBlock(block: ContentBlock): ViewBlock {
  if (block.type === 'text') return { type: 'text', text: block.text };
  return { type: 'image', mediaType: block.attachment.mediaType ?? '', sha256: block.attachment.sha256 ?? '' };
}
