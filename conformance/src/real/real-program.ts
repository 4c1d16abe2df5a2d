import { randomUUID } from 'node:crypto';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { markedProcesses } from './marked-processes.ts';
import { packageProgram } from './package-program.ts';
import type { RealServer } from './real-server.ts';
import { listTruth } from './truth.ts';

/** A text that no description, name or error of the servers contains: what a call sends and expects back. */
const CANARY = 'conformance canary 7Fq2';

/**
 * `@modelcontextprotocol/server-everything` over stdio. It sends `tools/list_changed` right after `initialized`, and one of
 * its tools requires task execution. Throws `RealServerError` `not-installed`.
 */
export async function everything(): Promise<RealServer> {
  const program = packageProgram('@modelcontextprotocol/server-everything');
  // The program reads only its first argument; the second is how its processes are found.
  const marker = `--conformance-run=${randomUUID()}`;
  return {
    target: 'server-everything',
    entry: { name: 'everything', transport: 'stdio', command: process.execPath, args: [program.file, 'stdio', marker] },
    succeeds: [
      { rawName: 'echo', arguments: { message: CANARY }, expect: CANARY },
      { rawName: 'get-sum', arguments: { a: 20, b: 22 }, expect: '42' },
    ],
    fails: [{ rawName: 'echo', arguments: { unknown: CANARY }, expect: 'message' }],
    taskTool: 'simulate-research-query',
    truth: () => truthOf(program.file, 'stdio'),
    pids: () => markedProcesses(marker),
    wire: () => [],
    openSessions: () => [],
    close: async () => endLeftovers(marker),
  };
}

/**
 * `@modelcontextprotocol/server-filesystem` over stdio, on a folder made for it with one file. `close` removes the folder.
 * Throws `RealServerError` `not-installed`.
 */
export async function filesystem(): Promise<RealServer> {
  const program = packageProgram('@modelcontextprotocol/server-filesystem');
  // The server compares real paths: on some platforms the temporary folder is a link.
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'mcp-conformance-files-')));
  const file = join(folder, 'canary.txt');
  await writeFile(file, `${CANARY}\n`);
  return {
    target: 'server-filesystem',
    entry: { name: 'filesystem', transport: 'stdio', command: process.execPath, args: [program.file, folder] },
    succeeds: [
      { rawName: 'read_text_file', arguments: { path: file }, expect: CANARY },
      { rawName: 'list_directory', arguments: { path: folder }, expect: 'canary.txt' },
    ],
    fails: [
      { rawName: 'read_text_file', arguments: { path: join(folder, 'missing.txt') }, expect: 'ENOENT' },
      { rawName: 'read_text_file', arguments: { unknown: CANARY }, expect: 'path' },
    ],
    truth: () => truthOf(program.file, tmpdir()),
    pids: () => markedProcesses(folder),
    wire: () => [],
    openSessions: () => [],
    close: async () => {
      endLeftovers(folder);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Lists of programs by file. They depend on nothing but the program, and each look costs a process. */
const truths = new Map<string, Promise<readonly unknown[]>>();

/** Started without the marker, so that the process of the truth client is never taken for one of the subject's. */
function truthOf(file: string, argument: string): Promise<readonly unknown[]> {
  const known = truths.get(file);
  if (known !== undefined) return known;
  const listing = listTruth({ name: file, transport: 'stdio', command: process.execPath, args: [file, argument] });
  truths.set(file, listing);
  listing.catch(() => truths.delete(file));
  return listing;
}

/** What a subject left behind must not outlive the run; that it was left is in the history by now. */
function endLeftovers(marker: string): void {
  for (const pid of markedProcesses(marker)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended by itself in between.
    }
  }
}
