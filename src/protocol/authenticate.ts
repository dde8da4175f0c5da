import type { Actor, Deps, Scope, Surface } from '../core/context.ts';
import { AppError } from '../core/errors.ts';
import { andThen, orElse, type NowOrLater } from '../core/memory/now-or-later.ts';
import type { AddressGroup } from '../core/text/address-group.ts';
import type { KeyOwner } from '../accounts/keys/key-owner.ts';
import { protectedResource } from '../accounts/keys/protected-resource.ts';
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
  const { authorization } = headers;
  if (surface === 'agent') {
    if (authorization === undefined) return { kind: 'anonymous', address };
    return authenticateBearer(deps, surface, authorization, address, (token) =>
      deps.accessTokens.isToken(token) ? deps.accessTokens.find(token, resource) : deps.keyOwners.find(token),
    );
  }
  if (surface === 'reserve') {
    const unkeyed = unkeyedHeaders(deps, headers);
    return andThen(
      authenticatePartner(deps, { id, address, headers: unkeyed ?? headers }, surface, resource),
      (actor) => markShared(actor, unkeyed !== undefined),
    );
  }
  return authenticatePartner(deps, { id, address, headers }, surface, resource);
}

/** The key of the settings for whoever sends none; undefined where one is sent, or none is set. */
function unkeyedHeaders(
  { config }: Deps,
  { authorization, 'x-partner-key': key }: ExchangeRequest['headers'],
): ExchangeRequest['headers'] | undefined {
  const own = config.reserve?.keyOfUnkeyed;
  return (key ?? authorization) === undefined && own !== undefined ? { 'x-partner-key': own } : undefined;
}

/** The guests of an assistant do not know each other. */
function markShared(actor: Actor, unkeyed: boolean): Actor {
  if (actor.kind !== 'partner') return actor;
  return { ...actor, shared: true, ...(unkeyed && { unkeyed }) };
}

function authenticatePartner(
  deps: Deps,
  { id, address, headers }: Pick<ExchangeRequest, 'id' | 'address' | 'headers'>,
  surface: Surface,
  resource: string,
): NowOrLater<Actor> {
  const { authorization, 'x-partner-key': key } = headers;
  if (key !== undefined)
    return andThen(deps.partnerKeys.find(typeof key === 'string' ? key.trim() : '', id), (owner) =>
      partnerOf(deps, owner, address),
    );
  if (authorization === undefined) return { kind: 'anonymous', address };
  // Some hosts can send a key in no other header.
  return authenticateBearer(deps, surface, authorization, address, (token) =>
    deps.accessTokens.isToken(token)
      ? deps.accessTokens.find(token, resource)
      : deps.partnerKeys.find(token, id),
  );
}

type TokenOwner = Awaited<ReturnType<Deps['accessTokens']['find']>>;
type PartnerOwner = Awaited<ReturnType<Deps['partnerKeys']['find']>>;
type Owner = KeyOwner | PartnerOwner | TokenOwner;

function authenticateBearer(
  deps: Deps,
  surface: Surface,
  authorization: string,
  address: AddressGroup,
  find: (token: string) => NowOrLater<Owner>,
): NowOrLater<Actor> {
  const headers = () => ({ 'www-authenticate': bearerChallenge(deps.config, surface, 'invalid_token') });
  const token = /^bearer +(\S+) *$/i.exec(authorization)?.[1];
  if (token === undefined) {
    throw new AppError(
      'invalid_key',
      'The Authorization header must be: Bearer, a space, and your key or access token.',
      { headers: headers() },
    );
  }
  const owner = orElse(
    () => find(token),
    (thrown) => {
      if (thrown instanceof AppError) Object.assign(thrown.headers, headers());
      throw thrown;
    },
  );
  return andThen(owner, (known) =>
    isPartner(known) ? partnerOf(deps, known, address) : agentOf(deps, known, address),
  );
}

function isPartner(owner: Owner): owner is PartnerOwner | Extract<TokenOwner, { kind: 'partner' }> {
  return 'bookingsEnabled' in owner;
}

function partnerOf(
  { config }: Deps,
  { status, ...owner }: PartnerOwner | Extract<TokenOwner, { kind: 'partner' }>,
  address: AddressGroup,
): Actor {
  if (status === 'suspended') {
    throw new AppError(
      'partner_suspended',
      'This partner is suspended. Its key opens nothing until a person lifts that.',
      { hint: `Write to ${config.contactEmail}.` },
    );
  }
  return { ...owner, kind: 'partner', address };
}

function agentOf(
  { config }: Deps,
  owner: KeyOwner | Extract<TokenOwner, { kind: 'agent' }>,
  address: AddressGroup,
): Actor {
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

/** The challenge from which an MCP client discovers everything else (RFC 6750 and RFC 9728). */
export function bearerChallenge(
  config: Deps['config'],
  surface: Surface,
  error?: 'invalid_token' | 'insufficient_scope',
  scopes?: readonly Scope[],
): string {
  const reason = error === undefined ? '' : `error="${error}"`;
  if (surface === 'reserve') return `Bearer ${reason}`.trimEnd();
  const resource = protectedResource(config, surface);
  const scope = (scopes ?? resource.scopes).map((one) => `${config.prefix}.${one}`).join(' ');
  const lead = reason === '' ? '' : `${reason}, `;
  return `Bearer ${lead}resource_metadata="${resource.metadataUrl}", scope="${scope}"`;
}
