import { createHmac, createPrivateKey } from 'node:crypto';
import type { Configuration, interactionPolicy, KoaContextWithOIDC, Provider as Server } from 'oidc-provider';
import { createApiKey } from '../accounts/keys/api-key.ts';
import { protectedResources } from '../accounts/keys/protected-resource.ts';
import type { Deps } from '../core/context.ts';
import { isUnavailable } from '../core/postgres/db.ts';
import { addressGroup, type AddressGroup } from '../core/text/address-group.ts';
import { DOCUMENT_BYTES_MAX, guardedFetch, mayFetchDocument } from './client-document.ts';
import { adaptMetadata } from './client-metadata.ts';
import { Check, errors, Prompt, Provider, showWithoutRedirect, wrapModelMethod } from './library.ts';
import { AUTHORIZE_PATH, CONNECT_PATH, REVOKE_PATH, TOKEN_PATH } from './paths.ts';
import { readScopes, scopeNames } from './scopes.ts';
import { adapterOf } from './storage/adapter.ts';

const CODE_SECONDS = 60;
const ACCESS_SECONDS = 3_600;
const REFRESH_SECONDS = 30 * 86_400;
/** Time for a person to decide, including waiting for a mail. */
const INTERACTION_SECONDS = 3_600;
const RETRY_SECONDS = 5;
const DOCUMENT_CACHE_SECONDS = { min: 60, max: 86_400 };
// RFC 8410: DER prefix of the 32 bytes of an Ed25519 private key.
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

export type RenderError = NonNullable<Configuration['renderError']>;

/** Creates the authorization server: the library's protocol on our tables, our sign-in and our egress. */
export function createProvider(deps: Deps, renderError: RenderError): Server {
  const { baseUrl, prefix } = deps.config;
  const provider: Server = new Provider(baseUrl, configuration(deps, renderError));
  // Addresses are built from BASE_URL, which the endpoints set in the headers that a proxy would set.
  provider.proxy = true;
  provider.on('server_error', (ctx, thrown) => {
    deps.log.error({ err: thrown, path: ctx.path }, 'an OAuth request failed');
    if (!isUnavailable(thrown)) return;
    ctx.status = 503;
    ctx.set('retry-after', String(RETRY_SECONDS));
    if (typeof ctx.body === 'object')
      ctx.body = { error: 'temporarily_unavailable', error_description: 'Try again soon.' };
  });
  provider.on('authorization.error', showBeforeConsent);
  for (const model of [provider.AuthorizationCode, provider.RefreshToken]) checkResourceBeforeConsume(model);
  setTokenFormat(provider.AccessToken, () => createApiKey(prefix, 'at'));
  setTokenFormat(provider.RefreshToken, () => createApiKey(prefix, 'rt'));
  return provider;
}

/** Shows errors on our page until a person has approved the client: no open redirects (RFC 9700, 4.11). */
function showBeforeConsent({ oidc }: KoaContextWithOIDC, error: Error): void {
  if (oidc.route === 'authorization') showWithoutRedirect(error);
}

/** Gives tokens the form of our credentials. The library's generator also records how the token is stored. */
function setTokenFormat(model: { prototype: object }, create: () => string): void {
  wrapModelMethod<string>(model, 'generateTokenId', (_model, generate) => {
    generate();
    return create();
  });
}

/** Refuses another resource before a code is consumed: the library checks later, and a client could not retry. */
function checkResourceBeforeConsume(model: { prototype: object }): void {
  wrapModelMethod<Promise<void>>(model, 'consume', ({ resource }, consume) => {
    const requested = Provider.ctx?.oidc.params?.['resource'] ?? [];
    const granted = [resource ?? []].flat();
    for (const one of [requested].flat() as string[])
      if (!granted.includes(one)) throw foreignResource(granted);
    return consume();
  });
}

function configuration(deps: Deps, renderError: RenderError): Configuration {
  return {
    adapter: adapterOf(deps),
    routes: { authorization: AUTHORIZE_PATH, token: TOKEN_PATH, revocation: REVOKE_PATH },
    cookies: cookies(deps),
    jwks: { keys: [signingKey(derived(deps, 'jwk'))] },
    scopes: [],
    responseTypes: ['code'],
    clientAuthMethods: ['none', 'client_secret_post'],
    clientDefaults: {
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'EdDSA',
      grant_types: ['authorization_code', 'refresh_token'],
    },
    enabledJWA: { idTokenSigningAlgValues: ['EdDSA'] },
    // Called once for every client, registered or read from its document, before the library validates it.
    extraClientMetadata: {
      properties: ['software_id'],
      validator: (_ctx, _key, _value, metadata) => adaptMetadata(metadata),
    },
    pkce: { required: () => true },
    ttl: {
      AccessToken: ACCESS_SECONDS,
      AuthorizationCode: CODE_SECONDS,
      RefreshToken: REFRESH_SECONDS,
      Interaction: INTERACTION_SECONDS,
      Grant: REFRESH_SECONDS,
      Session: INTERACTION_SECONDS,
    },
    features: features(deps),
    interactions: { policy: policy(), url: (_ctx, interaction) => `${CONNECT_PATH}/${interaction.uid}` },
    findAccount: async (_ctx, accountId) => {
      const [account] = await deps.pool`
        select from agent where id = ${accountId} and status <> 'revoked'
        union all select from partner where id = ${accountId} and status <> 'revoked'`;
      return account && { accountId, claims: () => ({ sub: accountId }) };
    },
    loadExistingGrant: async ({ oidc }) => {
      const grantId = oidc.result?.consent?.grantId;
      return grantId === undefined ? undefined : oidc.provider.Grant.find(grantId);
    },
    // A connection lasts until somebody ends it, and is refreshed without a dedicated scope.
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: () => false,
    rotateRefreshToken: true,
    revokeGrantPolicy: () => true,
    clientBasedCORS: () => true,
    fetch: guardedFetch(deps),
    fetchResponseBodyLimits: { 'client_id metadata document': DOCUMENT_BYTES_MAX },
    renderError,
  };
}

function features(deps: Deps): NonNullable<Configuration['features']> {
  return {
    devInteractions: { enabled: false },
    userinfo: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
    resourceIndicators: resourceIndicators(deps),
    clientIdMetadataDocument: {
      enabled: true,
      ack: 'draft-02',
      allowFetch: (ctx, clientId) => mayFetchDocument(deps, clientId, addressOf(ctx)),
      cacheDuration: DOCUMENT_CACHE_SECONDS,
    },
    // A client has one document for all servers: from the authentication methods that it lists, choose a supported one.
    rpMetadataChoices: { enabled: true },
  };
}

/** Binds a token to one resource (RFC 8707). Requests that name none have been assigned one, see resolveResource. */
function resourceIndicators({
  config,
}: Deps): NonNullable<NonNullable<Configuration['features']>['resourceIndicators']> {
  const resources = protectedResources(config);
  const urls = resources.map(({ url }) => url);
  return {
    enabled: true,
    useGrantedResource: () => true,
    getResourceServerInfo: (ctx, indicator) => {
      const resource = resources.find(({ url }) => url === indicator);
      const { scope, resource: requested = [] } = ctx.oidc.params ?? {};
      if (resource === undefined || new Set([requested].flat()).size > 1) throw foreignResource(urls);
      const offered = scopeNames(config.prefix, resource.scopes);
      if (typeof scope === 'string' && readScopes(config.prefix, scope, resource).length === 0)
        throw new errors.InvalidScope(`the available scopes are ${offered}`, scope);
      return {
        scope: offered,
        audience: indicator,
        accessTokenFormat: 'opaque',
        accessTokenTTL: ACCESS_SECONDS,
      };
    },
  };
}

function foreignResource(ours: readonly string[]): Error {
  return new errors.InvalidTarget(`send one resource: ${ours.join(' or ')}`);
}

/** A person decides about every request, whatever was decided before; that page includes the sign-in. */
function policy(): interactionPolicy.Prompt[] {
  const undecided = new Check(
    'not_decided',
    'A person must decide.',
    'interaction_required',
    ({ oidc }: KoaContextWithOIDC) => oidc.result?.consent === undefined,
  );
  return [
    new Prompt({ name: 'login', requestable: true }),
    new Prompt({ name: 'select_account', requestable: true }),
    new Prompt({ name: 'consent', requestable: true }, undecided),
  ];
}

function cookies(deps: Deps): NonNullable<Configuration['cookies']> {
  const { prefix } = deps.config;
  const options = { signed: true, httpOnly: true, sameSite: 'lax' } as const;
  return {
    keys: [derived(deps, 'cookies').toString('base64url')],
    names: {
      session: `${prefix}_oauth_session`,
      interaction: `${prefix}_oauth_step`,
      resume: `${prefix}_oauth_resume`,
    },
    short: options,
    long: options,
  };
}

function derived({ secrets }: Deps, purpose: string): Buffer {
  return createHmac('sha256', secrets.oauth).update(purpose).digest();
}

/** The library requires a key for ID tokens, which are never issued here; it must still be the same on every node. */
function signingKey(seed: Buffer) {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' });
  return {
    ...(key.export({ format: 'jwk' }) as { kty: 'OKP'; crv: 'Ed25519'; x: string; d: string }),
    alg: 'EdDSA',
  };
}

function addressOf(ctx: KoaContextWithOIDC): AddressGroup {
  return (ctx.req as { callerAddress?: AddressGroup }).callerAddress ?? addressGroup('');
}
