/** The figures of a whole run, the same in every run: what is counted does not depend on how often something was tried. */
import type { CellRecord } from './cell-record.ts';
import { executedAgain } from './judge.ts';

/** What the front page tells, by the words it uses. */
export type MatrixFigures = Readonly<Record<string, number>>;

/** The records of one run. */
export interface MatrixRecords {
  readonly cells: readonly CellRecord[];
  /** The cells over HTTP once more, with other kinds of servers. */
  readonly kinds: readonly CellRecord[];
  /** Lives of several faults. */
  readonly pairs: readonly CellRecord[];
}

/** Counts. `cells`: of the whole table, those without a scenario included; `pairs`: different ones in the lives of several faults. */
export function figuresOf(run: MatrixRecords, cells: number, pairs: number): MatrixFigures {
  const records = [...run.cells, ...run.kinds, ...run.pairs];
  const calls = records.flatMap((record) => record.calls);
  const beside = calls.filter(({ to }) => to === 'beside');
  return {
    'cells of phase × fault × carrier': cells,
    'cells in which the fault is possible, each run': run.cells.length,
    'of those, run again with another kind of server over HTTP': run.kinds.length,
    'pairs of faults, one after the other': pairs,
    'faults injected': sum(records.map(({ fired }) => fired)),
    'calls made': calls.length,
    'calls settled': calls.filter(({ end }) => end !== undefined).length,
    'calls to healthy servers of the same host': beside.length,
    'of those, answered': beside.filter(({ end }) => end?.ok === true).length,
    'calls executed twice': sum(records.map(executedAgain)),
    'processes left': sum(records.map(({ remains }) => remains.processes.length)),
    'connections left': sum(records.map(({ remains }) => remains.sockets)),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
