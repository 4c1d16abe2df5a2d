/** Registers one tool, named by its config, a little late. */
export const name = 'one-tool';
export const inject = ['tools'];
export const reusable = true;

export async function apply(ctx, config) {
  await new Promise((resolve) => setImmediate(resolve));
  ctx.effect(() =>
    ctx.tools.register({
      name: config.tool,
      description: '',
      parameters: { type: 'object' },
      output: { schema: {}, render: () => [] },
      execute: async () => null,
    }),
  );
}
