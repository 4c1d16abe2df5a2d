/**
 * Judges a drained list: which entries are tools, and whether the list as a whole may become a generation (S18, S26, S29).
 * @module
 */
import { BridgeError } from './errors.ts';
import type { JsonObject } from './host-services.ts';
import { isJsonObject } from './json-shape.ts';
import type { ToolIdentity } from './server-directory.ts';

/** A listed tool with its two names. */
export interface NamedTool {
  readonly rawName: string;
  readonly publicName: string;
  /** The listed object itself, never a copy. */
  readonly raw: JsonObject;
}

/** A list that may become a generation, and what was left out of it. */
export interface CheckedList {
  readonly tools: readonly NamedTool[];
  /** One line an entry that is no tool; to be logged, since no tool is skipped in silence (S29). */
  readonly skipped: readonly string[];
}

/** What judging a list needs to know. */
export interface CheckListInput {
  readonly serverName: string;
  readonly listed: readonly unknown[];
  readonly publicToolName: (serverName: string, rawName: string) => string;
  /** Public names that stand for identities of live instances (S18). */
  readonly claims: ReadonlyMap<string, ToolIdentity>;
}

/**
 * Names every tool and refuses a list that is void.
 *
 * An entry without a text `name` is no tool: it costs only itself (B13).
 * @throws {BridgeError} `list-invalid`: a name twice (S26), or two identities with one public name (S18)
 */
export function checkList(input: CheckListInput): CheckedList {
  const { serverName, claims } = input;
  const tools: NamedTool[] = [];
  const skipped: string[] = [];
  const rawByPublic = new Map<string, string>();
  for (const [index, raw] of input.listed.entries()) {
    if (!isJsonObject(raw) || typeof raw['name'] !== 'string') {
      skipped.push(`entry ${index} of the tool list ${isJsonObject(raw) ? 'has no text "name"' : 'is no object'} and is left out`);
      continue;
    }
    const rawName = raw['name'];
    const publicName = input.publicToolName(serverName, rawName);
    const sibling = rawByPublic.get(publicName);
    if (sibling === rawName) throw listedTwice(serverName, rawName);
    if (sibling !== undefined) throw sameNameTwice(publicName, { serverName, rawName: sibling }, { serverName, rawName });
    const claimed = claims.get(publicName);
    if (claimed !== undefined && claimed.serverName !== serverName) throw sameNameTwice(publicName, claimed, { serverName, rawName });
    rawByPublic.set(publicName, rawName);
    tools.push({ rawName, publicName, raw });
  }
  return { tools, skipped };
}

function listedTwice(serverName: string, rawName: string): BridgeError {
  return new BridgeError('list-invalid', `MCP server "${serverName}" lists the tool ${quoteName(rawName)} twice; the whole list is void until the server lists it once`);
}

function sameNameTwice(publicName: string, first: ToolIdentity, second: ToolIdentity): BridgeError {
  const remedy =
    first.serverName === second.serverName
      ? 'rename one of the two tools at the server'
      : `change the serverName of "${first.serverName}" or of "${second.serverName}" in the config`;
  return new BridgeError(
    'list-invalid',
    `the public name "${publicName}" would stand for two tools: ${quoteName(first.rawName)} of server "${first.serverName}" and ${quoteName(second.rawName)} of server "${second.serverName}"; ${remedy}`,
  );
}

/** Longest quotation of a listed name, in characters. */
const QUOTED_NAME_MAX_CHARS = 120;

/** A listed name as a message quotes it: bounded, and with every odd character escaped. */
export function quoteName(rawName: string): string {
  const cut = rawName.length > QUOTED_NAME_MAX_CHARS ? `${rawName.slice(0, QUOTED_NAME_MAX_CHARS)}…` : rawName;
  return JSON.stringify(cut);
}
