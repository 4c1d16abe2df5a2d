/** What the schema cannot say: things that are well formed and cannot work. */
import { needsRequest } from '../engine/targets.ts';
import { senseOfHeaders } from './headers.ts';
import type { Explained } from './explain.ts';
import { MAX_GENERATED_TOOLS, MAX_LIST_BYTES } from './limits.ts';
import type { Action, Rule, Scenario, ToolEntry } from './schema.ts';

const ANSWERS = ['reply', 'error', 'oversize'] as const;

/** Everything in a scenario that cannot work, with its place. */
export function sense(scenario: Scenario): Explained[] {
  const lists = Object.keys(scenario.toolLists ?? {});
  return [
    ...tooMany(scenario.tools, ['tools']),
    ...Object.entries(scenario.toolLists ?? {}).flatMap(([name, entries]) => tooMany(entries, ['toolLists', name])),
    ...duplicateRules(scenario.rules),
    ...scenario.rules.flatMap((rule, index) => senseOfRule(rule, ['rules', index], lists, scenario)),
    ...originsTwice(scenario),
  ];
}

function senseOfRule(rule: Rule, path: Explained['path'], lists: readonly string[], scenario: Scenario): Explained[] {
  const found: Explained[] = [];
  if (rule.when.spawn === true && rule.when.incarnation !== undefined && scenario.countFrom !== 'spawn') {
    found.push({
      path: [...path, 'when', 'incarnation'],
      message: 'a process has no incarnation yet when it spawns; add `countFrom: spawn` to the scenario',
    });
  }
  const origins = ['self', ...(scenario.http?.origins ?? [])];
  if (rule.when.origin !== undefined) found.push(...unknownOrigin(rule.when.origin, origins, [...path, 'when', 'origin']));
  for (const [index, action] of rule.do.entries()) {
    const at = [...path, 'do', index];
    found.push(...senseOfAction(action, at, lists), ...senseOfHeaders(action, at));
    if ('redirect' in action) found.push(...unknownOrigin(action.redirect.to, origins, [...at, 'redirect', 'to']));
    if (rule.when.method === undefined) found.push(...answersNobody(action, at, rule));
  }
  return found;
}

function senseOfAction(action: Action, path: Explained['path'], lists: readonly string[]): Explained[] {
  if ('raw' in action && (action.raw.text === undefined) === (action.raw.base64 === undefined)) {
    return [{ path: [...path, 'raw'], message: 'give exactly one of `text` and `base64`' }];
  }
  if (!('setTools' in action)) return [];
  const change = action.setTools;
  if ('tools' in change) return tooMany(change.tools, [...path, 'setTools', 'tools']);
  if (lists.includes(change.list)) return [];
  const known = lists.map((name) => `\`${name}\``).join(', ') || 'none';
  return [{ path: [...path, 'setTools', 'list'], message: `no list \`${change.list}\` in \`toolLists\`; there: ${known}` }];
}

function unknownOrigin(name: string, known: readonly string[], path: Explained['path']): Explained[] {
  if (known.includes(name)) return [];
  return [{ path, message: `no origin \`${name}\` in \`http.origins\`; there: ${known.map((each) => `\`${each}\``).join(', ')}` }];
}

function originsTwice(scenario: Scenario): Explained[] {
  const names = ['self', ...(scenario.http?.origins ?? [])];
  return names.flatMap((name, index) =>
    names.indexOf(name) === index ? [] : [{ path: ['http', 'origins', index - 1], message: `the origin \`${name}\` is there already; name each once` }]);
}

/** An answer needs a request. */
function answersNobody(action: Action, path: Explained['path'], rule: Rule): Explained[] {
  const key = Object.keys(action)[0] ?? '';
  const isAboutRequest = rule.when.http !== undefined || rule.when.inputEnd === true;
  if (needsRequest(action)) {
    return isAboutRequest ? [] : [{ path, key, message: `\`${key}\` is about a request, and this rule has none; use \`when: { method: … }\` or \`when: { http: … }\`` }];
  }
  const message = `\`${key}\` answers a request, and this rule has none; use \`when: { method: … }\` or give an \`id\``;
  if ('default' in action) return isAboutRequest ? [] : [{ path, key, message }];
  const body: unknown = ANSWERS.some((name) => name === key) ? Reflect.get(action, key) : undefined;
  return typeof body === 'object' && body !== null && !Object.hasOwn(body, 'id') ? [{ path, key, message }] : [];
}

/** What one level of a generated schema comes to. */
const LEVEL_BYTES = 6;

function tooMany(entries: readonly ToolEntry[], path: Explained['path']): Explained[] {
  let total = 0;
  let bytes = 0;
  for (const [index, entry] of entries.entries()) {
    if ('generate' in entry && entry.generate.levels !== undefined && 'inputSchema' in entry.generate) {
      return [{ path: [...path, index, 'generate', 'levels'], message: 'give either `levels` or `inputSchema`' }];
    }
    const count = 'generate' in entry ? entry.generate.count : 1;
    total += count;
    bytes += count * ('generate' in entry ? sizeOf(entry.generate) + LEVEL_BYTES * (entry.generate.levels ?? 0) : sizeOf(entry));
  }
  if (total > MAX_GENERATED_TOOLS) return [{ path, message: `lists ${total} tools; at most ${MAX_GENERATED_TOOLS} are served` }];
  if (bytes <= MAX_LIST_BYTES) return [];
  return [{ path, message: `comes to some ${bytes} bytes of JSON; at most ${MAX_LIST_BYTES} are served` }];
}

/** Its JSON's length; a value that cannot be written (nested too deeply, made by a program) is past every bound. */
function sizeOf(value: unknown): number {
  try {
    return JSON.stringify(value)?.length ?? 0;
  } catch {
    return Number.MAX_SAFE_INTEGER;
  }
}

function duplicateRules(rules: readonly Rule[]): Explained[] {
  const seen = new Map<string, number>();
  return rules.flatMap((rule, index) => {
    if (rule.id === undefined) return [];
    const first = seen.get(rule.id);
    seen.set(rule.id, first ?? index);
    if (first === undefined) return [];
    return [{ path: ['rules', index, 'id'], message: `rule ${first} is called \`${rule.id}\` already; the trace could not tell them apart` }];
  });
}
