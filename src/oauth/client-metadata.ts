import { oneLine, visibleMembers } from '../core/text/visible-text.ts';
import { redirectKind } from './redirect-uri.ts';

export const GRANT_TYPES = ['authorization_code', 'refresh_token'];
export const RESPONSE_TYPES = ['code'];

/** Normalizes metadata. Only native clients may use any loopback port, and MCP clients seldom declare themselves so. */
export function adaptMetadata(metadata: Record<string, unknown>): void {
  Object.assign(metadata, visibleMembers({ ...metadata }));
  const name = metadata['client_name'];
  if (typeof name === 'string') metadata['client_name'] = oneLine(name);
  // A name without visible characters counts as none.
  if (metadata['client_name'] === '') delete metadata['client_name'];
  const uris = Array.isArray(metadata['redirect_uris']) ? metadata['redirect_uris'] : [];
  // Refused redirect URIs reject a registration; in a document or an older client they are dropped.
  const allowedUris = uris.filter((uri) => typeof uri !== 'string' || redirectKind(uri) !== 'refused');
  if (allowedUris.length < uris.length) metadata['redirect_uris'] = allowedUris;
  const kinds = allowedUris.map((uri) => (typeof uri === 'string' ? redirectKind(uri) : 'refused'));
  metadata['application_type'] = kinds.some((kind) => kind === 'loopback' || kind === 'app')
    ? 'native'
    : 'web';
  metadata['grant_types'] = supportedValues(metadata['grant_types'], GRANT_TYPES);
  metadata['response_types'] = supportedValues(metadata['response_types'], RESPONSE_TYPES);
  // A client may do what a person grants it, not what it once requested.
  delete metadata['scope'];
}

/** Returns the supported values (RFC 7591); a client that names none gets all, so that it can refresh. */
function supportedValues(requested: unknown, supported: readonly string[]): string[] {
  const values = Array.isArray(requested)
    ? supported.filter((one) => requested.includes(one))
    : [...supported];
  return values.includes(supported[0] ?? '') ? values : [supported[0] ?? '', ...values];
}

export interface ClientDisplay {
  /** Name that the client chose. Anybody can choose any name, so it is never shown alone. */
  name: string;
  /** Host that publishes the client's document, or else the redirect target: neither can be forged. */
  host: string;
  /** True when the host publishes a document about the client. */
  published: boolean;
  returnsTo: string;
}

const NAME_MAX = 80;
// Control characters and bidirectional marks could make a name look like another.
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/gu;

export function describeClient(
  clientId: string,
  clientName: string | undefined,
  redirectUri: string,
): ClientDisplay {
  const redirect = new URL(redirectUri);
  const target = redirect.host === '' ? redirect.protocol.slice(0, -1) : redirect.host;
  const document = URL.parse(clientId);
  const published = document?.protocol === 'https:';
  const host = published ? document.host : target;
  const plain = (clientName ?? '').replaceAll(INVISIBLE, '').replaceAll(/\s+/g, ' ').trim();
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
