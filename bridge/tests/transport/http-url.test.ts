import { expect, it } from 'vitest';
import { parseUrl } from '../../src/transport/http-url.ts';

it.each(['http://a.example:8080/mcp?b=1', 'HTTPS://a.example/'])('takes %s', (text) => {
  expect(parseUrl(text)).toEqual(new URL(text));
});

it.each(['canary', 'ftp://canary.example', 'xhttp://canary.example', 'file:///canary', ''])('refuses %j without repeating it (B18)', (text) => {
  expect(() => parseUrl(text)).toThrow(expect.objectContaining({ code: 'connect-failed', message: '`url` is no http or https URL; correct it' }));
});
