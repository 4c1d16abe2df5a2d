/** Writes the published schemas into `schemas/`, and REFERENCE.md. Run it after a change of a language; its output is deterministic. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { referencePage } from '../reference/page.ts';
import { jsonSchemaText, SCHEMA_NAMES } from './json-schema.ts';

const folder = new URL('../../schemas/', import.meta.url);
mkdirSync(folder, { recursive: true });
for (const name of SCHEMA_NAMES) {
  writeFileSync(fileURLToPath(new URL(`${name}.schema.json`, folder)), jsonSchemaText(name));
}
writeFileSync(fileURLToPath(new URL('../../REFERENCE.md', import.meta.url)), referencePage());
