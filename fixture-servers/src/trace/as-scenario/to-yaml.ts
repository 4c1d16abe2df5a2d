import { stringify } from 'yaml';
import { parseScenario } from '../../scenario/parse.ts';
import type { TracedScenario } from './from-conversations.ts';

/** The members in the order in which people read them. */
const ORDER = ['scenario', 'name', 'protocolVersion', 'serverInfo', 'instructions', 'capabilities', 'tools', 'toolLists', 'pagination', 'countFrom', 'rules'];

/**
 * The scenario as a file. It is read back before it is handed out: what is written is what `lint` takes.
 * @throws ScenarioError when the text passes a bound of the language
 */
export function scenarioText({ scenario, lost }: TracedScenario, source: string): string {
  const ordered = Object.fromEntries(Object.entries(scenario).sort(([a], [b]) => ORDER.indexOf(a) - ORDER.indexOf(b)));
  const notes = [`Made from ${source} by mcp-fixture-server from-trace.`, ...lost.map((text) => `Not in here: ${text}.`)];
  const body = stringify(ordered, { lineWidth: 0, aliasDuplicateObjects: false, version: '1.2', schema: 'core' });
  const text = `${notes.map((note) => `# ${note.replaceAll(/\s+/g, ' ')}\n`).join('')}${body}`;
  parseScenario(text, `the scenario of ${source}`);
  return text;
}
