/**
 * Reads a baseline, YAML or JSON; what is wrong is told with line, column and the fix.
 */
import { LineCounter, parseDocument, type Document } from 'yaml';
import { baselineFile, type Baseline } from './schema.ts';

/** Characters of a baseline; an entry has some hundred. */
const MAX_CHARACTERS = 1_000_000;

/** One thing wrong with a baseline. */
export class BaselineError extends Error {
  override readonly name = 'BaselineError';
  readonly code = 'baseline-invalid';
}

/** A baseline with the line of each entry. */
export interface ReadBaseline {
  readonly baseline: Baseline;
  /** The document, for a rewriting that keeps comments. */
  readonly document: Document;
  /** `file:line` of an entry. */
  place(index: number): string;
}

/**
 * Reads a baseline.
 * @param file names it in errors
 * @param nameProblem what is wrong with a name of a check or an invariant; nothing when it is known
 * @throws BaselineError, one line
 */
export function readBaseline(text: string, file: string, nameProblem: (name: string) => string | undefined): ReadBaseline {
  if (text.length > MAX_CHARACTERS) throw new BaselineError(`${file}: it has more than ${MAX_CHARACTERS} characters; a baseline is a list of some known failures`);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  const broken = document.errors[0];
  if (broken !== undefined) throw new BaselineError(`${at(broken.pos[0])}: ${broken.message.split('\n', 1)[0]}; mend the YAML there`);
  const where = (path: readonly PropertyKey[]): string => at(offsetOf(document, path));
  const read = baselineFile.safeParse(contentOf(document, file));
  if (!read.success) {
    const issue = read.error.issues[0];
    const path = issue?.path ?? [];
    const fix = issue?.code === 'unrecognized_keys' ? `${issue.keys.join(', ')}: no such member; an entry has check, target, message and reason` : issue?.message;
    throw new BaselineError(`${where(path)}: ${path.length === 0 ? '' : `${path.join('.')}: `}${fix ?? 'it is no baseline'}`);
  }
  for (const [index, { check }] of read.data.known.entries()) {
    const problem = nameProblem(check);
    if (problem !== undefined) throw new BaselineError(`${where(['known', index, 'check'])}: known.${index}.check: ${problem}`);
  }
  return { baseline: read.data, document, place: (index) => where(['known', index]).replace(/:\d+$/, '') };
}

function contentOf(document: Document, file: string): unknown {
  try {
    return document.toJS();
  } catch (error) {
    // Aliases that would grow without end.
    throw new BaselineError(`${file}: ${error instanceof Error ? error.message : String(error)}; write the entries out`, { cause: error });
  }
}

/** Where the value at a path begins, or the nearest that is there. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node: unknown = document.getIn(path.slice(0, length), true);
    if (typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range)) return Number(node.range[0]);
  }
  return 0;
}
