/** Reads the answer to `initialize` without letting an odd part of it cost the connection (B13, B22, S23). */
import { LATEST_PROTOCOL_VERSION, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import { BridgeError } from '../errors.ts';
import { isObject } from './narrow.ts';

/** What a server says about itself. Nothing of it plays a part in a name (S23). */
export interface ServerDescription {
  /** The protocol revision of this connection. */
  readonly protocolVersion: string;
  /** `serverInfo.name`, empty when it is no text. */
  readonly name: string;
  /** `serverInfo.version`, empty when it is no text. */
  readonly version: string;
  /** As sent; empty when it is no object. */
  readonly capabilities: Readonly<Record<string, unknown>>;
}

/**
 * The server's description from the raw result of `initialize`.
 * @throws BridgeError `protocol-unsupported` (B22), or `connect-failed` when the answer is no result of `initialize`.
 */
export function readInitializeResult(result: unknown): ServerDescription {
  if (!isObject(result) || typeof result['protocolVersion'] !== 'string') {
    throw new BridgeError('connect-failed', 'the answer to initialize has no protocolVersion; it is no MCP server');
  }
  const { protocolVersion, serverInfo, capabilities } = result;
  if (!SUPPORTED_PROTOCOL_VERSIONS.includes(protocolVersion)) {
    // The mark tells a redactor that text was cut here.
    const shown = JSON.stringify(protocolVersion.length > 40 ? `${protocolVersion.slice(0, 40)}…` : protocolVersion);
    const known = SUPPORTED_PROTOCOL_VERSIONS.join(', ');
    throw new BridgeError(
      'protocol-unsupported',
      `the server answered with protocol revision ${shown}; asked for was ${LATEST_PROTOCOL_VERSION}, known are ${known}: use a version of the server that speaks one of these`,
    );
  }
  const info = isObject(serverInfo) ? serverInfo : {};
  return {
    protocolVersion,
    name: typeof info['name'] === 'string' ? info['name'] : '',
    version: typeof info['version'] === 'string' ? info['version'] : '',
    capabilities: isObject(capabilities) ? capabilities : {},
  };
}

/** The same in the form the protocol library takes; capabilities are left out, the bridge asks for tools only (S13). */
export function libraryInitializeResult(server: ServerDescription): Record<string, unknown> {
  const { protocolVersion, name, version } = server;
  return { protocolVersion, capabilities: {}, serverInfo: { name, version } };
}

/** Whether a server's capabilities say that it tells of list changes (S27). */
export function announcesListChanges(capabilities: ServerDescription['capabilities']): boolean {
  const tools = capabilities['tools'];
  return isObject(tools) && tools['listChanged'] === true;
}
