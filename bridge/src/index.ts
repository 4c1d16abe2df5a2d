/**
 * The plugin entry: one instance of it bridges the tools of one MCP server to `ctx.tools`.
 *
 * Named exports only: a default export would make loaders drop `inject` (S10).
 * @module
 */
import type { ConfigSchema } from './config-schema.ts';
import type { Config as UserConfig } from './config-types.ts';
import type { HostContext } from './host-services.ts';
import { createBridgePlugin } from './plugin.ts';

const plugin = createBridgePlugin();

/** The plugin's name in logs and in the host's diagnostics. */
export const name: string = plugin.name;

/** The services it needs: the tool registry (S10). */
export const inject: string[] = plugin.inject;

/** The schema of its config: callable for Cordis 3, a Standard Schema for Cordis 4 (S01-S09). */
export const Config: ConfigSchema = plugin.Config;

/** What a user writes (S01). */
export type Config = UserConfig;

/** Lets Cordis 3 load the package any number of times (S11). */
export const reusable = true;

/**
 * Connects one server; settles after the first connection, discovery and registration have settled (S12).
 * @throws {BridgeError} `config-invalid` (S09), `server-name-taken` (S08), or, with `failOnStartupError`, what made the
 *   start fail (S06)
 */
export const apply: (ctx: HostContext, config: unknown) => Promise<void> = plugin.apply;
