/**
 * A plugin that lets a test operate the tools of the process it runs in: commands come as JSON lines on standard input,
 * answers and events leave as JSON lines on standard output.
 */
import { createInterface } from 'node:readline';

export const name = 'remote';
export const inject = ['tools'];

/** An agent whose latest request went to a model of the provider `p`; what is written into its session is told. */
function agentOn(model) {
  return {
    options: {},
    session: {
      requestHeader: () => ({ config: { provider: 'p', model } }),
      append: (type, data) => say({ event: 'session', type, data }),
    },
  };
}

/** Writes one line. */
function say(line) {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/** Runs an operation and says what came of it. */
async function answer(id, operation) {
  try {
    say({ id, value: await operation() });
  } catch (error) {
    say({ id, error: String(error) });
  }
}

export async function apply(ctx) {
  const names = () => ctx.tools.schemas().map((tool) => tool.name);
  const input = createInterface({ input: process.stdin });
  const operations = {
    tools: async () => ctx.tools.schemas(),
    call: ({ callId, tool, args, model }) =>
      ctx.tools.execute({
        callId,
        name: tool,
        arguments: args,
        signal: new AbortController().signal,
        ...(model === undefined ? {} : { agent: agentOn(model) }),
      }),
    dispose: async () => {
      await ctx.root.fiber.dispose();
      // An open pipe would keep the process alive.
      input.close();
      process.stdin.destroy();
    },
  };
  input.on('line', (line) => {
    const { id, op, ...rest } = JSON.parse(line);
    void answer(id, () => operations[op](rest));
  });
  let scheduled = false;
  ctx.on('tools/change', () => {
    if (scheduled) return;
    scheduled = true;
    queueMicrotask(() => {
      scheduled = false;
      say({ event: 'tools', names: names() });
    });
  });
  ctx.on('mcp-bridge/state', (state) => say({ event: 'state', state }));
  const settled = async () => {
    await ctx.get('loader').await();
    say({ event: 'settled', node: process.version, names: names() });
  };
  // Not awaited: this plugin is itself one of those that have to settle.
  void settled();
}
