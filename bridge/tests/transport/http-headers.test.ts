import { describe, expect, it } from 'vitest';
import { BridgeError } from '../../src/errors.ts';
import { usableHeaders } from '../../src/transport/http-headers.ts';

describe('usableHeaders', () => {
  it('keeps what is configured', () => {
    expect(usableHeaders({ 'X-Api-Key': 'k', Authorization: 'Bearer t' }, () => {})).toEqual({ 'X-Api-Key': 'k', Authorization: 'Bearer t' });
  });

  it("leaves out what is the protocol's or the client's, and says so by name (S04)", () => {
    const told: string[] = [];
    expect(usableHeaders({ ACCEPT: 'text/html', 'Mcp-Session-Id': 'mine', 'Content-Length': '3', 'X-Ok': '1' }, (message) => told.push(message))).toEqual({ 'X-Ok': '1' });
    expect(told).toHaveLength(3);
    expect(told[0]).toBe('the configured header "ACCEPT" is not sent: it belongs to the protocol; remove it');
  });

  it.each([['bad name', 'v'], ['', 'v'], ['X-A', 'a\r\nX-B: b'], ['X-A', 'snow ☃']])('refuses the header %j: %j by name, without its value (B18)', (name, value) => {
    const refused = (): unknown => usableHeaders({ [name]: value }, () => {});
    expect(refused).toThrow(BridgeError);
    expect(refused).toThrow(expect.objectContaining({ code: 'connect-failed', message: `the configured header ${JSON.stringify(name)} has a name or a value that HTTP does not allow; correct it in \`headers\`` }));
  });

  it('treats names as data', () => {
    const headers: Record<string, string> = JSON.parse('{"__proto__":"a","constructor":"b"}');
    expect(Object.entries(usableHeaders(headers, () => {}))).toEqual([['__proto__', 'a'], ['constructor', 'b']]);
  });
});
