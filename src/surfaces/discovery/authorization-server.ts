import type { FastifyInstance } from 'fastify';
import { protectedResources } from '../../accounts/keys/protected-resource.ts';
import type { Deps } from '../../core/context.ts';
import { GRANT_TYPES, RESPONSE_TYPES } from '../../oauth/client-metadata.ts';
import { AUTHORIZE_PATH, REGISTER_PATH, REVOKE_PATH, TOKEN_PATH } from '../../oauth/paths.ts';
import { scopeNames, SCOPES } from '../../oauth/scopes.ts';

/** Serves authorization server metadata (RFC 8414). Some clients look at the OpenID Connect path and get the same. */
export function addAuthorizationServer(app: FastifyInstance, { config }: Deps, cacheControl: string): void {
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
    app.get(path, (_request, reply) => reply.header('cache-control', cacheControl).send(document));
}
