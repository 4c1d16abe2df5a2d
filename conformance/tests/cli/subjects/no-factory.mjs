export const makeAdapter = () => ({});
