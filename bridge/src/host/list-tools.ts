/**
 * A plugin that prints the tools of `ctx.tools`, for a first look and for scripts. In `cordis.yml`:
 *
 *     - name: cordis-plugin-mcp-bridge/host/list-tools
 *       config:
 *         exit: true
 */
import Schema from 'schemastery';
import { describeError } from '../errors.ts';
import { isCordis4, type CordisContext } from './cordis-context.ts';
import { loaderSettled, unloadEntries } from './loader.ts';

/** The plugin's name in logs. */
export const name = 'mcp-bridge-list-tools';

/** Any host with a tool registry. */
export const inject = ['tools'];

/** Config of the plugin. */
export interface ListToolsConfig {
  /**
   * Default false: print the tools at each change. True: print them once, when every entry of the config file has
   * settled, then unload everything and let the process end, with exit code 1 when there is no tool.
   */
  readonly exit?: boolean;
}

/** Schema of `ListToolsConfig`. */
export const Config: Schema<ListToolsConfig, Required<ListToolsConfig>> = Schema.object({
  exit: Schema.boolean().default(false).description('Print once, unload everything and end.'),
});

/** What it needs of a registry: in the embedded host and in the DeepSeek Harness alike. */
interface Listing {
  schemas(): readonly { readonly name: string }[];
}

/** A context with events. */
interface ListeningContext extends CordisContext {
  on(event: string, listener: () => void): unknown;
}

/** Prints to standard output. */
export async function apply(ctx: ListeningContext, config: ListToolsConfig): Promise<void> {
  const tools: unknown = ctx.get('tools');
  if (!isListing(tools)) throw new TypeError('this host\'s ctx.tools has no schemas(); list-tools cannot read it');
  if (config.exit === true) {
    // Not awaited: this plugin is itself one of those that have to settle.
    void printOnce(ctx, tools);
    return;
  }
  let scheduled = false;
  ctx.on('tools/change', () => {
    if (scheduled) return;
    scheduled = true;
    queueMicrotask(() => {
      scheduled = false;
      print(tools);
    });
  });
  if (tools.schemas().length > 0) print(tools);
}

async function printOnce(ctx: CordisContext, tools: Listing): Promise<void> {
  try {
    await loaderSettled(ctx);
    print(tools);
    if (tools.schemas().length === 0) process.exitCode = 1;
  } catch (error) {
    process.stderr.write(`${name}: cannot list the tools: ${describeError(error)}\n`);
    process.exitCode = 1;
  }
  if (isCordis4(ctx.root)) await ctx.root.fiber.dispose();
  else unloadEntries(ctx);
}

function print(tools: Listing): void {
  const names = tools.schemas().map((schema) => schema.name);
  const heading = names.length === 0 ? 'no tools' : `${names.length} tool${names.length === 1 ? '' : 's'}:`;
  process.stdout.write(`${[heading, ...names.map((each) => `  ${each}`)].join('\n')}\n`);
}

function isListing(tools: unknown): tools is Listing {
  return typeof tools === 'object' && tools !== null && 'schemas' in tools && typeof tools.schemas === 'function';
}
