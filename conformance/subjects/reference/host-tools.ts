import type { ToolDefinition } from 'cordis-plugin-mcp-bridge/host';

/** A tool that the host or another plugin holds: it answers with its own name (S22, S32). */
export function hostTool(name: string): ToolDefinition {
  return {
    name,
    description: `A tool of the host, not of any server: ${name}`,
    parameters: { type: 'object' },
    output: { schema: { type: 'string' }, render: () => [{ type: 'text', text: name }] },
    execute: async () => name,
  };
}
