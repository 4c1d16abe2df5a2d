/** A plugin that gives the Harness one route whose model takes images and one whose model does not. */
export const name = 'routes';
export const inject = ['llm'];

const modalities = { sees: ['text', 'image'], reads: ['text'] };

export async function apply(ctx) {
  ctx.llm.registerAdapter(['p'], {
    providerInfo: (provider) => ({ id: provider, name: provider }),
    providerRetryPolicy: () => undefined,
    listModels: async () => [],
    resolveModel: async (provider, model) => ({ provider, id: model, name: model, inputModalities: modalities[model] }),
  });
}
