const config = { test: { include: ['*.test.mjs'] } };

// oxlint-disable-next-line import/no-default-export -- vitest requires it
export { config as default };
