import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import type { ServerSpec } from '../../src/adapter/messages.ts';
import { isObject, messageOf } from '../../src/history/views.ts';
import { packageProgram } from '../../src/real/package-program.ts';
import { RealServerError, type RealServer } from '../../src/real/real-server.ts';
import { startReal } from '../../src/real/start-real.ts';
import { listTruth } from '../../src/real/truth.ts';

const servers: RealServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function real(target: RealServer['target']): Promise<RealServer> {
  const server = await startReal(target);
  servers.push(server);
  return server;
}

function namesOf(tools: readonly unknown[]): unknown[] {
  return tools.map((tool) => (isObject(tool) ? tool['name'] : undefined));
}

function launch(entry: ServerSpec): ChildProcess {
  if (entry.transport !== 'stdio') throw new Error('only a program can be launched');
  return spawn(entry.command, entry.args, { stdio: 'pipe' });
}

describe('real servers', () => {
  it('lists what server-everything offers a client without extra capabilities, its task tool included', async () => {
    const server = await real('server-everything');
    const truth = await server.truth();
    expect(truth).toHaveLength(13);
    expect(namesOf(truth)).toEqual(expect.arrayContaining([...server.succeeds.map(({ rawName }) => rawName), server.taskTool]));
  });

  it('lists what server-filesystem offers on a folder of its own, and removes the folder', async () => {
    const server = await real('server-filesystem');
    const truth = await server.truth();
    expect(truth).toHaveLength(14);
    const folder = server.entry.transport === 'stdio' ? server.entry.args.at(-1) : undefined;
    if (folder === undefined) throw new Error('the entry names no folder');
    expect(existsSync(folder)).toBe(true);
    await server.close();
    expect(existsSync(folder)).toBe(false);
  });

  it('finds the processes that were started through an entry, and ends those that were left', async () => {
    const server = await real('server-filesystem');
    expect(server.pids()).toEqual([]);
    const child = launch(server.entry);
    const exited = once(child, 'exit');
    if (child.stderr !== null) await once(child.stderr, 'data');
    expect(server.pids()).toEqual([child.pid]);
    await server.close();
    await exited;
    expect(server.pids()).toEqual([]);
  });

  it('serves a dotted name over HTTP and keeps the truth client out of what it witnesses', async () => {
    const server = await real('sdk-http');
    expect(namesOf(await server.truth())).toContain('admin.reset');
    expect(server.wire()).toEqual([]);
    expect(server.openSessions()).toEqual([]);
  });

  it('witnesses what any other client sends, and its sessions', async () => {
    const server = await real('sdk-http');
    await listTruth(server.entry);
    const methods = server.wire().flatMap((record) =>
      record.kind === 'frame' && record.direction === 'client-to-server' ? [messageOf(record)['method']] : [],
    );
    expect(methods).toEqual(expect.arrayContaining(['initialize', 'notifications/initialized', 'tools/list']));
    // The truth client deletes its session when it is done, as a bridge owes on disposal.
    expect(server.openSessions()).toEqual([]);
  });

  it('says loudly that a package is not installed and what to do', () => {
    expect(() => packageProgram('@modelcontextprotocol/no-such-server')).toThrowError(RealServerError);
    expect(() => packageProgram('@modelcontextprotocol/no-such-server')).toThrowError(/WAS NOT USED.*npm ci/s);
  });

  it('says that a server does not list its tools', async () => {
    const dead: ServerSpec = { name: 'dead', transport: 'stdio', command: process.execPath, args: ['-e', 'process.exit(3)'] };
    const listing = listTruth(dead);
    await expect(listing).rejects.toThrowError(/"dead"/);
    await expect(listing).rejects.toMatchObject({ code: 'unreachable' });
  });
});
