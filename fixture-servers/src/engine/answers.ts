/** What the server answers when no rule does: MCP as it should be, so that a fault stands out. */
import {
  errorText, INVALID_PARAMS, isJsonObject, jsonText, member, METHOD_NOT_FOUND, resultText,
} from '../jsonrpc/message.ts';
import type { EngineState, Origin } from './state.ts';

/** The revision answered to a client that names none. */
const FALLBACK_PROTOCOL_VERSION = '2025-11-25';
const DEFAULT_SERVER_INFO = { name: 'mcp-fixture-server', version: '1' };
const DEFAULT_CAPABILITIES = { tools: { listChanged: true } };

/** The normal answer to a request, as text. `id` may be another than the request's, on purpose. */
export function defaultAnswer(state: EngineState, origin: Origin, id: unknown): string {
  switch (origin.method) {
    case 'tools/call':
      return callTool(state, origin.params, id);
    case 'tools/list':
      return listTools(state, origin.params, id);
    case 'ping':
      return resultText(id, '{}');
    case 'initialize':
      return resultText(id, initialize(state, origin.params));
    default:
      return errorText(id, METHOD_NOT_FOUND, `Method not found: ${origin.method.slice(0, 200)}`);
  }
}

function initialize(state: EngineState, params: unknown): string {
  const { scenario } = state.program;
  const asked = isJsonObject(params) ? member(params, 'protocolVersion') : undefined;
  const mirrored = typeof asked === 'string' ? asked : FALLBACK_PROTOCOL_VERSION;
  return jsonText({
    protocolVersion: scenario.protocolVersion === 'mirror' ? mirrored : scenario.protocolVersion,
    capabilities: scenario.capabilities ?? DEFAULT_CAPABILITIES,
    serverInfo: scenario.serverInfo ?? DEFAULT_SERVER_INFO,
    instructions: scenario.instructions,
  });
}

function listTools(state: EngineState, params: unknown, id: unknown): string {
  const { pagination } = state.program.scenario;
  const cursor = isJsonObject(params) ? member(params, 'cursor') : undefined;
  const from = cursor === undefined ? 0 : offsetOf(state, cursor);
  if (from === undefined) return errorText(id, INVALID_PARAMS, 'Invalid cursor');
  if (pagination === undefined) return resultText(id, `{"tools":[${state.tools.page(0, state.tools.size)}]}`);
  const next = from + pagination.pageSize;
  state.listPosition = next;
  const page = state.tools.page(from, pagination.pageSize);
  if (next >= state.tools.size) return resultText(id, `{"tools":[${page}]}`);
  return resultText(id, `{"tools":[${page}],"nextCursor":${jsonText(cursorAt(pagination, next))}}`);
}

interface Pagination {
  readonly pageSize: number;
  readonly cursor: string;
  readonly base64?: boolean | undefined;
}

function cursorAt(pagination: Pagination, offset: number): string {
  const text = pagination.cursor.replaceAll('{n}', String(offset));
  return pagination.base64 === true ? Buffer.from(text).toString('base64') : text;
}

/** The offset a cursor stands for; `undefined` when this server never gave it out. */
function offsetOf(state: EngineState, cursor: unknown): number | undefined {
  const { pagination } = state.program.scenario;
  if (pagination === undefined || typeof cursor !== 'string') return undefined;
  const isPageStart = (offset: number): boolean =>
    offset > 0 && offset < state.tools.size && offset % pagination.pageSize === 0;
  if (!pagination.cursor.includes('{n}')) {
    const offset = state.listPosition;
    return cursor === cursorAt(pagination, offset) && isPageStart(offset) ? offset : undefined;
  }
  const text = pagination.base64 === true ? Buffer.from(cursor, 'base64').toString('utf8') : cursor;
  const before = pagination.cursor.indexOf('{n}');
  const digits = /^\d{1,9}/.exec(text.slice(before))?.[0];
  if (digits === undefined) return undefined;
  const offset = Number(digits);
  return cursorAt(pagination, offset) === cursor && isPageStart(offset) ? offset : undefined;
}

function callTool(state: EngineState, params: unknown, id: unknown): string {
  const name = isJsonObject(params) ? member(params, 'name') : undefined;
  const answer = typeof name === 'string' ? state.tools.find(name) : undefined;
  if (answer === undefined) {
    const shown = typeof name === 'string' ? name.slice(0, 200) : 'params.name is no string';
    return errorText(id, INVALID_PARAMS, `Unknown tool: ${shown}`);
  }
  if (answer.kind === 'error') return errorText(id, answer.code, answer.message, answer.data);
  if (answer.kind === 'result') return resultText(id, answer.json);
  try {
    const text = jsonText({ tool: name, arguments: isJsonObject(params) ? member(params, 'arguments') : undefined });
    return resultText(id, `{"content":[{"type":"text","text":${jsonText(text)}}]}`);
  } catch {
    // JSON can be parsed deeper than it can be written.
    return errorText(id, INVALID_PARAMS, 'The arguments nest too deeply');
  }
}
