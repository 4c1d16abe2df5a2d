/** The three Cordis that the embedded host runs on, each with its own way to start. */
import { Context as DeepseekContext } from '@deepseek-ai/cordis';
import { Context as Cordis3Context } from 'cordis';
import * as cordis4 from 'cordis4';
import type { CordisContextClass } from '../../src/host/cordis-context.ts';
import { startCordis3Host } from '../../src/host/cordis3-host.ts';
import { startCordis4Host } from '../../src/host/cordis4-host.ts';
import type { EmbeddedHost, EmbeddedHostOptions } from '../../src/host/embedded-host.ts';

/** Cordis 3 and 4; the declarations of the release candidate do not resolve under NodeNext, its code does. */
export const contexts = { cordis3: Cordis3Context, cordis4: contextOf(cordis4) } as const;

/** Name and start of each. */
export const hosts: readonly [string, (options?: EmbeddedHostOptions) => Promise<EmbeddedHost>][] = [
  ['cordis 3', (options) => startCordis3Host(contexts.cordis3, options)],
  ['cordis 4', (options) => startCordis4Host(contexts.cordis4, options)],
  ['@deepseek-ai/cordis 4', (options) => startCordis4Host(DeepseekContext, options)],
];

function contextOf(module: object): CordisContextClass {
  const found = Object.entries(module).find(([name]) => name === 'Context')?.[1] as unknown;
  if (!isContextClass(found)) throw new TypeError('the package cordis4 exports no Context');
  return found;
}

function isContextClass(value: unknown): value is CordisContextClass {
  return typeof value === 'function';
}
