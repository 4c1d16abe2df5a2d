import { faultCells, type FaultCell } from './cells.ts';

/** What stands in a cell that a scenario covers. */
const COVERED = 'yes';

/** The table as Markdown: a row a fault and carrier, a column a phase; empty cells name their reason below the table. */
export function faultTable(cells: readonly FaultCell[] = faultCells()): string {
  const phases = [...new Set(cells.map(({ phase }) => phase))];
  const rows = [...new Set(cells.map(({ carrier, fault }) => `${fault}\n${carrier}`))];
  const reasons = [...new Set(cells.flatMap((cell) => ('reason' in cell ? [cell.reason] : [])))];
  const lines = rows.map((row) => {
    const [fault, carrier] = row.split('\n');
    const shown = phases.map((phase) => {
      const cell = cells.find((each) => each.phase === phase && each.fault === fault && each.carrier === carrier);
      return cell === undefined ? '' : 'reason' in cell ? `(${reasons.indexOf(cell.reason) + 1})` : COVERED;
    });
    return `| ${fault ?? ''} | ${carrier ?? ''} | ${shown.join(' | ')} |`;
  });
  const covered = cells.filter((cell) => 'scenario' in cell).length;
  return [
    `| fault | carrier | ${phases.join(' | ')} |`, `|---|---|${phases.map(() => '---|').join('')}`, ...lines, '',
    `${covered} of ${cells.length} cells have a scenario; \`npm run matrix -- <phase>/<fault>/<carrier>\` prints it, words joined with hyphens.`, '',
    ...reasons.map((reason, index) => `(${index + 1}) ${reason}`), '',
  ].join('\n');
}
