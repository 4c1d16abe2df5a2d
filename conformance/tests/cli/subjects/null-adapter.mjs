// Makes no adapter.
export const createAdapter = () => null;
