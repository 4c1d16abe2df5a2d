import { expect, it } from 'vitest';
import { HttpEndpoint } from '../../src/transport/http-endpoint.ts';

it('judges an answer that it did not ask for as one to a POST', async () => {
  const endpoint = new HttpEndpoint({ url: new URL('http://127.0.0.1:1/mcp'), headers: {}, fetch: undefined, errorBodyTimeoutMs: 100, sessionLostOn400: true });
  expect((await endpoint.refusal(new Response(null, { status: 405 }))).message).toContain('takes no Streamable HTTP');
  expect((await endpoint.strangeness(new Response('<html>'))).message).toContain('not with MCP');
});
