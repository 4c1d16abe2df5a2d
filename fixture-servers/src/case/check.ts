import { checkAgainst, failWith, type Locate } from '../scenario/check.ts';
import { notBuilt } from '../scenario/built.ts';
import { ScenarioError, type ScenarioIssue } from '../scenario/error.ts';
import type { Explained } from '../scenario/explain.ts';
import { sense } from '../scenario/sense.ts';
import { suggest } from '../scenario/suggest.ts';
import { caseFile, type CaseFile, type Step } from './schema.ts';

/** The form of an invariant's id. */
const INVARIANT = /^[A-Z]+-\d{3}$/;

/**
 * Checks a case given as a value and fills in its defaults. `from` says in errors where it comes from.
 * @throws ScenarioError `invalid`, `not-built`
 */
export function checkCase(value: unknown, from = 'case', locate?: Locate): CaseFile {
  const checked = checkAgainst(caseFile, value, from, locate);
  failWith(from, 'invalid', [...servers(checked), ...steps(checked), ...judge(checked)], locate);
  failWith(from, 'not-built', caseNotBuilt(checked), locate);
  return checked;
}

/**
 * Refuses a case that uses what this version does not perform yet, instead of ignoring it.
 * @throws ScenarioError `not-built`
 */
export function assertCaseBuilt(file: CaseFile, from = 'case'): void {
  const issues = caseNotBuilt(file).map(
    ({ path, message }): ScenarioIssue => ({ code: 'not-built', path, message, line: undefined, column: undefined }),
  );
  const [first, ...rest] = issues;
  if (first !== undefined) throw new ScenarioError(from, [first, ...rest]);
}

/** What of a case this version does not perform yet, with its place. */
export function caseNotBuilt(file: CaseFile): Explained[] {
  const found: Explained[] = [];
  for (const [name, server] of Object.entries(file.servers)) {
    if (server.carrier === 'streamable-http') {
      found.push({ path: ['servers', name, 'carrier'], message: 'the carrier `streamable-http` is not built yet; use `stdio`' });
    }
    found.push(...under(['servers', name, 'scenario'], notBuilt(server.scenario)));
  }
  const { host } = file;
  if (host?.proxy !== undefined) found.push({ path: ['host', 'proxy'], message: 'a proxy is not built yet; remove it' });
  if (host?.routes !== undefined) found.push({ path: ['host', 'routes'], message: 'model routes are not built yet; remove them' });
  if (host !== undefined && host.attachmentStore !== 'none') {
    found.push({ path: ['host', 'attachmentStore'], message: `the store \`${host.attachmentStore}\` is not built yet; use \`none\`` });
  }
  file.steps.forEach((step, index) => {
    if ('advance' in step && 'do' in step.advance) {
      const inner = notBuilt({ rules: [{ when: {}, do: step.advance.do }] });
      found.push(...inner.map((issue) => ({ ...issue, path: ['steps', index, 'advance', ...issue.path.slice(2)] })));
    }
  });
  return found;
}

function under(base: Explained['path'], issues: readonly Explained[]): Explained[] {
  return issues.map((issue) => ({ ...issue, path: [...base, ...issue.path] }));
}

function servers(file: CaseFile): Explained[] {
  const entries = Object.entries(file.servers);
  if (entries.length === 0) return [{ path: ['servers'], message: 'names no server; give at least one' }];
  return entries.flatMap(([name, server]) => under(['servers', name, 'scenario'], sense(server.scenario)));
}

function judge(file: CaseFile): Explained[] {
  return file.judge.flatMap((id, index) =>
    INVARIANT.test(id) ? [] : [{ path: ['judge', index], message: `\`${id}\` is no invariant's id, such as NAMING-001` }],
  );
}

/** Every server a step names must be there, and every call that is awaited must have been made. */
function steps(file: CaseFile): Explained[] {
  const names = Object.keys(file.servers);
  const calls = new Set<string>();
  return file.steps.flatMap((step, index) => {
    const at = ['steps', index];
    if ('call' in step && step.call.id !== undefined) calls.add(step.call.id);
    return [
      ...serversOf(step).flatMap(({ path, name }) => (names.includes(name) ? [] : [unknownServer([...at, ...path], name, names)])),
      ...callsOf(step).flatMap(({ path, id }) => (calls.has(id) ? [] : [{ path: [...at, ...path], message: `no call before has the id \`${id}\`` }])),
    ];
  });
}

function unknownServer(path: Explained['path'], name: string, names: readonly string[]): Explained {
  const near = suggest(name, names);
  const hint = near === undefined ? `there: ${names.map((known) => `\`${known}\``).join(', ')}` : `did you mean \`${near}\`?`;
  return { path, message: `no server \`${name}\` in \`servers\`; ${hint}` };
}

function serversOf(step: Step): { path: string[]; name: string }[] {
  if ('add' in step) return [{ path: ['add'], name: step.add }];
  if ('remove' in step) return [{ path: ['remove'], name: step.remove }];
  if ('reload' in step) return [{ path: ['reload'], name: step.reload }];
  if ('call' in step) return [{ path: ['call', 'server'], name: step.call.server }];
  if ('advance' in step) return [{ path: ['advance', 'server'], name: step.advance.server }];
  if ('await' in step && 'server' in step.await) return [{ path: ['await', 'server'], name: step.await.server }];
  return [];
}

function callsOf(step: Step): { path: string[]; id: string }[] {
  if ('abort' in step) return [{ path: ['abort'], id: step.abort }];
  if ('await' in step && 'call' in step.await) return [{ path: ['await', 'call'], id: step.await.call }];
  return [];
}
