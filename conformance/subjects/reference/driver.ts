/**
 * The reference bridge as a driver: `--driver "node …/dist/subjects/reference/driver.js"`.
 */
import { serveDriver } from 'mcp-bridge-conformance/adapter';
import { createReferenceAdapter } from './adapter.ts';

await serveDriver(createReferenceAdapter());
