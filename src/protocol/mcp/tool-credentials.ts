import { protectedResource } from '../../accounts/keys/protected-resource.ts';
import type { Deps, Scope, Surface } from '../../core/context.ts';
import type { Access } from '../../core/operation.ts';

type Scheme =
  { type: 'noauth' } | { type: 'oauth2'; scopes: string[] } | { type: 'apiKey'; in: 'header'; name: string };

/** The credentials of a tool, as hosts read them in a list: some look beside the name, some into `_meta`. */
export function securityMembers(config: Deps['config'], access: Access, surface: Surface) {
  const securitySchemes = schemesOf(config, access, surface);
  return { securitySchemes, _meta: { securitySchemes } };
}

function schemesOf(config: Deps['config'], access: Access, surface: Surface): Scheme[] {
  const byToken = (scopes: readonly Scope[]): Scheme => ({
    type: 'oauth2',
    scopes: scopes.map((scope) => `${config.prefix}.${scope}`),
  });
  if (surface === 'reserve' && config.reserve?.keyOfUnkeyed !== undefined) return [{ type: 'noauth' }];
  if (surface === 'reserve' || (access.who !== 'anyone' && access.keyOnly === true))
    return [{ type: 'apiKey', in: 'header', name: surface === 'agent' ? 'Authorization' : 'X-Partner-Key' }];
  if (access.who === 'agent') return [byToken([access.scope])];
  if (surface === 'agent') return [{ type: 'noauth' }];
  const signedIn = byToken(protectedResource(config, surface).scopes);
  return access.who === 'anyone' && surface === 'partner' ? [{ type: 'noauth' }, signedIn] : [signedIn];
}
