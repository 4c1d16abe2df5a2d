import type { CaseInput } from 'mcp-fixture-server/case';
import { STEADY } from '../../checks/support/scripts.ts';
import type { WrittenStep } from './waits.ts';

/**
 * Adds a healthy call of each server that has the tool for it and got none, before the end. Where something was awaited in
 * vain the check may have given up before its own, and its judge looks for one once the bridge is mended.
 */
export function endHealthy(steps: WrittenStep[], servers: ReadonlyMap<string, CaseInput['servers'][string]>): void {
  const called = new Set(steps.flatMap((step) => ('call' in step && step.call.tool === STEADY ? [step.call.server] : [])));
  const healthy = [...servers].flatMap(([server, { scenario: { tools = [] } }]): WrittenStep[] =>
    !called.has(server) && tools.some((tool) => 'name' in tool && tool.name === STEADY) ? [{ call: { server, tool: STEADY } }] : []);
  const closing = steps.findLastIndex((step) => 'close' in step);
  steps.splice(closing === -1 ? steps.length : closing, 0, ...healthy);
}
