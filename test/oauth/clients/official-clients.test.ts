import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientProvider,
} from '@modelcontextprotocol/client';
import { UnauthorizedError as FirstUnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Person, startOauthService } from '../../harness/clients/oauth.ts';
import { ENDPOINTS } from '../../harness/clients/oauth-client.ts';
import { USER_AGENT } from '../../harness/service/service.ts';
import { HOUR_MS } from '../../../src/core/time.ts';

const IDENTITY = { name: 'waypost-tests', version: '1.0.0' };
const REDIRECT = 'http://localhost:45678/callback';

const service = await startOauthService({ oneHost: true });
const open: { close(): Promise<void> }[] = [];
after(() => Promise.all(open.map((one) => one.close())));

interface Held {
  client_id?: string;
  access_token?: string;
  refresh_token?: string;
  scope?: string;
}

/** State that a client keeps between its calls, and the address to which it would send a person. */
class ClientMemory {
  readonly redirectUrl = REDIRECT;
  readonly clientMetadata = {
    client_name: 'Trip Planner',
    redirect_uris: [REDIRECT],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
  client: Held | undefined;
  held: Held | undefined;
  verifier = '';
  sentTo: URL | undefined;

  clientInformation() {
    return this.client as never;
  }
  saveClientInformation(client: unknown) {
    this.client = client as Held;
  }
  tokens() {
    return this.held as never;
  }
  saveTokens(tokens: unknown) {
    this.held = tokens as Held;
  }
  redirectToAuthorization(url: URL) {
    this.sentTo = url;
  }
  saveCodeVerifier(verifier: string) {
    this.verifier = verifier;
  }
  codeVerifier() {
    return this.verifier;
  }
  invalidateCredentials(which: string) {
    if (which !== 'verifier') this.held = undefined;
    if (which === 'all' || which === 'client') this.client = undefined;
  }
}

interface Connected {
  callTool(name: string, input: Record<string, unknown>): Promise<{ isError?: boolean | undefined }>;
}

interface Generation {
  name: string;
  connect: (url: URL, memory: ClientMemory) => Promise<Connected>;
  finish: (url: URL, memory: ClientMemory, answer: URL) => Promise<void>;
  unauthorized: typeof UnauthorizedError | typeof FirstUnauthorizedError;
}

const requestInit = { headers: { 'user-agent': USER_AGENT } };

const GENERATIONS: Generation[] = [
  {
    name: 'client 2.x',
    unauthorized: UnauthorizedError,
    async connect(url, memory) {
      const client = new Client(IDENTITY);
      open.push(client);
      const authProvider = memory as unknown as OAuthClientProvider;
      await client.connect(new StreamableHTTPClientTransport(url, { authProvider, requestInit }));
      return { callTool: (name, input) => client.callTool({ name, arguments: input }) };
    },
    async finish(url, memory, answer) {
      const authProvider = memory as unknown as OAuthClientProvider;
      const transport = new StreamableHTTPClientTransport(url, { authProvider, requestInit });
      await transport.finishAuth(answer.searchParams);
    },
  },
  {
    name: 'sdk 1.x',
    unauthorized: FirstUnauthorizedError,
    async connect(url, memory) {
      const client = new FirstClient(IDENTITY);
      open.push(client);
      await client.connect(new FirstTransport(url, { authProvider: memory, requestInit }));
      return { callTool: (name, input) => client.callTool({ name, arguments: input }) as never };
    },
    async finish(url, memory, answer) {
      const transport = new FirstTransport(url, { authProvider: memory, requestInit });
      await transport.finishAuth(answer.searchParams.get('code') ?? '');
    },
  },
];

const GATED = [ENDPOINTS['/mcp'], ENDPOINTS['/api/concierge/mcp']];
for (const { path, tool } of GATED)
  for (const { name, connect, finish, unauthorized } of GENERATIONS)
    test(`${name}: the address of ${path} alone leads to a connection that renews itself until it is ended`, async () => {
      const memory = new ClientMemory();
      const person = new Person(service, `${name.replace(' ', '-')}@operator.example`);
      const url = new URL(service.baseUrl + path);

      // Nothing but the address is known: the first refusal leads to everything else.
      const stranger = await connect(url, memory);
      await assert.rejects(stranger.callTool(tool, {}), unauthorized);
      assert.ok(memory.client?.client_id, 'the client has registered itself');
      assert.ok(memory.sentTo);
      assert.equal(memory.sentTo.searchParams.get('resource'), url.href);
      const answer = await person.approve(memory.sentTo);
      assert.equal(answer.origin + answer.pathname, REDIRECT);
      assert.equal(answer.searchParams.get('iss'), service.baseUrl);
      await finish(url, memory, answer);
      assert.match(memory.held?.access_token ?? '', /^svc_at_[0-9A-Za-z]{36}$/);
      assert.match(memory.held?.refresh_token ?? '', /^svc_rt_[0-9A-Za-z]{36}$/);

      const connected = await connect(url, memory);
      assert.notEqual((await connected.callTool(tool, {})).isError, true);

      const first = memory.held;
      service.clock.advance(HOUR_MS + 1000);
      assert.notEqual((await connected.callTool(tool, {})).isError, true);
      assert.notEqual(memory.held?.access_token, first?.access_token);
      assert.notEqual(memory.held?.refresh_token, first?.refresh_token);

      const revoked = await service.request('/oauth/revoke', {
        method: 'POST',
        body: new URLSearchParams({
          token: memory.held?.refresh_token ?? '',
          client_id: memory.client.client_id,
        }),
      });
      assert.equal(revoked.status, 200);
      memory.sentTo = undefined;
      await assert.rejects(connected.callTool(tool, {}), unauthorized);
      assert.ok(memory.sentTo, 'the client asks the person again');
    });
