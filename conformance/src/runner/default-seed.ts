/** The seed when none is given: a certification that is run twice does the same twice. */
export const DEFAULT_SEED = 20251125;
