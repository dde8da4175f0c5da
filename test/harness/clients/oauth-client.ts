import assert from 'node:assert/strict';
import * as oauth from 'oauth4webapi';
import type { OauthService, Person } from './oauth.ts';
import { rpc, type RpcAnswer } from './mcp.ts';

export const REDIRECT = 'http://localhost:45678/callback';
// The tests speak plain http to a service on loopback, which is what this is for.
// eslint-disable-next-line @typescript-eslint/no-deprecated
const HTTP = { [oauth.allowInsecureRequests]: true };

export interface Tokens {
  access_token: string;
  refresh_token: string;
  scope: string;
  expires_in: number;
}

interface Exchange {
  verifier?: string;
  resource?: string | null;
  redirectUri?: string;
}

/** A client that was written for OAuth in general, not for this service, and that can be made to do things wrong. */
export class OauthClient {
  readonly service: OauthService;
  readonly server: oauth.AuthorizationServer;
  readonly client: oauth.Client;
  readonly verifier = oauth.generateRandomCodeVerifier();
  readonly state = oauth.generateRandomState();
  readonly #authentication: oauth.ClientAuth;

  private constructor(service: OauthService, server: oauth.AuthorizationServer, client: oauth.Client) {
    this.service = service;
    this.server = server;
    this.client = client;
    const { client_secret: secret } = client;
    this.#authentication = typeof secret === 'string' ? oauth.ClientSecretPost(secret) : oauth.None();
  }

  /** Finds the server from the address of the resource alone, and registers with it. */
  static async register(
    service: OauthService,
    metadata: Partial<oauth.OmitSymbolProperties<oauth.Client>> = {},
  ): Promise<OauthClient> {
    const server = await findServer(service);
    const registered = await oauth.dynamicClientRegistrationRequest(
      server,
      {
        client_name: 'General client',
        redirect_uris: [REDIRECT],
        grant_types: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_method: 'none',
        ...metadata,
      },
      HTTP,
    );
    const client = await oauth.processDynamicClientRegistrationResponse(registered);
    return new OauthClient(service, server, client);
  }

  /** A client whose id is the address of its document. */
  static async published(service: OauthService, clientId: string): Promise<OauthClient> {
    return new OauthClient(service, await findServer(service), { client_id: clientId });
  }

  /** The address for a person, with whatever a test wants to be wrong about it; null leaves a parameter out. */
  async authorizationUrl(change: Record<string, string | null> = {}): Promise<URL> {
    const url = new URL(this.server.authorization_endpoint ?? '');
    const parameters: Record<string, string | null> = {
      client_id: this.client.client_id,
      redirect_uri: REDIRECT,
      response_type: 'code',
      scope: 'svc.read svc.write',
      state: this.state,
      resource: `${this.service.baseUrl}/mcp`,
      code_challenge: await oauth.calculatePKCECodeChallenge(this.verifier),
      code_challenge_method: 'S256',
      ...change,
    };
    for (const [name, value] of Object.entries(parameters))
      if (value !== null) url.searchParams.set(name, value);
    return url;
  }

  /** The parameters of the redirect, checked; an error in it is thrown. */
  readAnswer(answer: URL): URLSearchParams {
    return oauth.validateAuthResponse(this.server, this.client, answer, this.state);
  }

  async exchange(answer: URL, change: Exchange = {}): Promise<Tokens> {
    const { resource = `${this.service.baseUrl}/mcp`, redirectUri = REDIRECT } = change;
    const response = await oauth.authorizationCodeGrantRequest(
      this.server,
      this.client,
      this.#authentication,
      this.readAnswer(answer),
      redirectUri,
      change.verifier ?? this.verifier,
      { additionalParameters: resource === null ? {} : { resource }, ...HTTP },
    );
    return (await oauth.processAuthorizationCodeResponse(
      this.server,
      this.client,
      response,
    )) as unknown as Tokens;
  }

  async refresh(refreshToken: string, change: Record<string, string | null> = {}): Promise<Tokens> {
    const asked: Record<string, string | null> = { resource: `${this.service.baseUrl}/mcp`, ...change };
    const named = Object.entries(asked).filter((one): one is [string, string] => one[1] !== null);
    const response = await oauth.refreshTokenGrantRequest(
      this.server,
      this.client,
      this.#authentication,
      refreshToken,
      { additionalParameters: new URLSearchParams(named), ...HTTP },
    );
    return (await oauth.processRefreshTokenResponse(this.server, this.client, response)) as unknown as Tokens;
  }

  async revoke(token: string): Promise<void> {
    const response = await oauth.revocationRequest(
      this.server,
      this.client,
      this.#authentication,
      token,
      HTTP,
    );
    await oauth.processRevocationResponse(response);
  }

  /** The whole way from a person's approval to tokens. */
  async connect(person: Person, change: Record<string, string | null> = {}): Promise<Tokens> {
    return this.exchange(await person.approve(await this.authorizationUrl(change)));
  }
}

async function findServer(service: OauthService): Promise<oauth.AuthorizationServer> {
  const resource = new URL(`${service.baseUrl}/mcp`);
  const described = await oauth.processResourceDiscoveryResponse(
    resource,
    await oauth.resourceDiscoveryRequest(resource, HTTP),
  );
  const issuer = new URL(described.authorization_servers?.[0] ?? '');
  const found = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...HTTP });
  return oauth.processDiscoveryResponse(issuer, found);
}

/** Calls a tool with a token, as any client would. */
export function callWith(
  service: OauthService,
  token: string,
  name = 'svc_list_submissions',
  input: Record<string, unknown> = {},
): Promise<RpcAnswer> {
  return rpc(
    service,
    '/mcp',
    { id: 1, method: 'tools/call', params: { name, arguments: input } },
    { authorization: `Bearer ${token}` },
  );
}

/** An MCP endpoint that tokens are issued for: what may be allowed there, and a tool that is always answered. */
export interface TestEndpoint {
  path: string;
  scope: string;
  tool: string;
}

export const ENDPOINTS = {
  '/mcp': { path: '/mcp', scope: 'svc.read svc.write', tool: 'svc_list_submissions' },
  '/api/partner/mcp': { path: '/api/partner/mcp', scope: 'svc.partner.read', tool: 'list_destinations' },
  '/api/concierge/mcp': { path: '/api/concierge/mcp', scope: 'svc.bookings', tool: 'webhook_status' },
} satisfies Record<string, TestEndpoint>;

export const PARTNER_ENDPOINTS = [ENDPOINTS['/api/partner/mcp'], ENDPOINTS['/api/concierge/mcp']];

/** Calls the tool of an endpoint with a token. */
export function callEndpoint(
  service: OauthService,
  { path, tool }: TestEndpoint,
  token: string,
  input: Record<string, unknown> = {},
): Promise<RpcAnswer> {
  const params = { name: tool, arguments: input };
  return rpc(service, path, { id: 1, method: 'tools/call', params }, { authorization: `Bearer ${token}` });
}

/** Holds a refusal to the code that the specifications give it. */
export async function refused(work: Promise<unknown> | (() => unknown), error: string): Promise<void> {
  await assert.rejects(
    () => (typeof work === 'function' ? Promise.try(work) : work),
    (thrown) => {
      assert.equal((thrown as { error?: unknown }).error, error, String(thrown));
      return true;
    },
  );
}
