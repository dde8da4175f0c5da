import type { Deps, Scope, Surface } from '../../core/context.ts';

/** The surfaces that a person connects clients to; an assistant's Reserve button uses a key. */
export type ProtectedSurface = Exclude<Surface, 'reserve'>;

/** An MCP endpoint as an OAuth resource. A token is issued for exactly one of them. */
export interface ProtectedResource {
  surface: ProtectedSurface;
  path: string;
  /** Resource indicator in tokens (RFC 8707). */
  url: string;
  /** Address of its metadata document (RFC 9728). */
  metadataUrl: string;
  /** Scopes that can be granted there: no two resources share one. */
  scopes: readonly Scope[];
}

type Addresses = Pick<Deps['config'], 'baseUrl' | 'partnerUrl'>;

const ENDPOINTS: Record<ProtectedSurface, { path: string; host: keyof Addresses; scopes: readonly Scope[] }> =
  {
    agent: { path: '/mcp', host: 'baseUrl', scopes: ['read', 'write'] },
    partner: { path: '/api/partner/mcp', host: 'partnerUrl', scopes: ['partner.read'] },
    concierge: { path: '/api/concierge/mcp', host: 'partnerUrl', scopes: ['bookings'] },
  };

export function protectedResource(addresses: Addresses, surface: ProtectedSurface): ProtectedResource {
  const { path, host, scopes } = ENDPOINTS[surface];
  const origin = addresses[host];
  const metadataUrl = `${origin}/.well-known/oauth-protected-resource${path}`;
  return { surface, path, url: origin + path, metadataUrl, scopes };
}

export function protectedResources(addresses: Addresses): ProtectedResource[] {
  return (['agent', 'partner', 'concierge'] as const).map((surface) => protectedResource(addresses, surface));
}
