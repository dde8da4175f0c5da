import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { EgressError } from './egress-error.ts';
import { isPublicAddress } from './public-address.ts';

declare module '../context.ts' {
  interface Deps {
    egress: EgressPolicy;
  }
}

export interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}

export type Resolve = (host: string) => Promise<ResolvedAddress[]>;

export interface EgressPolicy {
  /** Exact host:port pairs that may be called although private or plain http: EGRESS_ALLOW. */
  allow: readonly string[];
  /** Allowed ports besides 443 and 8443, and with plain http 80 and 8080. Ports below 1024 are ignored. */
  ports?: readonly number[];
  timeoutMsMax?: number;
  resolve?: Resolve;
}

/** The target of a vetted call: the connection is made to one of these addresses and to nothing else. */
export interface EgressTarget {
  url: URL;
  host: string;
  port: number;
  addresses: readonly ResolvedAddress[];
}

const HTTPS_PORTS = [443, 8443];
const HTTP_PORTS = [80, 8080];
const WELL_KNOWN_PORT_MAX = 1023;
/** Host names that only exist inside a private network. */
const INSIDE = /(^|\.)(localhost|localdomain|local|internal|onion|home\.arpa)$/;

/** Decides whether a foreign URL may be called, and resolves it. Called at submission and before every call. */
export async function vetUrl(
  policy: EgressPolicy,
  text: string,
  options: { plainHttp?: boolean } = {},
): Promise<EgressTarget> {
  const url = readUrl(text);
  // The parser has already converted 0x7f.1, 2130706433 and 0177.0.0.1 to dotted form; only its result is checked.
  const host = bareHost(url.hostname);
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  const allowed = policy.allow.some((pair) => bareHostAndPort(pair) === `${host}:${port}`);
  if (!allowed) refuseOutside(policy, url, host, port, options.plainHttp === true);
  const addresses = await addressesOf(policy.resolve ?? systemResolve, host);
  if (!allowed && !addresses.every(({ address }) => isPublicAddress(address)))
    throw blocked('The URL resolves to an address that is not on the public internet.');
  return { url, host, port, addresses };
}

function readUrl(text: string): URL {
  const url = URL.parse(text);
  if (url === null) throw blocked('The URL cannot be read.');
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw blocked('The URL must begin with https://.');
  if (url.username !== '' || url.password !== '')
    throw blocked('The URL must not contain a user name or password.');
  return url;
}

function refuseOutside(policy: EgressPolicy, url: URL, host: string, port: number, plainHttp: boolean): void {
  if (url.protocol === 'http:' && !plainHttp) throw blocked('The URL must begin with https://.');
  const further = (policy.ports ?? []).filter((one) => one > WELL_KNOWN_PORT_MAX);
  const ports = [...HTTPS_PORTS, ...(plainHttp ? HTTP_PORTS : []), ...further];
  if (!ports.includes(port)) throw blocked(`The URL uses port ${port}, which is not a web port.`);
  if (isIP(host) === 0 && (!host.includes('.') || INSIDE.test(host)))
    throw blocked("The URL's host is not on the public internet.");
}

async function addressesOf(resolve: Resolve, host: string): Promise<readonly ResolvedAddress[]> {
  const family = isIP(host);
  if (family === 4 || family === 6) return [{ address: host, family }];
  let addresses: ResolvedAddress[];
  try {
    addresses = await resolve(host);
  } catch (cause) {
    throw new EgressError('dns', 'The host name cannot be resolved.', { cause });
  }
  if (addresses.length === 0) throw new EgressError('dns', 'The host name has no address.');
  return addresses;
}

async function systemResolve(host: string): Promise<ResolvedAddress[]> {
  const addresses = await lookup(host, { all: true });
  return addresses.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
}

/** Normalizes a host for comparison: lower case, without the trailing dot and the brackets of IPv6. */
function bareHost(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/\.+$/, '')
    .replace(/^\[(.*)\]$/, '$1');
}

function bareHostAndPort(pair: string): string {
  const colon = pair.lastIndexOf(':');
  return bareHost(pair.slice(0, colon)) + pair.slice(colon);
}

function blocked(message: string): EgressError {
  return new EgressError('blocked_address', message);
}
