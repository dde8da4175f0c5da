import type { FastifyInstance } from 'fastify';
import { protectedResources } from '../../accounts/keys/protected-resource.ts';
import type { Deps } from '../../core/context.ts';
import { lazy } from '../../core/memory/lazy.ts';
import { scopeNames, SCOPES } from '../../oauth/scopes.ts';
import type { Operation } from '../../core/operation.ts';
import { API_VERSION, openApiDocument } from '../../protocol/describe/openapi.ts';
import { OUTGOING_EVENTS } from '../operations.ts';
import type { ServedSurface } from '../surface-list.ts';
import { conciergeIndex, partnerIndex } from './surface-index.ts';
import { changelog } from './changelog.ts';
import { llmsText } from './llms-text.ts';
import { publishedKeys, webhookKeysPath } from '../../delivery/signing-key.ts';
import { GRANT_TYPES, RESPONSE_TYPES } from '../../oauth/client-metadata.ts';
import { AUTHORIZE_PATH, REGISTER_PATH, REVOKE_PATH, TOKEN_PATH } from '../../oauth/paths.ts';

// Clients fetch these files at every start; an hour avoids most requests and still lets a change arrive soon.
const CACHE = 'public, max-age=3600';

/** Adds the files with which programs discover the service. None of them needs a key or a User-Agent. */
export function addDiscovery(
  app: FastifyInstance,
  deps: Deps,
  operations: readonly Operation[],
  surfaces: readonly ServedSurface[],
): void {
  const { config } = deps;
  const openapi = lazy(() => JSON.stringify(openApiDocument(config, operations, OUTGOING_EVENTS)));
  serve(app, '/openapi.json', openapi, 'application/json');
  serve(app, '/llms.txt', () => llmsText(config, operations, surfaces), 'text/plain; charset=utf-8');
  serve(app, '/changelog.json', () => changelog(deps, operations));
  serve(app, '/.well-known/ai-plugin.json', () => aiPlugin(deps));
  serve(app, webhookKeysPath(config.prefix), async () => ({
    keys: await publishedKeys(deps.pool, deps.clock.now()),
  }));
  addProtectedResources(app, deps);
  addAuthorizationServer(app, deps);
  addDomainProofs(app, deps);
  const [, partner, concierge] = surfaces;
  if (partner !== undefined) app.get('/api/partner', () => partnerIndex(deps, partner));
  if (concierge !== undefined) app.get('/api/concierge', () => conciergeIndex(deps, concierge));
}

function serve(
  app: FastifyInstance,
  path: string,
  make: () => unknown,
  type = 'application/json; charset=utf-8',
) {
  app.get(path, async (_request, reply) =>
    reply
      .header('cache-control', CACHE)
      .type(type)
      .send(await make()),
  );
}

/** Serves protected resource metadata (RFC 9728) for each MCP endpoint. The bare path returns that of agents. */
function addProtectedResources(app: FastifyInstance, { config }: Deps): void {
  for (const { surface, url, metadataUrl, scopes } of protectedResources(config)) {
    const document = {
      resource: url,
      authorization_servers: [config.baseUrl],
      scopes_supported: scopeNames(config.prefix, scopes).split(' '),
      bearer_methods_supported: ['header'],
      resource_name: surface === 'agent' ? config.serviceName : `${config.serviceName} ${surface}`,
      resource_documentation: `${config.baseUrl}/docs`,
      resource_policy_uri: `${config.baseUrl}/privacy`,
      resource_tos_uri: `${config.baseUrl}/terms`,
    };
    const { pathname } = new URL(metadataUrl);
    const bare = surface === 'agent' ? ['/.well-known/oauth-protected-resource'] : [];
    for (const path of [pathname, ...bare]) serve(app, path, () => document);
  }
}

function aiPlugin({ config }: Deps): Record<string, unknown> {
  return {
    schema_version: 'v1',
    name_for_human: config.serviceName,
    name_for_model: config.serviceName.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_'),
    description_for_human: 'An open directory of real places.',
    description_for_model:
      'A directory of real places: restaurants, bars, beaches, hotels, attractions and more, by destination. List the destinations first. Show the attribution of an answer beside everything you render from it. Nothing is booked here.',
    auth: { type: 'user_http', authorization_type: 'bearer' },
    api: { type: 'openapi', url: `${config.baseUrl}/openapi.json` },
    logo_url: `${config.baseUrl}/logo.svg`,
    contact_email: config.contactEmail,
    legal_info_url: `${config.baseUrl}/terms`,
    version: API_VERSION,
  };
}

/** Adds the files with which directories verify ownership of the domain. Only configured ones exist. */
function addDomainProofs(app: FastifyInstance, { config }: Deps): void {
  const { openaiApps, mcpRegistry } = config.domainProofs;
  const files = { 'openai-apps-challenge': openaiApps, 'mcp-registry-auth': mcpRegistry };
  for (const [name, text] of Object.entries(files)) {
    if (text === undefined) continue;
    // The verifier needs the current setting, not a cached earlier one.
    app.get(`/.well-known/${name}`, (_request, reply) =>
      reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8').send(text),
    );
  }
}

/** Serves authorization server metadata (RFC 8414). Some clients look at the OpenID Connect path and get the same. */
function addAuthorizationServer(app: FastifyInstance, { config }: Deps): void {
  const { baseUrl, prefix } = config;
  const document = {
    issuer: baseUrl,
    authorization_endpoint: baseUrl + AUTHORIZE_PATH,
    token_endpoint: baseUrl + TOKEN_PATH,
    registration_endpoint: baseUrl + REGISTER_PATH,
    revocation_endpoint: baseUrl + REVOKE_PATH,
    scopes_supported: scopeNames(prefix, SCOPES).split(' '),
    response_types_supported: RESPONSE_TYPES,
    response_modes_supported: ['query'],
    grant_types_supported: GRANT_TYPES,
    token_endpoint_auth_methods_supported: ['none', 'client_secret_post'],
    revocation_endpoint_auth_methods_supported: ['none', 'client_secret_post'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    protected_resources: protectedResources(config).map(({ url }) => url),
    service_documentation: `${baseUrl}/docs`,
  };
  for (const path of ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'])
    serve(app, path, () => document);
}
