import { checkAgainst, failWith, type Locate } from '../scenario/check.ts';
import { notBuilt } from '../scenario/built.ts';
import { misfits } from '../scenario/carrier.ts';
import { ScenarioError, type ScenarioIssue } from '../scenario/error.ts';
import type { Explained } from '../scenario/explain.ts';
import { sense } from '../scenario/sense.ts';
import { suggest } from '../scenario/suggest.ts';
import { harmful } from './harmless.ts';
import { refersTo } from './refers.ts';
import { caseFile, type CaseFile, type Step } from './schema.ts';

/** The form of an invariant's id. */
const INVARIANT = /^[A-Z]+-\d{3}$/;

/**
 * Checks a case given as a value and fills in its defaults. `from` says in errors where it comes from.
 * @throws ScenarioError `invalid`, `not-built`
 */
export function checkCase(value: unknown, from = 'case', locate?: Locate): CaseFile {
  const checked = checkAgainst(caseFile, value, from, locate);
  failWith(from, 'invalid', [...servers(checked), ...steps(checked), ...judge(checked), ...harmful(checked)], locate);
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
    found.push(...under(['servers', name, 'scenario'], notBuilt(server.scenario)));
  }
  file.steps.forEach((step, index) => {
    if ('advance' in step && 'do' in step.advance) {
      const inner = notBuilt({ rules: [{ when: {}, do: step.advance.do }] });
      found.push(...inner.map((issue) => ({ ...issue, path: ['steps', index, 'advance', ...issue.path.slice(2)] })));
    }
    if ('advance' in step && 'program' in step.advance) found.push(...under(['steps', index, 'advance', 'program'], notBuilt(step.advance.program)));
  });
  return found;
}

function under(base: Explained['path'], issues: readonly Explained[]): Explained[] {
  return issues.map((issue) => ({ ...issue, path: [...base, ...issue.path] }));
}

function servers(file: CaseFile): Explained[] {
  const entries = Object.entries(file.servers);
  if (entries.length === 0) return [{ path: ['servers'], message: 'names no server; give at least one' }];
  return entries.flatMap(([name, server]) =>
    under(['servers', name, 'scenario'], [...sense(server.scenario), ...misfits(server.scenario, server.carrier)]));
}

function judge(file: CaseFile): Explained[] {
  return file.judge.flatMap((id, index) =>
    INVARIANT.test(id) ? [] : [{ path: ['judge', index], message: `\`${id}\` is no invariant's id, such as NAMING-001` }],
  );
}

/** Every server a step names must be there, and every call and step that is awaited must have been begun. */
function steps(file: CaseFile): Explained[] {
  const names = Object.keys(file.servers);
  const begun = { call: new Set<string>(), step: new Set<string>() };
  return file.steps.flatMap((step, index) => {
    const at = ['steps', index];
    const refers = refersTo(step);
    if (refers.begins !== undefined) begun[refers.begins.kind].add(refers.begins.id);
    return [
      ...refers.servers.flatMap(({ path, name }) => (names.includes(name) ? [] : [unknownServer([...at, ...path], name, names)])),
      ...refers.awaits.flatMap(({ path, kind, id }) => (begun[kind].has(id) ? [] : [{ path: [...at, ...path], message: `no ${kind} before has the id \`${id}\`` }])),
      ...refers.speaksFor.flatMap(({ path, ids }) => strangers(ids, file.judge, [...at, ...path])),
      ...('advance' in step ? advances(file, step.advance, [...at, 'advance']) : []),
    ];
  });
}

/** What a server is given in a step must make sense, and be for its carrier. */
function advances(file: CaseFile, advance: Extract<Step, { advance: unknown }>['advance'], at: Explained['path']): Explained[] {
  const carrier = Object.hasOwn(file.servers, advance.server) ? file.servers[advance.server]?.carrier : undefined;
  if ('program' in advance) {
    const { program } = advance;
    return under([...at, 'program'], [...sense(program), ...(carrier === undefined ? [] : misfits(program, carrier))]);
  }
  if (!('do' in advance) || carrier === undefined) return [];
  // As a rule of its own; its place in the step begins after `rules[0]`.
  return misfits({ rules: [{ when: {}, do: advance.do }] }, carrier).map((issue) => ({ ...issue, path: [...at, ...issue.path.slice(2)] }));
}

/** Invariants that an expectation speaks for and `judge` does not name. */
function strangers(ids: readonly string[], judged: readonly string[], path: Explained['path']): Explained[] {
  return ids.flatMap((id, index) => (judged.includes(id) ? [] : [{ path: [...path, index], message: `\`${id}\` is not in \`judge\`; add it there` }]));
}

function unknownServer(path: Explained['path'], name: string, names: readonly string[]): Explained {
  const near = suggest(name, names);
  const hint = near === undefined ? `there: ${names.map((known) => `\`${known}\``).join(', ')}` : `did you mean \`${near}\`?`;
  return { path, message: `no server \`${name}\` in \`servers\`; ${hint}` };
}
