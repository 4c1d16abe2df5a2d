/** Every word of the languages has an example, and every example does what the page says. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startController, type Controller } from 'mcp-fixture-server/control';
import { parseEither } from '../../src/case/parse-file.ts';
import { misfits, type Carrier } from '../../src/scenario/carrier.ts';
import { toolEntry, type Scenario, type ToolEntry } from '../../src/scenario/schema.ts';
import { checkScenario } from '../../src/scenario/check.ts';
import { completed, examplesOf, type Example, type TalkStep } from '../../src/reference/examples.ts';
import { carriersOf } from '../../src/reference/carriers.ts';
import { apart } from '../../src/reference/page.ts';
import { SECTIONS } from '../../src/reference/sections.ts';
import { usedIn, wordsOf } from '../../src/reference/words.ts';
import { usedBy } from '../../src/reference/uses.ts';
import { play } from './talk.ts';

const scenarios = examplesOf('scenario');
const cases = examplesOf('case');

function scenarioOf(example: Example): Scenario {
  const traced = example.traced?.map((entry): ToolEntry => toolEntry.parse(entry));
  const parsed = parseEither(completed(example), `${example.id}.yaml`, traced);
  if (parsed.kind !== 'scenario') throw new Error(`${example.id} is a case`);
  expect(parsed.warnings).toEqual([]);
  return parsed.scenario;
}

/** On stdio where it can be served there, unless it is about HTTP. */
function carrierOf(example: Example, scenario: Scenario): Carrier {
  if (example.on !== undefined) return example.on;
  return scenario.http === undefined && misfits(scenario, 'stdio').length === 0 ? 'stdio' : 'streamable-http';
}

let controller: Controller;
beforeAll(async () => {
  controller = await startController();
});
afterAll(() => controller.close());

describe('the reference', () => {
  const used = new Set([...scenarios, ...cases].flatMap((example) => [...usedBy(example)]));

  it.each(SECTIONS)('has an example of, and a meaning for, every word of $id', (section) => {
    const words = wordsOf(section);
    expect(words.length).toBeGreaterThan(2);
    expect(words.filter(({ id }) => !used.has(id)).map(({ id }) => id)).toEqual([]);
    expect(words.filter(({ description }) => apart(description).meaning === '').map(({ id }) => id)).toEqual([]);
    const ends = words.filter(({ description }) => !/[.!?]$/.test(description));
    expect(ends.map(({ id }) => id)).toEqual([]);
  });

  it('gives each example a name of its own, and a section that is there', () => {
    const ids = [...scenarios, ...cases].map(({ id }) => id);
    const anchors = [...SECTIONS.map(({ title }) => title.toLowerCase().replaceAll(' ', '-')), ...ids];
    expect(anchors.filter((id, index) => anchors.indexOf(id) !== index)).toEqual([]);
    const known = SECTIONS.map(({ id }) => id);
    expect([...scenarios, ...cases].filter(({ shows }) => !known.includes(shows))).toEqual([]);
    // A section without an example of its own would be a bare table.
    expect(known.filter((id) => ![...scenarios, ...cases].some(({ shows }) => shows === id))).toEqual([]);
  });

  it('names the carriers of a word as the server does when it refuses one', () => {
    const words = new Map(SECTIONS.flatMap((section) => wordsOf(section)).map((word) => [word.id, word]));
    for (const example of scenarios) {
      const scenario = scenarioOf(example);
      const carriers = [...usedBy(example)].map((id) => words.get(id)).filter((word) => word !== undefined && word.section.id !== 'http')
        .map((word) => (word === undefined ? 'both' : carriersOf(word)));
      expect([example.id, misfits(scenario, 'stdio').length > 0]).toEqual([example.id, carriers.includes('streamable-http')]);
    }
  });

  it('sees a word that has no example', () => {
    const [section] = SECTIONS;
    if (section === undefined) throw new Error('no section');
    expect([...usedIn(section, { scenario: 1, rules: [{ when: { spawn: true }, do: [{ stderr: { text: 'x' } }] }] })].sort()).toEqual([
      'do.stderr', 'do.stderr.text', 'rule.do', 'rule.when', 'scenario.rules', 'scenario.scenario', 'when.spawn',
    ]);
  });
});

describe('an example of a scenario', () => {
  it.concurrent.each(scenarios)('$id: $says', async (example) => {
    const scenario = scenarioOf(example);
    expect(example.talk.length).toBeGreaterThan(0);
    await play(controller, example.id, scenario, carrierOf(example, scenario), example.talk, example.greet);
  });
});

describe('an example that says what is not so', () => {
  const scenario = checkScenario({ scenario: 1, tools: [{ name: 'read' }] });
  it.each<[Carrier, TalkStep]>([
    ['stdio', { ask: 'tools/list', answer: { result: { tools: [{ name: 'write' }] } } }],
    ['stdio', { ask: 'tools/list', bytes: 3 }],
    ['stdio', { lost: 'what was never asked' }],
    ['streamable-http', { http: 'POST', message: { method: 'ping' }, broken: '' }],
    ['streamable-http', { http: 'POST', message: { method: 'ping' }, status: 404 }],
    ['streamable-http', { http: 'POST', message: { method: 'ping' }, is: '' }],
  ])('fails: %s, %j', async (carrier, step) => {
    await expect(play(controller, 'wrong', scenario, carrier, [step], true)).rejects.toThrow();
  });
});

describe('an example of a case', () => {
  it.each(cases)('$id: $says', (example) => {
    const parsed = parseEither(completed(example), `${example.id}.yaml`);
    expect([parsed.kind, parsed.warnings]).toEqual(['case', []]);
  });
});
