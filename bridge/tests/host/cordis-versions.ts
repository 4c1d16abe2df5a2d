/** Every host the bridge runs in: the embedded one on three Cordis, and the DeepSeek Harness with services of its own. */
import * as deepseekCordis from '@deepseek-ai/cordis';
import * as attachments from '@deepseek-ai/dsh-attachment-local';
import * as llm from '@deepseek-ai/dsh-llm';
import * as systemPrompt from '@deepseek-ai/dsh-system-prompt';
import * as tools from '@deepseek-ai/dsh-tools';
import { Context as Cordis3Context } from 'cordis';
import * as cordis4 from 'cordis4';
import type { CordisContextClass } from '../../src/host/cordis-context.ts';
import { startCordis3Host } from '../../src/host/cordis3-host.ts';
import { startCordis4Host } from '../../src/host/cordis4-host.ts';
import { startDshHost, type DshModules } from '../../src/host/dsh-host.ts';
import type { EmbeddedHost, EmbeddedHostOptions } from '../../src/host/embedded-host.ts';

/** Cordis 3 and 4; the declarations of the release candidate do not resolve under NodeNext, its code does. */
export const contexts = { cordis3: Cordis3Context, cordis4: contextOf(cordis4) } as const;

/** The packages of the DeepSeek Harness. */
export const dshModules = { cordis: deepseekCordis, systemPrompt, tools, attachments, llm } satisfies DshModules;

/** What all of them take. */
export type StartHost = (options?: Pick<EmbeddedHostOptions, 'onLog'> & { readonly host?: CommonConfig }) => Promise<EmbeddedHost>;

type CommonConfig = Pick<NonNullable<EmbeddedHostOptions['host']>, 'attachments' | 'models'>;

/** Name and start of each Cordis that the embedded host runs on. */
export const embeddedHosts: readonly [string, StartHost][] = [
  ['cordis 3', (options) => startCordis3Host(contexts.cordis3, options)],
  ['cordis 4', (options) => startCordis4Host(contexts.cordis4, options)],
  ['@deepseek-ai/cordis 4', (options) => startCordis4Host(deepseekCordis.Context, options)],
];

/** Name and start of every host. */
export const hosts: readonly [string, StartHost][] = [...embeddedHosts, ['the DeepSeek Harness', (options) => startDshHost(dshModules, options)]];

function contextOf(module: object): CordisContextClass {
  const found = Object.entries(module).find(([name]) => name === 'Context')?.[1] as unknown;
  if (!isContextClass(found)) throw new TypeError('the package cordis4 exports no Context');
  return found;
}

function isContextClass(value: unknown): value is CordisContextClass {
  return typeof value === 'function';
}
