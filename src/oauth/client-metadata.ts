import { oneLine, visibleMembers } from '../core/text/visible-text.ts';
import { redirectKind } from './redirect-uri.ts';

export const GRANT_TYPES = ['authorization_code', 'refresh_token'];
export const RESPONSE_TYPES = ['code'];

/**
 * Brings what a client says of itself into the form in which it is served here. Clients of MCP seldom say that they are
 * native programs, and only those may come back on any port of the loopback address.
 */
export function adaptMetadata(metadata: Record<string, unknown>): void {
  Object.assign(metadata, visibleMembers({ ...metadata }));
  const name = metadata['client_name'];
  if (typeof name === 'string') metadata['client_name'] = oneLine(name);
  // A client that gives itself no name to see has none.
  if (metadata['client_name'] === '') delete metadata['client_name'];
  const uris = Array.isArray(metadata['redirect_uris']) ? metadata['redirect_uris'] : [];
  // A registration with an address to which we send nobody was refused; a document, or a client from before, loses it.
  const kept = uris.filter((uri) => typeof uri !== 'string' || redirectKind(uri) !== 'refused');
  if (kept.length < uris.length) metadata['redirect_uris'] = kept;
  const kinds = kept.map((uri) => (typeof uri === 'string' ? redirectKind(uri) : 'refused'));
  metadata['application_type'] = kinds.some((kind) => kind === 'loopback' || kind === 'app')
    ? 'native'
    : 'web';
  metadata['grant_types'] = known(metadata['grant_types'], GRANT_TYPES);
  metadata['response_types'] = known(metadata['response_types'], RESPONSE_TYPES);
  // What a client may do is what a person allows it, not what it once named.
  delete metadata['scope'];
}

/**
 * Of the values that were named those that we know; a server may leave out what it does not offer, and add what it does
 * (RFC 7591): a client that names nothing gets everything, so that its access renews on its own.
 */
function known(named: unknown, offered: readonly string[]): string[] {
  const kept = Array.isArray(named) ? offered.filter((one) => named.includes(one)) : [...offered];
  return kept.includes(offered[0] ?? '') ? kept : [offered[0] ?? '', ...kept];
}

export interface ClientFace {
  /** What the client calls itself. Anybody can choose any name, so it never stands alone. */
  name: string;
  /** Who publishes the client's document, or else where the person is sent afterwards: neither can be made up. */
  host: string;
  /** Whether the host publishes a document about the client. */
  published: boolean;
  /** Where the person is sent afterwards, in words. */
  returnsTo: string;
}

const NAME_MAX = 80;
// Control characters and marks that turn the direction of writing could make a name look like another.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/gu;

/** How a client is shown to a person. */
export function clientFace(
  clientId: string,
  clientName: string | undefined,
  redirectUri: string,
): ClientFace {
  const redirect = new URL(redirectUri);
  const target = redirect.host === '' ? redirect.protocol.slice(0, -1) : redirect.host;
  const document = URL.parse(clientId);
  const published = document?.protocol === 'https:';
  const host = published ? document.host : target;
  const plain = (clientName ?? '').replaceAll(UNSEEN, '').replaceAll(/\s+/g, ' ').trim();
  const name = Array.from(plain).slice(0, NAME_MAX).join('').trim();
  return { name: name === '' ? host : name, host, published, returnsTo: returnWords(redirectUri, redirect) };
}

function returnWords(redirectUri: string, { host, protocol }: URL): string {
  switch (redirectKind(redirectUri)) {
    case 'loopback':
      return `a program on this computer (${host})`;
    case 'app':
      return `an app on this device (${protocol.slice(0, -1)})`;
    default:
      return host;
  }
}
