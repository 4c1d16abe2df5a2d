/** The platform's proxy settings, read once (B29, R55). */

/** Where requests go through; an empty text is none. */
export interface ProxySettings {
  /** For http servers: `http_proxy`, else `HTTP_PROXY`. */
  readonly httpProxy: string;
  /** For https servers: `https_proxy`, else `HTTPS_PROXY`, else the one for http. */
  readonly httpsProxy: string;
  /** Hosts that are reached directly, separated by commas or spaces; `*` is all of them. */
  readonly noProxy: string;
}

/** The settings of an environment. The lower-case name wins, as it does for curl and Node. */
export function readProxySettings(env: Readonly<Record<string, string | undefined>>): ProxySettings {
  const httpProxy = withScheme(env['http_proxy'] ?? env['HTTP_PROXY'] ?? '');
  const httpsProxy = withScheme(env['https_proxy'] ?? env['HTTPS_PROXY'] ?? '');
  return { httpProxy, httpsProxy: httpsProxy === '' ? httpProxy : httpsProxy, noProxy: env['no_proxy'] ?? env['NO_PROXY'] ?? '' };
}

/** `proxy:3128` is how many write it. */
function withScheme(address: string): string {
  const text = address.trim();
  return text === '' || text.includes('://') ? text : `http://${text}`;
}

/** Whether a host is this machine: never behind a proxy, whatever the settings say. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|.*\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i.test(hostname);
}

/** The proxy of one connection. */
export interface ProxyRoute {
  /** Its address as it was written, credentials included; never for messages. */
  readonly address: string;
  /** The same for messages: scheme, host and port. */
  readonly shown: string;
  /** Where its address was written, for messages. */
  readonly variable: string;
}

/** The proxy through which a server is asked, or `undefined` for none. @throws TypeError for an address that is none */
export function proxyFor(url: URL, { httpProxy, httpsProxy, noProxy }: ProxySettings): ProxyRoute | undefined {
  const isTls = url.protocol === 'https:';
  const address = isTls ? httpsProxy : httpProxy;
  if (address === '' || isLoopback(url.hostname) || isExempt(url, noProxy)) return undefined;
  const { protocol, host } = new URL(address);
  return { address, shown: `${protocol}//${host}`, variable: isTls && httpsProxy !== httpProxy ? 'HTTPS_PROXY' : isTls ? 'HTTPS_PROXY or HTTP_PROXY' : 'HTTP_PROXY' };
}

/** Whether a list of hosts names this one, itself or as a part of its domain, with its port or without one. */
function isExempt(url: URL, noProxy: string): boolean {
  const { hostname } = url;
  const ownPort = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  return noProxy.toLowerCase().split(/[,\s]/).some((entry) => {
    const port = /:\d+$/.exec(entry)?.[0];
    const name = entry.slice(0, port === undefined ? undefined : -port.length).replace(/^\*?\./, '');
    const isOurs = name !== '' && (hostname === name || hostname.endsWith(`.${name}`));
    return entry === '*' || (isOurs && (port === undefined || port === `:${ownPort}`));
  });
}
