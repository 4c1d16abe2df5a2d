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

const change = (/** @type {number} */ index) => ({ setTools: { tools: [{ name: `change_${index}` }] } });
const notify = (/** @type {number} */ times) => ({ notify: { method: LIST_CHANGED, frame: { times } } });

/** @type {import('../bench.mjs').Bench} */
export async function bench({ log, rounds, small }) {
  const notices = small ? 20 * CHANGES : NOTICES;
  /** @type {import('../bench.mjs').Finding[]} */
  const findings = [];
  const fixtures = await startFixtures();
  for (const carrier of /** @type {const} */ (['stdio', 'http'])) {
    let mostDrains = 0;
    let longestMs = 0;
    const storm = (/** @type {string} */ server, /** @type {import('./bridge.mjs').Target} */ target) => async () => {
      const { drains, tookMs, visibleMs } = await oneStorm({ fixtures, server, target, notices, settledMs: small ? SETTLED_SMALL_MS : SETTLED_MS });
      mostDrains = Math.max(mostDrains, drains);
      longestMs = Math.max(longestMs, tookMs);
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
      name: `${notices} list changes over ${carrier}`, value: mostDrains, unit: 'drains of the list', budget: MOST_DRAINS, holds: 'at most', detail: `the most of ${2 * rounds + 2} bursts; the longest burst took ${longestMs.toFixed(0)} ms`,
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
 * @returns {Promise<{ drains: number, tookMs: number, visibleMs: number }>}
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
  const share = notices / CHANGES;
  // The last notice alone tells of the last change.
  const actions = Array.from({ length: CHANGES - 1 }, (_, index) => [change(index + 1), notify(index === 0 ? 2 * share - 1 : share)]).flat();
  actions.push(change(CHANGES), notify(1));
  const { endedAtMs, since, tookMs } = await fixtures.burst(server, actions, notices);
  const visibleMs = (await shown) - endedAtMs;
  await silence(settledMs);
  const drains = await fixtures.drains(server, since);
  await bridge.close();
  return { drains, tookMs, visibleMs };
}

/** @param {number} settledMs */
function silence(settledMs) {
  return new Promise((resolve) => {
    setTimeout(resolve, settledMs);
  });
}
