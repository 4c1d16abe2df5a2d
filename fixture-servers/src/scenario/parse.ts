import { checkScenario } from './check.ts';
import { readDocument } from './document.ts';
import type { Scenario } from './schema.ts';

/**
 * Parses a scenario from YAML or JSON and fills in its defaults. `file` names it in errors.
 * @throws ScenarioError with line, column, place, what is wrong and the fix.
 */
export function parseScenario(text: string, file = 'scenario'): Scenario {
  const { value, locate } = readDocument(text, file);
  return checkScenario(value, file, locate);
}
