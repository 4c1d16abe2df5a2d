import { errorText } from '../../jsonrpc/message.ts';
import type { Refusal } from './checks.ts';
import type { Exchange } from './exchange.ts';

/** JSON-RPC: an error of the server's own, as most servers give it where HTTP refuses. */
const SERVER_ERROR = -32000;

/** Answers a request with a status of HTTP, and why in a JSON-RPC error; its id is that of the message, where it is told. */
export function refuse(exchange: Exchange, { status, message, code = SERVER_ERROR, headers = {} }: Refusal, id: unknown = null): void {
  exchange.respond(status, { 'content-type': 'application/json', ...headers }, errorText(id, code, message));
}
