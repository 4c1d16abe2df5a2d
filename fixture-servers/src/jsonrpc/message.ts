/** JSON-RPC 2.0 messages as text and value. No schema: what a client sends is looked at, never trusted, never refused whole. */

/** JSON-RPC: the text is no JSON. */
export const PARSE_ERROR = -32700;
/** JSON-RPC: the JSON is no request. */
export const INVALID_REQUEST = -32600;
/** JSON-RPC: no such method. */
export const METHOD_NOT_FOUND = -32601;
/** JSON-RPC: the params do not fit, in MCP also an unknown tool or cursor. */
export const INVALID_PARAMS = -32602;
/** JSON-RPC: the server failed. */
export const INTERNAL_ERROR = -32603;

/** A JSON object of unknown members. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** What a line held. */
export type Parsed = { readonly ok: true; readonly value: unknown } | { readonly ok: false };

/** Parses one line; a byte order mark before it is tolerated. Never throws. */
export function parseMessage(text: string): Parsed {
  try {
    return { ok: true, value: JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text) };
  } catch {
    return { ok: false };
  }
}

/** Whether the value is an object in the sense of JSON. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An own member, so that `__proto__` and `constructor` are names like any other (B15). */
export function member(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** A result as text. `resultText` is JSON already: large lists are serialised once and sent many times. */
export function resultText(id: unknown, resultJson: string): string {
  return `{"jsonrpc":"2.0","id":${jsonText(id)},"result":${resultJson}}`;
}

/** An error as text. */
export function errorText(id: unknown, code: number, message: string, data?: unknown): string {
  return `{"jsonrpc":"2.0","id":${jsonText(id)},"error":${JSON.stringify({ code, message, data })}}`;
}

/** A notification as text. */
export function notificationText(method: string, params?: JsonObject): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params });
}

/** A request from the server as text. */
export function requestText(id: unknown, method: string, params?: JsonObject): string {
  return `{"jsonrpc":"2.0","id":${jsonText(id)},"method":${JSON.stringify(method)}${
    params === undefined ? '' : `,"params":${JSON.stringify(params)}`
  }}`;
}

/** JSON text of a value; `undefined` becomes `null`, so that the frame around it stays JSON. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value) ?? 'null';
}
