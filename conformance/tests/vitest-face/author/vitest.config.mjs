const config = { test: { include: ['*.test.mjs'] } };

// vitest requires a default export here.
export { config as default };
