/** The real loaders in this process, with entries whose modules are handed in rather than imported by name. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Context as DeepseekContext } from '@deepseek-ai/cordis';
import DeepseekLoader from '@deepseek-ai/cordis-plugin-loader';
import { Context as Cordis3 } from 'cordis';
import { Loader as Cordis3Loader } from 'cordis/loader';
import { isCordis3, isCordis4, type CordisContext } from '../../src/host/cordis-context.ts';
import { unloadEntries } from '../../src/host/loader.ts';

/** One entry of a config file. */
export interface Entry {
  /** A module from the list, or a name that leads nowhere. */
  readonly name: string;
  readonly config?: unknown;
  readonly disabled?: boolean;
}

/** A booted app. */
export interface LoadedApp {
  readonly ctx: CordisContext;
  /** Each time that the loader wanted to write the config file; Cordis 3 does when it takes an entry for switched off. */
  readonly writes: readonly string[];
  readonly end: () => Promise<void>;
}

/** Boots the entries; resolves when the loader has begun with them. */
export type Boot = (modules: Readonly<Record<string, object>>, entries: readonly Entry[]) => Promise<LoadedApp>;

const bootCordis3: Boot = async (modules, entries) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'loader-'));
  const filename = path.join(folder, 'cordis.json');
  writeFileSync(filename, JSON.stringify(entries));
  const ctx = new Cordis3();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the class is abstract in name only
  ctx.plugin(Cordis3Loader as unknown as new () => object, { name: 'cordis', filename });
  Object.assign(ctx.loader, { internal: { import: (name: string) => found(modules, name) } });
  await ctx.start();
  const writes: string[] = [];
  Object.assign(ctx.loader.file, { write: (data: unknown) => writes.push(JSON.stringify(data)) });
  rmSync(folder, { recursive: true });
  if (!isCordis3(ctx)) throw new TypeError('that is no Cordis 3');
  return { ctx, writes, end: async () => unloadEntries(ctx) };
};

const bootDeepseek: Boot = async (modules, entries) => {
  const ctx = new DeepseekContext();
  await ctx.plugin(DeepseekLoader);
  Object.assign(ctx.loader, { internal: { import: (name: string) => found(modules, name) } });
  for (const entry of entries) void ctx.loader.create({ ...entry });
  if (!isCordis4(ctx)) throw new TypeError('that is no Cordis 4');
  return { ctx, writes: [], end: async () => ctx.fiber.dispose() };
};

async function found(modules: Readonly<Record<string, object>>, name: string): Promise<object> {
  // An import takes its time.
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  const module = modules[name];
  if (module === undefined) throw new Error(`there is no module ${name}`);
  return module;
}

/** Name and start of each. */
export const loaders: readonly (readonly [string, Boot])[] = [
  ['Cordis 3', bootCordis3],
  ['the DeepSeek Harness', bootDeepseek],
];
