/** What kind of trouble a scenario or case is in. */
export type ScenarioErrorCode =
  /** The text is no YAML or JSON that we take (aliases, tags and duplicate keys are refused too). */
  | 'syntax'
  /** It says something the language does not have. */
  | 'invalid'
  /** It says something the language has and this version does not perform yet. */
  | 'not-built'
  /** It passes a bound. */
  | 'too-large'
  /** The file cannot be read. */
  | 'unreadable'
  /** It is well formed and can hardly be meant: a warning, never thrown. */
  | 'doubtful';

/** One place, and what is wrong there. */
export interface ScenarioIssue {
  readonly code: ScenarioErrorCode;
  /** What is wrong and what to do. */
  readonly message: string;
  /** Where in the document: keys and indices from its root. */
  readonly path: readonly (string | number)[];
  /** From 1, where the text is known. */
  readonly line: number | undefined;
  /** From 1, where the text is known. */
  readonly column: number | undefined;
}

/**
 * A scenario or case that cannot be used. `message` names file, line and column, what is wrong and the fix, one line for
 * each issue; the fields are those of the first issue.
 */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError';
  /** The file, or what the caller said it is. */
  readonly file: string;
  /** All issues, at least one, in document order. */
  readonly issues: readonly ScenarioIssue[];
  readonly code: ScenarioErrorCode;
  readonly path: readonly (string | number)[];
  readonly line: number | undefined;
  readonly column: number | undefined;

  constructor(file: string, issues: readonly [ScenarioIssue, ...ScenarioIssue[]], options?: ErrorOptions) {
    super(issues.map((issue) => formatIssue(file, issue)).join('\n'), options);
    this.file = file;
    this.issues = issues;
    this.code = issues[0].code;
    this.path = issues[0].path;
    this.line = issues[0].line;
    this.column = issues[0].column;
  }
}

/** One issue as one line: `file:line:col place: message`. */
export function formatIssue(file: string, issue: ScenarioIssue): string {
  const where = issue.line === undefined ? file : `${file}:${issue.line}:${issue.column ?? 1}`;
  const place = formatPath(issue.path);
  return place === '' ? `${where}: ${issue.message}` : `${where}: ${place}: ${issue.message}`;
}

/** A path as people write it: `rules[0].do[2].reply`. */
export function formatPath(path: readonly (string | number)[]): string {
  return path
    .map((part, index) => {
      if (typeof part === 'number') return `[${part}]`;
      if (/^[\w-]+$/.test(part)) return index === 0 ? part : `.${part}`;
      return `[${JSON.stringify(part)}]`;
    })
    .join('');
}
