/**
 * What a baseline says of the runs of a certification. Pure.
 */
import type { RunSummary } from '../runner/result.ts';
import type { Baseline, BaselineEntry } from './schema.ts';

/** A failing run with the entry that knows it. */
export interface KnownFailure {
  readonly run: RunSummary;
  readonly entry: BaselineEntry;
}

/** An entry and where it stands in the list. */
export interface PlacedEntry {
  readonly entry: BaselineEntry;
  readonly index: number;
}

/** How the failures and the entries fit. */
export interface Comparison {
  readonly known: readonly KnownFailure[];
  /** Entries of which nothing fails any more, though every run they name was made and decided. */
  readonly stale: readonly PlacedEntry[];
  /** Failing runs that entries name, with another message than any of those expects. */
  readonly changed: readonly (PlacedEntry & { readonly run: RunSummary })[];
  /** Failing runs that no entry names. */
  readonly unknown: readonly RunSummary[];
}

/** Whether an entry is about a run. */
export function isAbout({ check, target }: BaselineEntry, run: RunSummary): boolean {
  const names = [run.check.toLowerCase(), run.invariant.toLowerCase()];
  return names.includes(check.toLowerCase()) && (target === undefined || target === run.target);
}

/**
 * Compares.
 * @param runs every run that was made
 * @param refuses whether a failing run needs an entry; a failed SHOULD may have one, and needs none
 */
export function compare({ known: entries }: Baseline, runs: readonly RunSummary[], refuses: (run: RunSummary) => boolean): Comparison {
  const placed = entries.map((entry, index) => ({ entry, index }));
  const known: KnownFailure[] = [];
  const changed: (PlacedEntry & { readonly run: RunSummary })[] = [];
  const unknown: RunSummary[] = [];
  const used = new Set<number>();
  for (const run of runs.filter(({ verdict }) => verdict === 'fail')) {
    const about = placed.filter(({ entry }) => isAbout(entry, run));
    const fits = about.find(({ entry }) => run.message.startsWith(entry.message));
    const [first] = about;
    if (fits !== undefined) {
      used.add(fits.index);
      known.push({ run, entry: fits.entry });
    } else if (first !== undefined) {
      // Several entries may name one check; the one that nothing has used yet is the one whose failure changed.
      const other = about.find(({ index }) => !used.has(index)) ?? first;
      used.add(other.index);
      changed.push({ ...other, run });
    } else if (refuses(run)) unknown.push(run);
  }
  const stale = placed.filter(({ entry, index }) => !used.has(index) && isDecided(entry, runs));
  return { known, stale, changed, unknown };
}

/** A part of the suite leaves entries aside, and a doubt says nothing about them. */
function isDecided(entry: BaselineEntry, runs: readonly RunSummary[]): boolean {
  const own = runs.filter((run) => isAbout(entry, run));
  return own.length > 0 && own.every(({ verdict }) => verdict !== 'inconclusive');
}

/** Whether nothing differs from what is known. */
export function isAsKnown({ stale, changed, unknown }: Comparison): boolean {
  return stale.length + changed.length + unknown.length === 0;
}
