import { parse as parseDomain } from 'tldts';
import type { Deps } from '../core/context.ts';

/**
 * A host with its dots, in whatever letters, also without a scheme: mail programs make links of those too, and begin and
 * end one at a dash or an underscore.
 */
const HOST =
  /(?<![\p{L}\p{M}\p{N}])(?:[\p{L}\p{N}][\p{L}\p{M}\p{N}-]*[.。．｡])+(?:xn--[a-z0-9-]*[a-z0-9]|\p{L}[\p{L}\p{M}\p{N}]*)/giu;
const SCHEME = /([a-z][a-z0-9+.-]*):\/\/([^\s/?#]*)/gi;
/** Looks like a dot, and makes no link. */
const LEADER = '․';

/**
 * A message with no links but ours. What people called themselves stands in many messages, and a name that holds an
 * address must not become something that the receiver of our letter follows.
 */
export function onlyOurLinks(
  text: string,
  { baseUrl, partnerUrl, contactEmail }: Pick<Deps['config'], 'baseUrl' | 'partnerUrl' | 'contactEmail'>,
): string {
  const hosts = [new URL(baseUrl).host, new URL(partnerUrl).host];
  const ours = new Set([...hosts, ...hosts.map(nameOf), contactEmail.split('@').at(-1)?.toLowerCase()]);
  const isOurs = (host: string) => ours.has(host.toLowerCase());
  return text
    .replace(SCHEME, (whole, scheme: string, host: string) => (isOurs(host) ? whole : `${scheme}: //${host}`))
    .replace(HOST, (host) => (isOurs(host) || !isHost(host) ? host : host.replaceAll(/[.。．｡]/g, LEADER)));
}

function nameOf(host: string): string {
  return host.replace(/:\d+$/, '');
}

function isHost(name: string): boolean {
  const { isIcann, isPrivate, domain } = parseDomain(name.toLowerCase().replaceAll(/[。．｡]/g, '.'));
  return domain !== null && (isIcann === true || isPrivate === true);
}
