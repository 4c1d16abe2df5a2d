import { checks } from 'mcp-bridge-conformance';
import { exclusions, invariants } from 'mcp-bridge-conformance/catalogue';
import { built } from './paths.mjs';

/** @typedef {import('mcp-bridge-conformance/catalogue').Invariant} Invariant */

const SPEC = 'https://modelcontextprotocol.io/specification/2025-11-25/';

/** The catalogue as a page for readers: what is judged, from where it comes, and what is not judged. */
export async function cataloguePage() {
  const { mutants } = await built('conformance/dist/subjects/mutants/index.js');
  const areas = [...new Set(invariants.map(({ area }) => area))];
  const numbers = invariants.flatMap(({ sources }) => [...sources.requirements, ...(sources.reports ?? [])]);
  return [
    '# What is judged',
    '',
    `${invariants.length} statements about a bridge, each with its source. Generated from the catalogue (\`mcp-bridge-conformance/catalogue\`).`,
    'S and B are numbers of the requirements, R of public reports; both lists are in `conformance/tests/sources/` of the repository. A',
    'statement without a word about features or transports is for every bridge of its level.',
    '',
    ...areas.flatMap((area) => [`## ${area}`, '', ...invariants.filter((one) => one.area === area).flatMap((one) => section(one, mutants))]),
    '## From a number to its statements',
    '',
    '| number | statements |',
    '|---|---|',
    ...[...new Set(numbers)].sort().map((number) => `| ${number} | ${invariants.filter((one) => cites(one, number)).map(({ id }) => link(id)).join(', ')} |`),
    '',
    '## What is not judged',
    '',
    ...exclusions.map(({ number, reason }) => `- **${number}**: ${reason}.`),
    '',
  ].join('\n');
}

/**
 * @param {Invariant} one
 * @param {readonly { id: string, kills: string }[]} mutants
 */
function section({ id, statement, level, strength, sources, features = [], transports = [], elsewhere }, mutants) {
  const needs = [...features, ...transports.map((transport) => `transport ${transport}`)];
  const planted = mutants.filter(({ kills }) => kills === id).map((mutant) => words(mutant.id));
  return [
    `### ${id}`,
    '',
    statement,
    '',
    `- ${level}, ${strength}${needs.length === 0 ? '' : `; only with ${needs.join(', ')}`}`,
    `- from ${[...sources.requirements, ...(sources.reports ?? []), ...(sources.spec ?? []).map((part) => `[${part}](${SPEC}${part})`)].join(', ')}`,
    `- checks: ${checks.filter(({ invariant }) => invariant === id).map((check) => words(check.id)).join(', ')}`,
    `- planted defects: ${planted.join(', ')}`,
    ...(elsewhere === undefined ? [] : [`- not seen from outside: ${elsewhere}`]),
    '',
  ];
}

/** What follows the invariant in the id of a check or a mutant.
 * @param {string} id
 */
function words(id) {
  return id.slice(id.indexOf('/') + 1);
}

/** @param {string} id */
function link(id) {
  return `[${id}](#${id.toLowerCase()})`;
}

/**
 * @param {Invariant} one
 * @param {string} number
 */
function cites({ sources }, number) {
  return sources.requirements.includes(number) || (sources.reports ?? []).includes(number);
}
