import type { FastifyInstance } from 'fastify';
import { protectedResources } from '../../accounts/keys/protected-resource.ts';
import type { Deps } from '../../core/context.ts';
import { lazy } from '../../core/memory/lazy.ts';
import { scopeNames } from '../../oauth/scopes.ts';
import type { Operation } from '../../core/operation.ts';
import { API_VERSION, openApiDocument } from '../../protocol/describe/openapi.ts';
import { OUTGOING_EVENTS } from '../operations.ts';
import type { ServedSurface } from '../surface-list.ts';
import { conciergeIndex, partnerIndex } from './surface-index.ts';
import { addAuthorizationServer } from './authorization-server.ts';
import { changelog } from './changelog.ts';
import { addDomainProofs } from './domain-proofs.ts';
import { llmsText } from './llms-text.ts';
import { addWebhookKeys } from './webhook-keys.ts';

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
  app.get('/openapi.json', (_request, reply) =>
    reply.header('cache-control', CACHE).type('application/json').send(openapi()),
  );
  app.get('/llms.txt', (_request, reply) =>
    reply
      .header('cache-control', CACHE)
      .type('text/plain; charset=utf-8')
      .send(llmsText(config, operations, surfaces)),
  );
  app.get('/changelog.json', (_request, reply) =>
    reply.header('cache-control', CACHE).send(changelog(deps, operations)),
  );
  app.get('/.well-known/ai-plugin.json', (_request, reply) =>
    reply.header('cache-control', CACHE).send(aiPlugin(deps)),
  );
  addProtectedResources(app, deps);
  addAuthorizationServer(app, deps, CACHE);
  addWebhookKeys(app, deps);
  addDomainProofs(app, deps);
  const [, partner, concierge] = surfaces;
  if (partner !== undefined) app.get('/api/partner', () => partnerIndex(deps, partner));
  if (concierge !== undefined) app.get('/api/concierge', () => conciergeIndex(deps, concierge));
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
    for (const path of [pathname, ...bare])
      app.get(path, (_request, reply) => reply.header('cache-control', CACHE).send(document));
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
