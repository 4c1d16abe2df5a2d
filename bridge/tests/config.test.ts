import { anything, assert, dictionary, oneof, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RECONNECT_OPTIONS, TUNING_OPTIONS } from '../src/config-options.ts';
import { MAX_TIMER_MS } from '../src/connection-limits.ts';
import { resolveConfig } from '../src/config.ts';
import { BridgeError } from '../src/errors.ts';

const STDIO = { transport: 'stdio', serverName: 'github', command: 'npx' };
const HTTP = { transport: 'streamable-http', serverName: 'web', url: 'http://localhost:3000/mcp' };

/** The message with which a config is refused. */
function refusal(config: unknown): string {
  try {
    resolveConfig(config);
  } catch (error) {
    expect(error).toBeInstanceOf(BridgeError);
    expect(error).toMatchObject({ code: 'config-invalid' });
    return error instanceof Error ? error.message : '';
  }
  throw new Error('the config was accepted');
}

describe('resolveConfig', () => {
  it('fills in every default the requirements state (S03, S05, S06, S07, B03)', () => {
    const { config, warnings } = resolveConfig(STDIO);
    expect(warnings).toEqual([]);
    expect(config).toMatchObject({
      transport: 'stdio',
      args: [],
      cwd: undefined,
      toolCallTimeoutMs: 60_000,
      failOnStartupError: false,
      connectTimeoutMs: 60_000,
      discoveryTimeoutMs: 60_000,
      reconnect: { enabled: true, initialDelayMs: 500, maxDelayMs: 30_000, maxAttempts: 10 },
    });
    expect(Object.keys({ ...config })).toEqual(expect.arrayContaining(TUNING_OPTIONS.map((option) => option.key)));
    expect(Object.keys(config.reconnect)).toEqual(RECONNECT_OPTIONS.map((option) => option.key));
  });

  it('lets progress extend no call unless it is asked for (B11)', () => {
    expect(resolveConfig({ ...STDIO, toolCallTimeoutMs: 5 }).config.toolCallMaxTotalMs).toBe(5);
    expect(resolveConfig({ ...STDIO, toolCallTimeoutMs: 90_000, toolCallMaxTotalMs: null }).config.toolCallMaxTotalMs).toBe(90_000);
    expect(resolveConfig({ ...STDIO, toolCallMaxTotalMs: 600_000 }).config).toMatchObject({ toolCallTimeoutMs: 60_000, toolCallMaxTotalMs: 600_000 });
  });

  it('takes a fetch that is given in code (B29)', () => {
    expect(resolveConfig({ ...HTTP, fetch }).config).toMatchObject({ fetch });
    expect(resolveConfig({ ...HTTP, fetch: null }).config).toMatchObject({ fetch: undefined });
  });

  it('captures the config, so that a later change of the object changes nothing (S07)', () => {
    const env = { A: '1' };
    const args = ['-y'];
    const { config } = resolveConfig({ ...STDIO, env, args });
    env.A = '2';
    args.push('more');
    expect(config).toMatchObject({ env: { A: '1' }, args: ['-y'] });
  });

  it('keeps names of the environment as data (B15)', () => {
    const { config } = resolveConfig({ ...STDIO, env: JSON.parse('{"__proto__":"x","constructor":"y"}') as unknown });
    expect(config.transport === 'stdio' ? Object.entries(config.env) : []).toEqual([['__proto__', 'x'], ['constructor', 'y']]);
  });

  it.each([
    ['no mapping', 'text', 'config: must be a mapping'],
    ['nothing', undefined, 'config: must be a mapping, not nothing'],
    ['a transport that is no word', { ...STDIO, transport: 3 }, 'config.transport: is the number 3; write stdio'],
    ['a server name that is no word', { ...STDIO, serverName: () => 'a' }, 'config.serverName: is a function; write 1 to 32 letters'],
    ['a server name that is no number even', { ...STDIO, serverName: Number.NaN }, 'config.serverName: is NaN; write 1 to 32 letters'],
    ['a command that is a list', { ...STDIO, command: ['npx', '-y'] }, 'config.command: must be text, not a list; write the program to start'],
    ['an empty command', { ...STDIO, command: '' }, 'config.command: must be text, not empty text'],
    ['a NUL in the command', { ...STDIO, command: 'np\0x' }, 'config.command: contains a NUL character; remove it'],
    ['arguments in one text', { ...STDIO, args: '-y server' }, "config.args: must be a list of texts, not text; write one such as ['-y', 'some-server']"],
    ['a NUL in an argument', { ...STDIO, args: ['-y', 'a\0b'] }, 'config.args[1]: contains a NUL character; remove it'],
    ['a fetch that is no function', { ...HTTP, fetch: 'node-fetch' }, 'config.fetch: must be a function, not text; leave it out'],
    ['a longest time below the usual one', { ...STDIO, toolCallMaxTotalMs: 59_999 }, 'config.toolCallMaxTotalMs: is 59999, less than toolCallTimeoutMs, which is 60000; raise it or lower toolCallTimeoutMs'],
    ['an empty working directory', { ...STDIO, cwd: '' }, 'config.cwd: must be text, not empty text; write a folder, or leave it out'],
    ['no transport', { serverName: 'a', command: 'x' }, 'config.transport: is missing'],
    ['an unknown transport', { ...STDIO, transport: 'sse' }, 'config.transport: is "sse"; write stdio or streamable-http'],
    ['no server name', { transport: 'stdio', command: 'x' }, 'config.serverName: is missing'],
    ['a long server name', { ...STDIO, serverName: 'a'.repeat(33) }, 'config.serverName: is "aaaa'],
    ['a server name with a dot', { ...STDIO, serverName: 'a.b' }, 'config.serverName: is "a.b"'],
    ['no command', { transport: 'stdio', serverName: 'a' }, 'config.command: is missing'],
    ['an argument that is a number', { ...STDIO, args: ['-p', 80] }, 'config.args[1]: must be text, not the number 80; put it in quotes'],
    ['no url', { transport: 'streamable-http', serverName: 'a' }, 'config.url: is missing'],
    ['a file url', { ...HTTP, url: 'file:///etc/passwd' }, 'config.url: has the scheme "file:"; use http:// or https://'],
    ['a relative url', { ...HTTP, url: '/mcp' }, 'config.url: is no complete address'],
    ['a url without a host', { ...HTTP, url: 'http://' }, 'config.url: is no complete address'],
    ['a port that none can be', { ...HTTP, url: 'http://127.0.0.1:99999/mcp' }, 'config.url: has a port above 65535; correct the port'],
    ['such a port at the end', { ...HTTP, url: 'https://[::1]:65536' }, 'config.url: has a port above 65535'],
    ['a host that is none, with a port that is one', { ...HTTP, url: 'http://a b:65535/' }, 'config.url: is no complete address'],
    ['a line break in a header', { ...HTTP, headers: { 'X-A': 'a\r\nb' } }, 'config.headers["X-A"]: holds a character'],
    ['an unknown reconnect key', { ...STDIO, reconnect: { maxAttempt: 3 } }, 'config.reconnect.maxAttempt: is no option; did you mean maxAttempts?'],
    ['delays the wrong way round', { ...STDIO, reconnect: { initialDelayMs: 5, maxDelayMs: 4 } }, 'config.reconnect.initialDelayMs: is 5, more than maxDelayMs, which is 4'],
    ['an initial delay above the default maximum', { ...STDIO, reconnect: { initialDelayMs: 30_001 } }, 'config.reconnect.initialDelayMs: is 30001'],
    ['an infinite delay', { ...STDIO, reconnect: { maxDelayMs: Number.POSITIVE_INFINITY } }, 'config.reconnect.maxDelayMs: must be a number of milliseconds, not Infinity'],
    ['a delay of nothing', { ...STDIO, reconnect: { initialDelayMs: 0 } }, 'config.reconnect.initialDelayMs: must be greater than 0'],
    ['more of stderr than anybody reads', { ...STDIO, stderrTailBytes: 1_048_577 }, 'config.stderrTailBytes: must be between 1024 and 1048576, not 1048577'],
    ['half an attempt', { ...STDIO, reconnect: { maxAttempts: 1.5 } }, 'config.reconnect.maxAttempts: must be a whole number'],
    ['a timeout no timer can hold', { ...STDIO, toolCallTimeoutMs: MAX_TIMER_MS + 1 }, 'config.toolCallTimeoutMs: must be between 1 and 2147483647'],
    ['a timeout that is text', { ...STDIO, toolCallTimeoutMs: '500' }, 'config.toolCallTimeoutMs: must be a number of milliseconds, not text; write a plain number without quotes'],
    ['no timeout at all', { ...STDIO, toolCallTimeoutMs: Number.NaN }, 'config.toolCallTimeoutMs: must be a number of milliseconds, not NaN'],
    ['a choice that is none', { ...STDIO, missingStructuredContent: 'panic' }, 'config.missingStructuredContent: is "panic"; write one of warn, fail'],
    ['a flag that is text', { ...STDIO, failOnStartupError: 'yes' }, 'config.failOnStartupError: must be true or false, not text'],
  ])('refuses %s and says the place and the fix (S09)', (_what, config, message) => {
    expect(refusal(config)).toMatch(/^mcp-bridge (?:"[\w-]+" )?config/);
    expect(refusal(config)).toContain(message);
  });

  it('takes a working directory, and an option that is null for one that was left out', () => {
    expect(resolveConfig({ ...STDIO, cwd: '/srv' }).config).toMatchObject({ cwd: '/srv' });
    expect(resolveConfig({ ...STDIO, cwd: null, args: null, env: null, toolCallTimeoutMs: null, reconnect: null })).toEqual({
      ...resolveConfig(STDIO),
      written: expect.anything() as unknown,
    });
  });

  it('quotes a long word only as far as it helps', () => {
    const message = refusal({ ...STDIO, serverName: 'n'.repeat(5_000) });
    expect(message).toContain(`config.serverName: is "${'n'.repeat(60)}…"`);
    expect(message.length).toBeLessThan(200);
  });

  it.each([
    ['maxattempts', 'did you mean maxAttempts?'],
    ['maxAttempt', 'did you mean maxAttempts?'],
    ['axDelayMsm', 'did you mean maxDelayMs?'],
    ['initialDelay', 'did you mean initialDelayMs?'],
    ['initialDelayMsssss', 'did you mean initialDelayMs?'],
    ['', 'the options are enabled, initialDelayMs, maxDelayMs, maxAttempts'],
    ['jitter', 'the options are enabled, initialDelayMs, maxDelayMs, maxAttempts'],
  ])('guesses what reconnect.%s was meant to be: %s', (key, hint) => {
    expect(refusal({ ...STDIO, reconnect: { [key]: 1 } })).toContain(`config.reconnect.${key}: is no option; ${hint}`);
  });

  it('names the entry by its serverName in each line, where that is usable: there may be many entries', () => {
    const lines = refusal({ ...HTTP, url: 'ftp://x', toolCallTimeoutMs: 0 }).split('\n');
    expect(lines.toSorted()).toEqual([
      'mcp-bridge "web" config.toolCallTimeoutMs: must be greater than 0, not 0; write one such as 60000',
      'mcp-bridge "web" config.url: has the scheme "ftp:"; use http:// or https://',
    ]);
    expect(refusal({ ...STDIO, serverName: 'a.b', command: '' })).not.toContain('"a.b" config');
  });

  it('names every fault in one message', () => {
    const message = refusal({ transport: 'stdio', serverName: '!', toolCallTimeoutMs: -1 });
    expect(message.split('\n')).toHaveLength(3);
  });

  it('never repeats a value that may be a secret (B18)', () => {
    const secret = 'canary-7f3a';
    const message = refusal({
      ...HTTP,
      url: `http://user:${secret}@host/`,
      headers: { Authorization: `${secret}\n`, 'X-Key': 5, [`bad name`]: secret },
      toolCallTimeoutMs: secret,
    });
    expect(message).not.toContain(secret);
    expect(message).toContain('config.url: contains a user name or password');
  });

  it('leaves out a variable without a value and says so, rather than handing on the word undefined', () => {
    const { config, warnings } = resolveConfig({ ...STDIO, env: { TOKEN: undefined, A: 'b' } });
    expect(config).toMatchObject({ env: { A: 'b' } });
    expect(warnings).toEqual(['config.env["TOKEN"]: has no value and is left out']);
  });

  it('asks about a value that an unset variable has made of a template, and keeps it', () => {
    const { config, warnings } = resolveConfig({ transport: 'streamable-http', serverName: 'a', url: 'http://127.0.0.1/', headers: { Authorization: 'Bearer undefined', Note: 'undefined behaviour' } });
    expect(warnings).toEqual(['config.headers["Authorization"]: ends with the word "undefined"; is the variable set that its expression reads?']);
    expect(config).toMatchObject({ headers: { Authorization: 'Bearer undefined' } });
  });

  it('only warns of a top-level key it does not know, so that a drop-in entry loads', () => {
    const { warnings } = resolveConfig({ ...STDIO, toolCallTimeout: 5, url: 'http://x', $if: true });
    expect(warnings).toEqual([
      'config: "toolCallTimeout" is no option and is ignored; did you mean toolCallTimeoutMs?',
      'config: "url" is ignored: it belongs to the transport streamable-http',
      'config: "$if" is no option and is ignored',
    ]);
  });

  it('answers anything at all with a config or with a BridgeError', () => {
    const keys = oneof(string(), ...[...TUNING_OPTIONS, ...RECONNECT_OPTIONS].map((option) => string().map(() => option.key as string)));
    assert(
      property(dictionary(keys, anything()), anything(), anything(), (odd, env, reconnect) => {
        try {
          resolveConfig({ ...STDIO, ...odd, env, reconnect });
        } catch (error) {
          expect(error).toBeInstanceOf(BridgeError);
        }
      }),
      { numRuns: 500 },
    );
  });
});
