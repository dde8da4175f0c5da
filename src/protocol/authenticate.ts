import type { Actor, Deps, Scope, Surface } from '../core/context.ts';
import { AppError } from '../core/errors.ts';
import { andThen, orElse, type MaybePromise } from '../core/memory/maybe-promise.ts';
import type { AddressGroup } from '../core/text/address-group.ts';
import type { KeyOwner } from '../accounts/keys/key-owner.ts';
import { protectedResource } from '../accounts/keys/protected-resource.ts';
import type { ExchangeRequest } from './http/exchange.ts';

/** Identifies the caller. A credential that is present must be valid, and a token must be for this resource. */
export function authenticate(
  deps: Deps,
  surface: Surface,
  { id, address, headers }: Pick<ExchangeRequest, 'id' | 'address' | 'headers'>,
  resource = '',
): MaybePromise<Actor> {
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

/** Headers with the configured key for callers who send none; undefined when they send one, or none is configured. */
function unkeyedHeaders(
  { config }: Deps,
  { authorization, 'x-partner-key': key }: ExchangeRequest['headers'],
): ExchangeRequest['headers'] | undefined {
  const own = config.reserve?.keyOfUnkeyed;
  return (key ?? authorization) === undefined && own !== undefined ? { 'x-partner-key': own } : undefined;
}

/** Marks the actor as shared: the guests of an assistant do not know each other. */
function markShared(actor: Actor, unkeyed: boolean): Actor {
  if (actor.kind !== 'partner') return actor;
  return { ...actor, shared: true, ...(unkeyed && { unkeyed }) };
}

function authenticatePartner(
  deps: Deps,
  { id, address, headers }: Pick<ExchangeRequest, 'id' | 'address' | 'headers'>,
  surface: Surface,
  resource: string,
): MaybePromise<Actor> {
  const { authorization, 'x-partner-key': key } = headers;
  if (key !== undefined)
    return andThen(deps.partnerKeys.find(typeof key === 'string' ? key.trim() : '', id), (owner) =>
      partnerOf(deps, owner, address),
    );
  if (authorization === undefined) return { kind: 'anonymous', address };
  // Some hosts can only send a key in this header.
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
  find: (token: string) => MaybePromise<Owner>,
): MaybePromise<Actor> {
  const headers = () => ({ 'www-authenticate': bearerChallenge(deps.config, surface, 'invalid_token') });
  const token = /^bearer +(\S+) *$/i.exec(authorization)?.[1];
  if (token === undefined)
    throw new AppError(
      'invalid_key',
      'The Authorization header must be: Bearer, a space, and your key or access token.',
      { headers: headers() },
    );
  const owner = orElse(
    () => find(token),
    (thrown) => {
      if (thrown instanceof AppError) Object.assign(thrown.headers, headers());
      throw thrown;
    },
  );
  return andThen(owner, (account) =>
    'bookingsEnabled' in account ? partnerOf(deps, account, address) : agentOf(deps, account, address),
  );
}

function partnerOf(
  { config }: Deps,
  { status, ...owner }: PartnerOwner | Extract<TokenOwner, { kind: 'partner' }>,
  address: AddressGroup,
): Actor {
  if (status === 'suspended') {
    throw new AppError(
      'partner_suspended',
      'This partner is suspended. Its key does not work until the suspension is lifted.',
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
      'This agent is suspended. Its key does not work until the suspension is lifted.',
      { hint: `Write to ${config.contactEmail}.` },
    );
  }
  const agent = { kind: 'agent', id: owner.id, plan: owner.plan, address } as const;
  return 'keyHash' in owner ? { ...agent, keyHash: owner.keyHash } : { ...agent, scopes: owner.scopes };
}

/** Returns the challenge from which an MCP client discovers everything else (RFC 6750 and RFC 9728). */
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
