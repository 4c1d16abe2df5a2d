/** The variable by which everything that a run of the suite started is found, whoever started it. */
export const RUN_MARKER = 'MCP_CONFORMANCE_RUN';
