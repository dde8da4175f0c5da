import type { Actor, Deps, Surface } from '../core/context.ts';
import { AppError } from '../core/errors.ts';
import { andThen, orElse, type NowOrLater } from '../core/memory/now-or-later.ts';
import type { AddressGroup } from '../core/text/address-group.ts';
import type { KeyOwner } from '../accounts/keys/key-owner.ts';
import type { ExchangeRequest } from './http/exchange.ts';

/**
 * Who sends this request. A credential that is present must be right: a wrong one never counts as none. Tokens of OAuth
 * are good only for the resource that they were issued for; a key opens every address of its surface. Who sends none
 * is known at once.
 */
export function authenticate(
  deps: Deps,
  surface: Surface,
  { id, address, headers }: Pick<ExchangeRequest, 'id' | 'address' | 'headers'>,
  resource = '',
): NowOrLater<Actor> {
  if (surface === 'agent') {
    const { authorization } = headers;
    if (authorization === undefined) return { kind: 'anonymous', address };
    return authenticateAgent(deps, authorization, address, resource);
  }
  const key = surface === 'reserve' ? hostKey(deps, headers) : headers['x-partner-key'];
  if (key === undefined) return { kind: 'anonymous', address };
  const partner = authenticatePartner(deps, typeof key === 'string' ? key.trim() : '', id, address);
  return surface === 'reserve' ? andThen(partner, (actor): Actor => ({ ...actor, shared: true })) : partner;
}

/** The key of an assistant: as partners send theirs, as a bearer token, or, if it sends none, the one of the settings. */
function hostKey({ config }: Deps, headers: ExchangeRequest['headers']): string | string[] | undefined {
  const { authorization, 'x-partner-key': key } = headers;
  return key ?? authorization?.replace(/^bearer +/i, '') ?? config.reserve?.keyOfUnkeyed;
}

function authenticatePartner(
  deps: Deps,
  key: string,
  requestId: string,
  address: AddressGroup,
): NowOrLater<Extract<Actor, { kind: 'partner' }>> {
  return andThen(deps.partnerKeys.find(key, requestId), ({ status, ...owner }) => {
    if (status === 'suspended') {
      throw new AppError(
        'partner_suspended',
        'This partner is suspended. Its key opens nothing until a person lifts that.',
        { hint: `Write to ${deps.config.contactEmail}.` },
      );
    }
    return { kind: 'partner' as const, ...owner, address };
  });
}

function authenticateAgent(
  deps: Deps,
  authorization: string,
  address: AddressGroup,
  resource: string,
): NowOrLater<Actor> {
  const headers = () => ({ 'www-authenticate': bearerChallenge(deps.config, 'invalid_token') });
  const token = /^bearer +(\S+) *$/i.exec(authorization)?.[1];
  if (token === undefined) {
    throw new AppError(
      'invalid_key',
      'The Authorization header must be: Bearer, a space, and your API key or access token.',
      { headers: headers() },
    );
  }
  const find = (): NowOrLater<KeyOwner | TokenOwner> =>
    deps.accessTokens.isToken(token) ? deps.accessTokens.find(token, resource) : deps.keyOwners.find(token);
  const owner = orElse(find, (thrown) => {
    if (thrown instanceof AppError) Object.assign(thrown.headers, headers());
    throw thrown;
  });
  return andThen(owner, (known) => agentOf(deps, known, address));
}

function agentOf({ config }: Deps, owner: KeyOwner | TokenOwner, address: AddressGroup): Actor {
  if (owner.status === 'suspended') {
    throw new AppError(
      'agent_suspended',
      'This agent is suspended. Its key opens nothing until a person lifts that.',
      { hint: `Write to ${config.contactEmail}.` },
    );
  }
  const known = { kind: 'agent', id: owner.id, plan: owner.plan, address } as const;
  return 'keyHash' in owner ? { ...known, keyHash: owner.keyHash } : { ...known, scopes: owner.scopes };
}

type TokenOwner = Awaited<ReturnType<Deps['accessTokens']['find']>>;

/** The challenge from which an MCP client discovers everything else (RFC 6750 and RFC 9728). */
export function bearerChallenge(
  config: Deps['config'],
  error?: 'invalid_token' | 'insufficient_scope',
  scopes: readonly ('read' | 'write')[] = ['read', 'write'],
): string {
  const metadata = `${config.baseUrl}/.well-known/oauth-protected-resource/mcp`;
  const reason = error === undefined ? '' : `error="${error}", `;
  const scope = scopes.map((one) => `${config.prefix}.${one}`).join(' ');
  return `Bearer ${reason}resource_metadata="${metadata}", scope="${scope}"`;
}
