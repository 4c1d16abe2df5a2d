// Refuses imports that cross a room the wrong way, bypass a package's exports map, or form a cycle (DESIGN.md §3).
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';

/** Which workspace packages each room may import. A room not named here is an error, so that none escapes the rules. */
export const ROOMS = [
  { room: 'fixture-servers/src', folder: 'fixture-servers/src', may: [] },
  { room: 'fixture-servers/tests', folder: 'fixture-servers', may: ['mcp-fixture-server'] },
  { room: 'bridge/src', folder: 'bridge/src', may: [] },
  { room: 'bridge/tests', folder: 'bridge', may: ['cordis-plugin-mcp-bridge', 'mcp-fixture-server'] },
  { room: 'bridge/examples', folder: 'bridge/examples', may: ['cordis-plugin-mcp-bridge'] },
  { room: 'conformance/src', folder: 'conformance/src', may: ['mcp-fixture-server'] },
  {
    room: 'conformance/subjects',
    folder: 'conformance/subjects',
    may: ['mcp-bridge-conformance', 'cordis-plugin-mcp-bridge', 'mcp-fixture-server'],
  },
  {
    room: 'conformance/tests',
    folder: 'conformance',
    may: ['mcp-bridge-conformance', 'cordis-plugin-mcp-bridge', 'mcp-fixture-server'],
  },
  { room: 'scripts', folder: '.', may: ['mcp-bridge-conformance', 'cordis-plugin-mcp-bridge', 'mcp-fixture-server'] },
];

const PACKAGES = ['mcp-bridge-conformance', 'cordis-plugin-mcp-bridge', 'mcp-fixture-server'];
/** Hosts that the bridge must not need at run time: its context is handed to it (S10). */
const HOSTS = ['cordis', 'cordis4', '@cordisjs/', '@deepseek-ai/'];
const SOURCE = /\.(?:ts|mts|js|mjs)$/;
const PASSED_OVER = new Set(['node_modules', 'dist', 'coverage', 'reports']);

/**
 * @typedef {{ specifier: string, typeOnly: boolean, line: number }} Import
 * @typedef {{ file: string, line: number, message: string }} Finding
 */

/**
 * Every module specifier of one file: static, re-exported and dynamic with a literal.
 * @param {string} file
 * @param {string} text
 * @returns {Import[]}
 */
export function importsOf(file, text) {
  const { module } = parseSync(file, text);
  /** @type {(offset: number) => number} */
  const lineOf = (offset) => text.slice(0, offset).split('\n').length;
  /** @type {Import[]} */
  const found = [];
  for (const item of module.staticImports) {
    const typeOnly = item.entries.length > 0 && item.entries.every((entry) => entry.isType);
    found.push({ specifier: item.moduleRequest.value, typeOnly, line: lineOf(item.start) });
  }
  for (const item of module.staticExports) {
    const request = item.entries.find((entry) => entry.moduleRequest)?.moduleRequest;
    if (!request) continue;
    found.push({ specifier: request.value, typeOnly: item.entries.every((entry) => entry.isType), line: lineOf(item.start) });
  }
  for (const item of module.dynamicImports) {
    const literal = /^['"]([^'"]+)['"]$/.exec(text.slice(item.moduleRequest.start, item.moduleRequest.end));
    if (literal?.[1]) found.push({ specifier: literal[1], typeOnly: false, line: lineOf(item.start) });
  }
  return found;
}

/**
 * What is wrong with one import, or nothing.
 * @param {string} file relative to the root, with forward slashes
 * @param {Import} item
 * @returns {string | undefined}
 */
export function judgeImport(file, { specifier, typeOnly }) {
  const room = ROOMS.find((candidate) => file.startsWith(`${candidate.room}/`));
  if (!room) return `is in no room that scripts/check-imports.mjs knows; add it to ROOMS`;
  if (specifier.startsWith('.')) {
    const target = path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier));
    const inside = room.folder === '.' ? !target.startsWith('..') : target.startsWith(`${room.folder}/`);
    const own = room.folder === '.' ? target.startsWith('scripts/') : inside;
    if (!own) return `imports ${specifier}, which leaves ${room.folder}; go through the package's exports map`;
    return undefined;
  }
  const owner = PACKAGES.find((name) => specifier === name || specifier.startsWith(`${name}/`));
  if (owner && !room.may.includes(owner)) {
    return `imports ${specifier}; ${room.room} may import ${room.may.length ? room.may.join(', ') : 'no other room'}`;
  }
  if (file.startsWith('bridge/src/') && !typeOnly && HOSTS.some((host) => specifier === host || (host.endsWith('/') && specifier.startsWith(host)))) {
    return `imports ${specifier} at run time; the bridge is handed its context and imports no host (S10)`;
  }
  return undefined;
}

/**
 * Cycles among relative imports that exist at run time.
 * @param {Map<string, string[]>} graph
 * @returns {string[][]}
 */
export function cyclesOf(graph) {
  /** @type {string[][]} */
  const cycles = [];
  const done = new Set();
  /** @type {string[]} */
  const trail = [];
  /** @param {string} file */
  const visit = (file) => {
    const start = trail.indexOf(file);
    if (start >= 0) {
      cycles.push([...trail.slice(start), file]);
      return;
    }
    if (done.has(file)) return;
    trail.push(file);
    for (const next of graph.get(file) ?? []) visit(next);
    trail.pop();
    done.add(file);
  };
  for (const file of graph.keys()) visit(file);
  return cycles;
}

/**
 * All findings of a tree.
 * @param {string} root
 * @returns {{ findings: Finding[], files: number }}
 */
export function checkTree(root) {
  /** @type {Finding[]} */
  const findings = [];
  /** @type {Map<string, string[]>} */
  const graph = new Map();
  const files = ['fixture-servers', 'bridge', 'conformance', 'scripts'].flatMap((top) => list(root, top));
  for (const file of files) {
    const imports = importsOf(file, readFileSync(path.join(root, file), 'utf8'));
    const bin = file.includes('/bin/');
    for (const item of imports) {
      const message = bin ? undefined : judgeImport(file, item);
      if (message) findings.push({ file, line: item.line, message });
    }
    graph.set(
      file,
      imports
        .filter((item) => item.specifier.startsWith('.') && !item.typeOnly)
        .map((item) => path.posix.normalize(path.posix.join(path.posix.dirname(file), item.specifier))),
    );
  }
  for (const cycle of cyclesOf(graph)) {
    findings.push({ file: cycle[0] ?? '', line: 1, message: `is in an import cycle: ${cycle.join(' -> ')}` });
  }
  return { findings, files: files.length };
}

/**
 * @param {string} root
 * @param {string} folder
 * @returns {string[]}
 */
function list(root, folder) {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return PASSED_OVER.has(entry.name) ? [] : list(root, name);
    return SOURCE.test(entry.name) && !entry.name.endsWith('.d.ts') ? [name] : [];
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { findings, files } = checkTree(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
  for (const { file, line, message } of findings) console.error(`${file}:${line}: ${message}`);
  console.log(`imports: ${files} files, ${findings.length} findings`);
  process.exitCode = findings.length === 0 ? 0 : 1;
}
