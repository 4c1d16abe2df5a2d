/**
 * Text to value, with the place of everything in it. YAML 1.2 with its core schema, of which JSON is a part. A
 * stranger's file is safe to read: no aliases (which can blow up), no tags, no duplicate keys, bounded size and depth.
 */
import {
  isAlias, isMap, isScalar, isSeq, Lexer, LineCounter, parseDocument, type Document, type Node, type Pair, type YAMLError,
} from 'yaml';
import { failWith, type Locate } from './check.ts';
import type { Explained } from './explain.ts';
import type { ScenarioErrorCode } from './error.ts';
import { MAX_FILE_BYTES, MAX_FILE_DEPTH } from './limits.ts';

/** A document that was read. */
export interface ReadDocument {
  /** Its value: JSON, with `__proto__` an own member like any other. */
  readonly value: unknown;
  /** Where a place of the document is in the text. */
  readonly locate: Locate;
}

type Place = { line: number; column: number };

/** Reads YAML or JSON. `file` names it in errors. @throws ScenarioError `syntax`, `too-large`, `invalid` */
export function readDocument(text: string, file: string): ReadDocument {
  const fail = (code: ScenarioErrorCode, message: string, at?: Place): void =>
    failWith(file, code, [{ path: [], message }], () => at);
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_FILE_BYTES) {
    fail('too-large', `the file has ${bytes} bytes; at most ${MAX_FILE_BYTES} are read. Use \`generate\` or \`oversize\` for bulk.`);
  }
  const lines = new LineCounter();
  const tooDeepAt = flowDepthPasses(text, MAX_FILE_DEPTH);
  if (tooDeepAt !== undefined) fail('too-large', tooDeep(), placeIn(text, tooDeepAt));
  const document = parseDocument(text, { lineCounter: lines, version: '1.2', schema: 'core', prettyErrors: false, stringKeys: true });
  const position = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const troubles: YAMLError[] = [...document.errors, ...document.warnings];
  const trouble = troubles[0];
  if (trouble !== undefined) fail('syntax', syntaxMessage(trouble), position(trouble.pos[0]));
  if (document.contents === null) fail('syntax', 'the file is empty; a scenario begins with `scenario: 1`, a case with `case: 1`', { line: 1, column: 1 });
  const problem = firstProblem(document);
  if (problem !== undefined) fail(problem.code, problem.message, position(problem.offset));
  const value: unknown = document.toJS({ maxAliasCount: 0 });
  return { value, locate: (issue) => place(document, issue, position) };
}

function tooDeep(): string {
  return `nests deeper than ${MAX_FILE_DEPTH} levels; make it flatter`;
}

/** What the lexer puts between the pieces of the text: signs of its own, which are not in it. */
const LEXER_SIGNS: ReadonlySet<string> = new Set(['\u0002', '\u0018', '\u001f']);

/** Brackets are counted on the tokens, before the parser recurses into them. Returns the offset of the first too deep. */
function flowDepthPasses(text: string, limit: number): number | undefined {
  let depth = 0;
  let offset = 0;
  for (const token of new Lexer().lex(text)) {
    if (token === '[' || token === '{') depth += 1;
    else if (token === ']' || token === '}') depth -= 1;
    if (depth > limit) return offset;
    if (!LEXER_SIGNS.has(token)) offset += token.length;
  }
  return undefined;
}

/** Line and column of an offset, before there is a document. */
function placeIn(text: string, offset: number): Place {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}

function syntaxMessage(error: YAMLError): string {
  const message = error.message.split('\n')[0] ?? '';
  switch (error.code) {
    case 'DUPLICATE_KEY':
      return 'the same key stands twice in one mapping; keep one of them';
    case 'TAG_RESOLVE_FAILED':
      return `tags are not taken: ${message}; write the value plainly`;
    case 'MULTIPLE_DOCS':
      return 'holds more than one document; one file is one scenario or case';
    case 'TAB_AS_INDENT':
      return 'a tab cannot indent YAML; use spaces';
    case 'NON_STRING_KEY':
      return 'a key must be text; put it in quotes';
    default:
      return `${message}; ${SYNTAX_FIXES[error.code] ?? 'put text with special characters in quotes'}`;
  }
}

/** What to do about the troubles that the parser names in its own words. */
const SYNTAX_FIXES: Readonly<Record<string, string>> = {
  BAD_DQ_ESCAPE: 'write a backslash twice, or use single quotes',
  BAD_INDENT: 'indent the entries of one mapping or list alike',
  BAD_PROP_ORDER: 'indent the entries of one mapping or list alike',
  BLOCK_AS_IMPLICIT_KEY: 'one `key: value` a line; put a value with `: ` in quotes',
  BLOCK_IN_FLOW: 'within brackets, write lists and mappings with brackets too',
  MISSING_CHAR: 'add what is missing, or put text with special characters in quotes',
  MULTILINE_IMPLICIT_KEY: 'a key stands on one line, with `: ` after it',
  UNEXPECTED_TOKEN: 'indent the entries of one list alike, each with `- `',
};

interface Problem {
  readonly code: ScenarioErrorCode;
  readonly message: string;
  readonly offset: number;
}

/** What YAML allows and JSON has not, and what passes the depth: iterative, so that depth cannot hurt. */
function firstProblem(document: Document): Problem | undefined {
  const open: { node: unknown; depth: number }[] = [{ node: document.contents, depth: 0 }];
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    const { node, depth } = entry;
    const offset = offsetOf(node);
    if (depth > MAX_FILE_DEPTH) return { code: 'too-large', message: tooDeep(), offset };
    if (isAlias(node)) return { code: 'syntax', message: `aliases (\`*${node.source}\`) are not taken; write the value out`, offset };
    const tag: unknown = typeof node === 'object' && node !== null ? Reflect.get(node, 'tag') : undefined;
    if (typeof tag === 'string') return { code: 'syntax', message: `tags are not taken: ${tag}; write the value plainly`, offset };
    if (isScalar(node)) {
      const message = scalarProblem(node.value, node.source);
      if (message !== undefined) return { code: 'invalid', message, offset };
    } else if (isSeq(node)) {
      // Pushed from the last, so that the first in the text is looked at first.
      for (const item of node.items.toReversed()) open.push({ node: item, depth: depth + 1 });
    } else if (isMap(node)) {
      for (const pair of node.items.toReversed()) open.push({ node: pair.value, depth: depth + 1 }, { node: pair.key, depth: depth + 1 });
    }
  }
  return undefined;
}

function scalarProblem(value: unknown, source: string | undefined): string | undefined {
  if (typeof value !== 'number') return undefined;
  if (!Number.isFinite(value)) return `${source ?? String(value)} is no JSON number; put it in quotes if text is meant`;
  const isExact = source === undefined || !/^[-+]?\d+$/.test(source) || BigInt(source.replace('+', '')) === BigInt(value);
  return isExact ? undefined : `${source} cannot be held exactly and would become ${value}; write it into a \`raw\` action, or in quotes`;
}

function offsetOf(node: unknown): number {
  const range: unknown = typeof node === 'object' && node !== null ? Reflect.get(node, 'range') : undefined;
  const start: unknown = Array.isArray(range) ? range[0] : undefined;
  return typeof start === 'number' ? start : 0;
}

/** The place of an issue: the key it is about, else its value, else the nearest thing around it that exists. */
function place(document: Document, issue: Explained, position: (offset: number) => Place): Place {
  let node: unknown = document.contents;
  let offset = offsetOf(node);
  for (const part of issue.path) {
    const next = isSeq(node) && typeof part === 'number' ? node.items[part] : findPair(node, String(part))?.value;
    if (next === undefined || next === null) break;
    node = next;
    offset = offsetOf(node);
  }
  const key = issue.key === undefined ? undefined : findPair(node, issue.key)?.key;
  return position(key === undefined ? offset : offsetOf(key));
}

function findPair(node: unknown, key: string): Pair | undefined {
  if (!isMap<Node, Node>(node)) return undefined;
  return node.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === key);
}
