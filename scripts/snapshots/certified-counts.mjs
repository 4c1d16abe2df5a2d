import { checks, plansOf } from 'mcp-bridge-conformance';
import { invariants } from 'mcp-bridge-conformance/catalogue';

/**
 * The page with today's counts in what a certification ends with; its time stays as it was measured.
 * @param {string} page
 * @param {number} mutants
 */
export function withCertifiedCounts(page, mutants) {
  const all = invariants.length;
  return page.replace(/(?<=<!-- output: certify -->\n```text\n)[\s\S]*?(?=```)/, (block) =>
    block
      .replaceAll(/^( {2}([a-z]+) +)\d+(?= passed$)/gm, (_line, start, area) => `${start}${invariants.filter((one) => one.area === area).length}`)
      .replace(/^\d+ invariants: \d+ passed(.*)\(\d+ runs/m, (_line, between) => `${all} invariants: ${all} passed${between}(${plansOf({}, checks).length} runs`)
      .replace(/(?<=, )\d+(?= invariants, MCP)/, String(all))
      .replace(/(?<=^Kill table: )\d+(?= planted defects)/m, String(mutants)));
}
