// `npm run matrix`: the table phase × fault × carrier, with a reason in each empty cell. With the id of a cell: its scenario.
import { faultCells, faultTable } from 'mcp-fixture-server';

const [id, ...more] = process.argv.slice(2);
const cell = faultCells().find((each) => each.id === id);
if (id === undefined) process.stdout.write(faultTable());
else if (cell === undefined || more.length > 0) {
  console.error(`matrix: there is no cell ${[id, ...more].join(' ')}; ids look like call-in-flight/exit/stdio`);
  process.exitCode = 2;
} else if ('reason' in cell) console.log(`${cell.id} has no scenario: ${cell.reason}`);
else console.log(JSON.stringify(cell.scenario, null, 2));
