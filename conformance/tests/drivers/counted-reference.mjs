// The reference behind a driver that notes each start of itself in a file.
import { appendFileSync } from 'node:fs';

appendFileSync(process.env.MCPBC_STARTS, `${process.pid}\n`);
await import('../../dist/subjects/reference/driver.js');
