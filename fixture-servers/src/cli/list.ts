import { listCases } from '../case/library.ts';
import { parseCase } from '../case/parse.ts';
import { AREAS } from '../case/schema.ts';
import { readText } from '../scenario/read-text.ts';
import { UsageError } from './usage-error.ts';

/** Lists the cases of the library, one a line: name, area, title. @throws UsageError for an unknown area. */
export async function list(area: string | undefined, write: (line: string) => void): Promise<void> {
  const known: readonly string[] = AREAS;
  if (area !== undefined && !known.includes(area)) {
    throw new UsageError(`there is no area ${area}`, `choose one of: ${AREAS.join(', ')}`);
  }
  for (const entry of await listCases()) {
    if (area !== undefined && entry.area !== area) continue;
    const { title } = parseCase(await readText(entry.path), entry.path);
    write(`${entry.name.padEnd(6)}${entry.area.padEnd(13)}${title}`);
  }
}
