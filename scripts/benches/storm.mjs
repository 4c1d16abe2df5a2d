// A burst of ten thousand list changes, with a list that really changes in it: how often the bridge reads the list, and how long after
// the last notice its registry shows the last change.
import { startBridge } from './bridge.mjs';
import { compare } from './compare.mjs';
import { nowMs, startFixtures } from './fixtures.mjs';

/** The most readings of the list for one burst, and the longest until the last change shows, in milliseconds (DESIGN.md §8). */
const MOST_DRAINS = 3;
const MOST_VISIBLE_MS = 1_000;
const NOTICES = 10_000;
/** How often the list changes in one burst. */
const CHANGES = 10;
/** Silence after which a burst and what it made the bridge do is over, in milliseconds: the bridge says a burst ends after about one second. */
const SETTLED_MS = 1_500;
const SETTLED_SMALL_MS = 250;
const LIMIT_MS = 30_000;

const LIST_CHANGED = 'notifications/tools/list_changed';

/** @type {import('../bench.mjs').Bench} */
export async function bench({ log, rounds, small }) {
  const notices = small ? 20 * CHANGES : NOTICES;
  /** @type {import('../bench.mjs').Finding[]} */
  const findings = [];
  const fixtures = await startFixtures();
  for (const carrier of /** @type {const} */ (['stdio', 'http'])) {
    let mostDrains = 0;
    const storm = (/** @type {string} */ server, /** @type {import('./bridge.mjs').Target} */ target) => async () => {
      const { drains, visibleMs } = await oneStorm({ fixtures, server, target, notices, settledMs: small ? SETTLED_SMALL_MS : SETTLED_MS });
      mostDrains = Math.max(mostDrains, drains);
      return visibleMs;
    };
    /** @type {import('./fixtures.mjs').ScenarioInput} */
    const scenario = { scenario: 1, tools: [{ name: 'change_0' }] };
    const [first, again] = [`${carrier}-first`, `${carrier}-again`];
    const result = await compare({
      first: storm(first, await fixtures.serve(first, carrier, scenario)),
      again: storm(again, await fixtures.serve(again, carrier, scenario)),
    }, rounds);
    findings.push({
      name: `${notices} list changes over ${carrier}`, value: mostDrains, unit: 'drains of the list', budget: MOST_DRAINS, holds: 'at most', detail: `the most of ${2 * rounds + 2} bursts`,
    }, {
      name: `the last of ${notices} changes over ${carrier}`,
      value: result.median('first'),
      unit: "ms after the burst's end",
      budget: MOST_VISIBLE_MS,
      holds: 'at most',
      control: result.ratio('again', 'first'),
      detail: `the longest ${Math.max(result.worst('first'), result.worst('again')).toFixed(0)} ms`,
    });
    log(`measured a storm over ${carrier}`);
  }
  await fixtures.close();
  return findings;
}

/**
 * @param {{ fixtures: Awaited<ReturnType<typeof startFixtures>>, server: string, target: import('./bridge.mjs').Target, notices: number, settledMs: number }} how
 * @returns {Promise<{ drains: number, visibleMs: number }>}
 */
async function oneStorm({ fixtures, notices, server, settledMs, target }) {
  const bridge = await startBridge();
  await bridge.load('storm', target);
  // Over HTTP the bridge looks once more after connecting; that look is none of the storm's.
  await silence(settledMs);
  const shown = new Promise((/** @type {(atMs: number) => void} */ resolve, reject) => {
    const limit = setTimeout(() => reject(new Error(`the last change did not show within ${LIMIT_MS} ms`)), LIMIT_MS);
    bridge.host.tools.onSettled(() => {
      if (bridge.host.tools.get(`mcp__storm__change_${CHANGES}`) === undefined) return;
      clearTimeout(limit);
      resolve(nowMs());
    });
  });
  const actions = Array.from({ length: CHANGES }, (_, index) => [
    { setTools: { tools: [{ name: `change_${index + 1}` }] } },
    { notify: { method: LIST_CHANGED, frame: { times: notices / CHANGES } } },
  ]).flat();
  const { endedAtMs, since } = await fixtures.burst(server, actions, notices);
  const visibleMs = (await shown) - endedAtMs;
  await silence(settledMs);
  const drains = await fixtures.drains(server, since);
  await bridge.close();
  return { drains, visibleMs };
}

/** @param {number} settledMs */
function silence(settledMs) {
  return new Promise((resolve) => {
    setTimeout(resolve, settledMs);
  });
}
