import type { jsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/types.js';

/**
 * What the protocol library gets in place of the schema compiler that it would make for each client. The bridge uses none
 * of the library's typed calls, so it is not asked; if it ever is, nothing passes as judged that was not (S37, B14).
 */
export const unusedValidator: jsonSchemaValidator = {
  getValidator: () => () => ({ valid: false, data: undefined, errorMessage: 'the bridge judges structured content itself' }),
};
