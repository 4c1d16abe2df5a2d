/** How the bridge introduces itself in `initialize`. `version` is the package's (a test compares them). */
export const CLIENT_INFO = { name: 'cordis-plugin-mcp-bridge', version: '0.1.0' } as const;
