/**
 * A stranger's case must be safe to run: what it puts into an environment reaches programs of this machine, and some
 * names make a program run other code, write files or reach out.
 */
import type { Explained } from '../scenario/explain.ts';
import { isJsonObject } from '../jsonrpc/message.ts';
import type { CaseFile, CaseHost } from './schema.ts';

type Path = Explained['path'];

/** How the names begin that loaders, runtimes and tools read, in lower case. */
const STEERING_PREFIXES: readonly string[] = [
  'node_', 'npm_', 'npx_', 'yarn_', 'pnpm_', 'bun_', 'deno_', 'ts_node', 'tsx_', 'vitest', 'electron_', 'ld_', 'dyld_', 'glibc_', 'malloc_', 'gconv_', 'python',
  'pip_', 'uv_', 'virtual_env', 'conda_', 'perl', 'ruby', 'gem_', 'bundle_', 'java_', '_java', 'jdk_', 'maven_', 'gradle_', 'dotnet_', 'coreclr_', 'cor_', 'complus_',
  'git_', 'ssh_', 'bash', 'php', 'lua', 'rust', 'cargo_', 'docker_', 'openssl_', 'ssl_', 'curl_', 'grpc_', 'xdg_', 'gtk_', 'qt_', 'mcp_conformance_', 'cordis_',
];
/** Whole names of that kind. */
const STEERING: ReadonlySet<string> = new Set([
  'path', 'pathext', 'home', 'homedrive', 'homepath', 'userprofile', 'appdata', 'localappdata', 'programdata', 'systemroot', 'windir', 'comspec', 'shell', 'shellopts',
  'env', 'zdotdir', 'ifs', 'cdpath', 'ps4', 'prompt_command', 'globignore', 'tmpdir', 'tmp', 'temp', 'sslkeylogfile', 'hostaliases', 'localdomain', 'res_options',
  'locpath', 'nlspath', 'terminfo', 'termcap', 'editor', 'visual', 'pager', 'lesspipe', 'lessopen', 'browser', 'classpath', 'http_proxy', 'https_proxy', 'all_proxy',
  'no_proxy', 'ftp_proxy', 'psmodulepath', 'r_home', 'display',
  'godebug', 'goroot', 'gopath', 'goflags', 'goproxy', 'gocache', 'goenv', 'gotoolchain',
]);
/** How a server is reached is for the suite to say. */
const OF_THE_SUITE: readonly string[] = ['command', 'args', 'url', 'transport'];
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** What in a case could harm the machine it runs on, with its place. */
export function harmful(file: CaseFile): Explained[] {
  return [
    ...inHost(file.host, ['host']),
    ...Object.entries(file.servers).flatMap(([name, { options }]) => inOptions(options, ['servers', name, 'options'])),
    ...file.steps.flatMap((step, index) => {
      const at: Path = ['steps', index];
      if ('configure' in step) return inOptions(step.configure.options, [...at, 'configure', 'options']);
      return 'open' in step && step.open !== true ? inHost(step.open.host, [...at, 'open', 'host']) : [];
    }),
  ];
}

function inHost(host: CaseHost | undefined, at: Path): Explained[] {
  if (host === undefined) return [];
  const proxy = host.proxy === undefined || host.proxy === 'suite' || isLoopback(host.proxy)
    ? [] : [{ path: [...at, 'proxy'], message: 'leads away from this machine; name a port of 127.0.0.1, or write `suite`' }];
  return [...names(host.environment, [...at, 'environment']), ...proxy];
}

function inOptions(options: Readonly<Record<string, unknown>> | undefined, at: Path): Explained[] {
  if (options === undefined) return [];
  const own = OF_THE_SUITE.filter((name) => Object.hasOwn(options, name)).map((name) => ({
    path: [...at, name], message: 'says how the server is reached, which the suite does; leave it out',
  }));
  return [...own, ...names(options['env'], [...at, 'env'])];
}

function names(environment: unknown, at: Path): Explained[] {
  if (!isJsonObject(environment)) return [];
  return Object.keys(environment).filter(steers).map((name) => ({
    path: [...at, name], message: 'is a name that steers programs, and a case must not run or reach anything; take a name that none reads, such as MY_SETTING or MY_TOKEN',
  }));
}

function steers(name: string): boolean {
  const lower = name.toLowerCase();
  return STEERING.has(lower) || STEERING_PREFIXES.some((prefix) => lower.startsWith(prefix));
}

function isLoopback(url: string): boolean {
  try {
    return LOOPBACK.test(new URL(url).hostname);
  } catch {
    return false;
  }
}
