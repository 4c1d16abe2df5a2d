// What the author of a bridge in another language writes.
import { fileURLToPath } from 'node:url';
import { describeBridgeConformance } from 'mcp-bridge-conformance';

const driver = { command: process.execPath, args: [fileURLToPath(new URL('../../drivers/scripted-driver.mjs', import.meta.url))] };
describeBridgeConformance({ driver }, { only: ['HOST-001'], reportsDir: false });
