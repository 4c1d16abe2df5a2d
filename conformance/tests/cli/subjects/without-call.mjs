// An adapter with a typing error in the name of a method.
import { completeAdapter } from '../../../dist/adapter/index.js';

export const createAdapter = () => completeAdapter({
  describe: async () => undefined, open: async () => undefined, tools: async () => undefined, close: async () => undefined,
  cal: async () => undefined,
});
