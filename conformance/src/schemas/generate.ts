/** Writes the published schemas into `schemas/`, and the table of the driver protocol into the README. Run it after a change of a message; its output is deterministic. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { withDriverTable } from './driver-table.ts';
import { jsonSchemaText, SCHEMA_NAMES } from './json-schema.ts';

const folder = new URL('../../schemas/', import.meta.url);
mkdirSync(folder, { recursive: true });
for (const name of SCHEMA_NAMES) {
  writeFileSync(fileURLToPath(new URL(`${name}.schema.json`, folder)), jsonSchemaText(name));
}

const readme = fileURLToPath(new URL('../../README.md', import.meta.url));
writeFileSync(readme, withDriverTable(readFileSync(readme, 'utf8')));
