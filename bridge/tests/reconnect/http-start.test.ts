/** A first start over HTTP that fails is retried by the same rules (S06, S07, S52). */
import { afterEach, expect, it } from 'vitest';
import { startHttpServer } from '../helpers/http-server.ts';
import { RealApp } from './real-app.ts';

const app = new RealApp();

afterEach(async () => {
  await app.instance?.dispose();
});

it('comes when the server answers, and says how it failed before (B06)', async () => {
  let refusals = 0;
  const { url } = await startHttpServer({
    before: (_request, response) => {
      if (refusals === 2) return false;
      refusals += 1;
      response.writeHead(503).end('not yet');
      return true;
    },
  });
  await app.load({ transport: 'streamable-http', url, reconnect: { initialDelayMs: 20, maxDelayMs: 40, maxAttempts: 5 } });
  expect(app.tools).toEqual([]);
  expect(app.lines('error')).toEqual([expect.stringMatching(/^not available: .*503.*; it has no tools until it is connected$/)]);
  await app.ready(0);
  expect(app.tools).toEqual(['echo']);
  expect(app.lines('warn')).toEqual(['reconnecting: attempt 1 of 5 in 20 ms', expect.stringMatching(/^attempt 1 of 5 failed: .*503.*; reconnecting: attempt 2 of 5 in 40 ms$/)]);
  expect(app.lines('info')).toContain('recovered at attempt 2 of 5: ready over streamable-http, 1 tools');
});
