/**
 * The driver protocol as JSON Schema: the parameters and the result of each method, each notification, and what a line is.
 */
import { DRIVER_METHODS, DRIVER_NOTIFICATIONS, rpcError } from '../adapter/driver-protocol.ts';
import { definitionOf } from './convert.ts';

const version = { const: '2.0' };
const id = { type: 'integer', minimum: 1 };

function ref(name: string): { readonly $ref: string } {
  // A pointer spells a slash as ~1.
  return { $ref: `#/$defs/${name.replaceAll('/', '~1')}` };
}

function strict(properties: Record<string, unknown>): Record<string, unknown> {
  return { type: 'object', properties, required: Object.keys(properties) };
}

/** The schema of one line, in either direction, with a definition for every message. */
export function driverSchema(): Record<string, unknown> {
  const methods = Object.entries(DRIVER_METHODS);
  const notifications = Object.entries(DRIVER_NOTIFICATIONS);
  return {
    title: 'MCP bridge driver protocol, version 1: one line',
    anyOf: [ref('request'), ref('reply'), ref('notification')],
    $defs: {
      request: {
        description: 'From the suite, on the stdin of the driver.',
        anyOf: methods.map(([method]) => strict({ jsonrpc: version, id, method: { const: method }, params: ref(`${method}.params`) })),
      },
      reply: {
        description: 'From the driver, on its stdout: the result of the request with this id (see <method>.result), or an error. The error -32601 means that the driver has no such method.',
        oneOf: [
          strict({ jsonrpc: version, id, result: { anyOf: methods.map(([method]) => ref(`${method}.result`)) } }),
          strict({ jsonrpc: version, id, error: definitionOf(rpcError) }),
        ],
      },
      notification: {
        description: 'From the driver, on its stdout, by itself.',
        anyOf: notifications.map(([method]) => strict({ jsonrpc: version, method: { const: method }, params: ref(`${method}.notification`) })),
      },
      ...Object.fromEntries(methods.flatMap(([method, { about, params, result }]) => [
        [`${method}.params`, { description: about, ...definitionOf(params) }],
        [`${method}.result`, definitionOf(result)],
      ])),
      ...Object.fromEntries(notifications.map(([method, schema]) => [`${method}.notification`, definitionOf(schema)])),
    },
  };
}
