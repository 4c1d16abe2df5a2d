/**
 * What a bridge offers and returns is JSON, and a value nested beyond the stack cannot be written as such: not in a request of
 * a model, nor in the reply of a driver or in a saved history. Here words take its place, which a judge can tell and anybody
 * can write.
 */
import type { CallReply, OfferedTool, SubjectNotification, ToolsReply } from './messages.ts';

/** How the words begin that stand for a value nobody can write down. */
export const UNWRITABLE = 'this value nests too deep to be written as JSON';

/** Whether a value can be written as JSON, and is not the words for one that cannot. */
export function isWritable(value: unknown): boolean {
  return !isTooDeep(value) && value !== UNWRITABLE;
}

/** The same reply with tools that can all be written; each is looked at only where the whole cannot. */
export function writableTools(reply: ToolsReply): ToolsReply {
  return isTooDeep(reply) ? { ...reply, tools: reply.tools.map(writableTool) } : reply;
}

/** The same of a notification. */
export function writableNotification(told: SubjectNotification): SubjectNotification {
  return isTooDeep(told) && told.type === 'registry' ? { ...told, tools: told.tools.map(writableTool) } : told;
}

/** The same of the value of a call. */
export function writableReply(reply: CallReply): CallReply {
  return isTooDeep(reply) ? { ...reply, value: UNWRITABLE } : reply;
}

function writableTool(tool: OfferedTool): OfferedTool {
  return isTooDeep(tool) ? { ...tool, parameters: UNWRITABLE } : tool;
}

/** Whatever else cannot be written is an error of the adapter, and told as such. */
function isTooDeep(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return false;
  } catch (error) {
    return error instanceof RangeError;
  }
}
