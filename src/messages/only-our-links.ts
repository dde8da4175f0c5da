import { parse as parseDomain } from 'tldts';
import type { Deps } from '../core/context.ts';

/** A host name in any script without a scheme: mail programs turn those into links too. */
const HOST =
  /(?<![\p{L}\p{M}\p{N}])(?:[\p{L}\p{N}][\p{L}\p{M}\p{N}-]*[.。．｡])+(?:xn--[a-z0-9-]*[a-z0-9]|\p{L}[\p{L}\p{M}\p{N}]*)/giu;
const SCHEME = /([a-z][a-z0-9+.-]*):\/\/([^\s/?#]*)/gi;
/** Looks like a dot but does not form a link. */
const LEADER = '․';

/** Defuses all links except ours, because names that users chose must not become links in our mail. */
export function onlyOurLinks(
  text: string,
  { baseUrl, partnerUrl, contactEmail }: Pick<Deps['config'], 'baseUrl' | 'partnerUrl' | 'contactEmail'>,
): string {
  const hosts = [baseUrl, partnerUrl]
    .map((url) => new URL(url))
    .flatMap(({ host, hostname }) => [host, hostname]);
  const ours = new Set([...hosts, contactEmail.split('@').at(-1)?.toLowerCase()]);
  const isOurs = (host: string) => ours.has(host.toLowerCase());
  return text
    .replace(SCHEME, (whole, scheme: string, host: string) => (isOurs(host) ? whole : `${scheme}: //${host}`))
    .replace(HOST, (host) => (isOurs(host) || !isHost(host) ? host : host.replaceAll(/[.。．｡]/g, LEADER)));
}

function isHost(name: string): boolean {
  const { isIcann, isPrivate, domain } = parseDomain(name.toLowerCase().replaceAll(/[。．｡]/g, '.'));
  return domain !== null && (isIcann === true || isPrivate === true);
}
