/** The states and log lines of the README are those that the bridge has. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { BridgeError } from '../../src/errors.ts';
import { settle } from '../helpers-logic/manual-clock.ts';
import { MemoryApp } from './memory-app.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const refused = new BridgeError('connect-failed', 'refused');
const FOURTEEN = Array.from({ length: 14 }, (_, index) => `tool-${index}`);

/** The defaults, which the README speaks of. */
const DEFAULTS = { serverName: 'files', reconnect: {} };

/** Each ending of an outage that the table has, lived through. */
const LIVES: readonly ((app: MemoryApp) => Promise<void>)[] = [
  async (app) => {
    await app.load(DEFAULTS);
    app.server.connectError = refused;
    app.server.session.crash();
    await app.clock.advance(500);
    app.server.connectError = undefined;
    await app.clock.advance(1_000);
    app.server.connectError = refused;
    app.server.session.crash();
    await app.clock.advance(1_000_000);
  },
  async (app) => {
    app.server.connectError = refused;
    await app.load(DEFAULTS);
  },
  async (app) => {
    await app.load(DEFAULTS);
    app.server.session.vanish('boom', 'process 7 is still there');
    await settle();
  },
  async (app) => {
    await app.load({ ...DEFAULTS, reconnect: { enabled: false } });
    app.server.session.crash();
    await settle();
  },
  async (app) => {
    app.server.connectError = refused;
    await app.load({ ...DEFAULTS, reconnect: { enabled: false } });
  },
  async (app) => {
    await app.load(DEFAULTS);
    app.server.session.close = () => Promise.reject(new BridgeError('close-incomplete', 'process 7 is still there'));
  },
];

it('shows each log line of an outage as it is, and at its level (S59)', async () => {
  const logged: string[] = [];
  for (const live of LIVES) {
    const app = new MemoryApp(...FOURTEEN);
    await live(app);
    await app.dispose();
    logged.push(...app.host.logs.map(({ level, message }) => `${level}: ${message.replace('[mcp-bridge] ', '')}`));
  }
  const rows = [...readme.matchAll(/^\|[^|]*\| (error|warn|info): `(files: [^`]+)` \|$/gm)];
  expect(rows).toHaveLength(11);
  for (const [, level = '', line = ''] of rows) {
    const shown = line.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.+');
    expect(logged).toContainEqual(expect.stringMatching(new RegExp(`^${level}: ${shown}$`)));
  }
});

it('quotes what a call in an outage says (S55)', async () => {
  const app = new MemoryApp('read_file');
  await app.load(DEFAULTS);
  app.server.session.crash();
  await app.clock.advance(360);
  const quoted = /^ {4}(tool "read_file" of MCP server "files".*)$/m.exec(readme)?.[1] ?? 'the line is missing';
  await expect(app.host.call('mcp__files__read_file')).rejects.toThrow(quoted);
});
