// The bridge as a client of the official conformance kit: it connects to the address in its last argument, calls every
// tool it is offered once, with a plausible argument for each property, and ends. Run by scripts/test-official.mjs.
import { Context } from 'cordis';
import * as bridge from 'cordis-plugin-mcp-bridge';
import { startCordis3Host } from 'cordis-plugin-mcp-bridge/host';

/**
 * Arguments that fit the simple schemas of the kit's tools.
 * @type {Map<unknown, unknown>}
 */
const SAMPLES = new Map(Object.entries({ number: 2, integer: 2, string: 'two', boolean: true, array: [], object: {} }));

/** @param {object} parameters a JSON Schema */
function sampleArguments(parameters) {
  const properties = Object.entries('properties' in parameters ? Object(parameters.properties) : {});
  return Object.fromEntries(properties.map(([name, schema]) => [name, SAMPLES.get(Object(schema).type) ?? null]));
}

const url = process.argv.at(-1);
if (url === undefined || !URL.canParse(url)) {
  console.error('official client: the last argument must be the address of a server');
  process.exit(2);
}
const host = await startCordis3Host(Context, { onLog: ({ level, message }) => console.error(`${level}: ${message}`) });
let failed = 0;
try {
  await host.load(bridge, { transport: 'streamable-http', serverName: 'official', url, failOnStartupError: true });
  const tools = host.tools.list();
  console.error(`${tools.length} tools: ${tools.map(({ name }) => name).join(', ')}`);
  for (const { name, parameters } of tools) {
    const result = await host.tools.execute({ callId: name, name, arguments: sampleArguments(parameters), signal: new AbortController().signal });
    console.error(`${name}: ${JSON.stringify(result)}`);
    if (result.isError) failed += 1;
  }
} finally {
  await host.dispose();
}
process.exitCode = failed === 0 ? 0 : 1;
