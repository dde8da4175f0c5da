import type { Deps, Scope, Surface } from '../../core/context.ts';

/** The surfaces that a person connects clients with; an assistant's Reserve button has a key. */
export type ProtectedSurface = Exclude<Surface, 'reserve'>;

/** An MCP endpoint as OAuth knows it. A token is issued for one of them and opens no other. */
export interface ProtectedResource {
  surface: ProtectedSurface;
  path: string;
  /** By what tokens name it (RFC 8707). */
  url: string;
  /** Where its document is (RFC 9728). */
  metadataUrl: string;
  /** What can be allowed there: no two of them share a scope. */
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
