/** The minimal bridge as a program that speaks the driver protocol: `node dist/subjects/minimal/driver.js`. */
import { serveDriver } from 'mcp-bridge-conformance/adapter';
import { createMinimalAdapter } from './adapter.ts';

await serveDriver(createMinimalAdapter());
