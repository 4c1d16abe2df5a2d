import { history, type HistoryBuilder, type JudgeHistories } from './builder.ts';

const ambient = { MCPBC_API_KEY: 'k', mcpbc_lower: 'l', DSH_MCPBC_HOME: 'd', MCPBC_PLAIN: 'p' };
const inside = (values: Record<string, string | null>, configured: Record<string, string> = {}): HistoryBuilder =>
  history().event({ kind: 'environment', server: 'housed', names: Object.keys(values), values, ambient, configured });
const clean = { MCPBC_API_KEY: null, mcpbc_lower: 'l', DSH_MCPBC_HOME: null, MCPBC_PLAIN: 'p' };
const hello = (argv: readonly string[], cwd: string): HistoryBuilder =>
  history().event({ kind: 'host-event', event: 'hello', detail: { argv, cwd, configured: { args: ['two words', ''], cwd: '/tmp' } } });

const folders = (host: string, cwd: string): HistoryBuilder => history().event({ kind: 'host-event', event: 'folders', detail: { host, cwd } });

/** Two processes, the second of which was looked into. */
const twice = (): HistoryBuilder => history().record('housed', { kind: 'process', event: 'start' }, 1).record('housed', { kind: 'process', event: 'exit', code: 3 }, 1).record('housed', { kind: 'process', event: 'start' }, 2);
const insideLater = (values: Record<string, string | null>, configured: Record<string, string> = {}): HistoryBuilder =>
  twice().event({ kind: 'environment', server: 'housed', names: Object.keys(values), values, ambient, configured });

const scrubbed = (check: string): JudgeHistories => ({
  check,
  mustFail: [
    inside({ ...clean, MCPBC_API_KEY: 'k' }).named('a key is inherited'), inside({ ...clean, DSH_MCPBC_HOME: 'd' }).named('a variable of the host itself is inherited'),
    inside({ ...clean, mcpbc_lower: null }).named('an innocent variable is lost'), inside({ ...clean, MCPBC_PLAIN: 'other' }).named('a value is changed'),
  ],
  mustPass: [inside({ ...clean, MCPBC_API_KEY: 'own', EXTRA: 'x' }, { MCPBC_API_KEY: 'own' }).named('a configured key, and a variable more')],
  mustDoubt: [history().named('nobody looked')],
});

/** What the judges of `environment` must refuse and must let pass. */
export const environmentHistories: readonly JudgeHistories[] = [
  scrubbed('ENVIRONMENT-001/without-env'),
  scrubbed('ENVIRONMENT-001/with-env'),
  {
    check: 'ENVIRONMENT-001/recovered',
    mustFail: [insideLater({ ...clean, MCPBC_API_KEY: 'k' }).named('a key reaches the second process'), insideLater({ ...clean, mcpbc_lower: null }).named('the second lacks what the first had')],
    mustPass: [insideLater({ ...clean, MCPBC_API_KEY: 'own' }, { MCPBC_API_KEY: 'own' }).named('a configured key')],
    mustDoubt: [inside({ ...clean, MCPBC_API_KEY: 'k' }).named('one process only')],
  },
  {
    check: 'ENVIRONMENT-002/recovered',
    mustFail: [insideLater(clean, { MCPBC_OWN_TOKEN: 't' }).named('the second process lacks what is configured')],
    mustPass: [
      insideLater({ ...clean, MCPBC_OWN_TOKEN: 't' }, { MCPBC_OWN_TOKEN: 't' }).named('the second has it too'),
      insideLater({ MCPBC_OWN_TOKEN: '', MCPBC_API_KEY: 'own', EXTRA: 'x', MCPBC_PLAIN: 'configured' }, { MCPBC_OWN_TOKEN: '', MCPBC_API_KEY: 'own', MCPBC_PLAIN: 'configured' }).record('housed', { kind: 'process', event: 'exit', code: 0 }, 2).named('an empty one, one over what the host has, and one that nobody configured; what is inherited is another matter'),
    ],
    mustDoubt: [inside({ ...clean, MCPBC_OWN_TOKEN: 't' }, { MCPBC_OWN_TOKEN: 't' }).named('one process only')],
  },
  {
    check: 'ENVIRONMENT-002/with-env',
    mustFail: [
      inside(clean, { MCPBC_OWN_TOKEN: 't' }).named('a configured token is scrubbed'), inside(clean, { MCPBC_PLAIN: 'configured' }).named('the inherited value wins'),
    ],
    mustPass: [inside({ ...clean, MCPBC_EMPTY: '', MCPBC_OWN_TOKEN: 't' }, { MCPBC_EMPTY: '', MCPBC_OWN_TOKEN: 't' }).named('an empty value')],
    mustDoubt: [inside(clean).named('nothing was configured')],
  },
  {
    check: 'ENVIRONMENT-003/arguments',
    mustFail: [
      hello(['entry.js', 'two', 'words', ''], '/tmp').named('split at the space'), hello(['entry.js', 'two words'], '/tmp').named('the empty one is dropped'),
      hello(['entry.js', 'two words', ''], '/').named('another cwd'),
    ],
    mustPass: [hello(['entry.js', '--server', 'x', '--', 'two words', ''], '/tmp').named('after arguments of the program')],
    mustDoubt: [history().named('nobody said hello')],
  },
  {
    check: 'ENVIRONMENT-003/default-cwd',
    mustFail: [folders('/work', '/tmp').named('a folder of its own choice'), folders('/work/project', '/work').named('the folder above')],
    mustPass: [folders('/', '/').named('a host that runs at the root'), folders('/home/a b', '/home/a b').named('a folder with a space')],
    mustDoubt: [history().named('no process told its folder')],
  },
];
