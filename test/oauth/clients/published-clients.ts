export interface PublishedClient {
  host: string;
  /** Where the person comes back to, on the port that the program has got today. */
  returnsTo: string;
  /** Where the host publishes its document. */
  clientId: string;
  document: Record<string, unknown>;
}

const RENEWING = ['authorization_code', 'refresh_token'];

/** The client documents that large hosts publish, as of autumn 2026. */
export const PUBLISHED_CLIENTS: readonly PublishedClient[] = [
  {
    host: 'ChatGPT',
    returnsTo: 'https://chatgpt.com/connector_platform_oauth_redirect',
    clientId: 'https://chatgpt.com/oauth/client.json',
    document: {
      client_uri: 'https://chatgpt.com/',
      redirect_uris: ['https://chatgpt.com/connector_platform_oauth_redirect'],
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
      grant_types: RENEWING,
      response_types: ['code'],
      client_name: 'ChatGPT',
      logo_uri: 'https://persistent.oaistatic.com/sonic/misc/openai-logo.png',
      token_endpoint_auth_signing_alg: 'RS256',
      jwks_uri: 'https://chatgpt.com/oauth/jwks.json',
    },
  },
  {
    host: 'Codex',
    returnsTo: 'http://127.0.0.1:51234/callback',
    clientId: 'https://chatgpt.com/oauth/codex/client.json',
    document: {
      client_name: 'Codex',
      client_uri: 'https://chatgpt.com/codex',
      application_type: 'native',
      redirect_uris: ['http://127.0.0.1/callback', 'http://localhost/callback'],
      token_endpoint_auth_method: 'none',
      token_endpoint_auth_methods_supported: ['none'],
      grant_types: RENEWING,
      response_types: ['code'],
    },
  },
  {
    host: 'Claude',
    returnsTo: 'https://claude.ai/api/mcp/auth_callback',
    clientId: 'https://claude.ai/oauth/mcp-oauth-client-metadata',
    document: {
      client_name: 'Claude',
      client_uri: 'https://claude.ai',
      redirect_uris: ['https://claude.ai/api/mcp/auth_callback', 'https://claude.com/api/mcp/auth_callback'],
      grant_types: [...RENEWING, 'urn:ietf:params:oauth:grant-type:jwt-bearer'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
  },
  {
    host: 'Claude Code',
    returnsTo: 'http://localhost:51234/callback',
    clientId: 'https://claude.ai/oauth/claude-code-client-metadata',
    document: {
      client_name: 'Claude Code',
      client_uri: 'https://claude.ai',
      redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
      grant_types: RENEWING,
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
  },
  {
    host: 'VS Code',
    returnsTo: 'http://127.0.0.1:33418/',
    clientId: 'https://vscode.dev/oauth/client-metadata.json',
    document: {
      client_name: 'Visual Studio Code',
      logo_uri: 'https://code.visualstudio.com/assets/branding/code-stable.png',
      grant_types: [...RENEWING, 'urn:ietf:params:oauth:grant-type:device_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
      client_uri: 'https://vscode.dev/product',
      redirect_uris: ['http://127.0.0.1:33418/', 'https://vscode.dev/redirect'],
    },
  },
];

export interface RegisteredClient {
  host: string;
  /** The addresses of which one is used each time, on the port that the program has got. */
  returnsTo: readonly string[];
  registration: Record<string, string | string[]>;
}

/** Registrations of hosts that publish no document, or of their older versions. */
export const REGISTERED_CLIENTS: readonly RegisteredClient[] = [
  {
    host: 'Cursor',
    returnsTo: [
      'http://localhost:8787/callback',
      'https://www.cursor.com/agents/mcp/oauth/callback',
      'cursor://anysphere.cursor-mcp/oauth/callback',
    ],
    registration: {
      client_name: 'Cursor',
      redirect_uris: [
        'http://localhost:8787/callback',
        'https://www.cursor.com/agents/mcp/oauth/callback',
        'cursor://anysphere.cursor-mcp/oauth/callback',
      ],
      grant_types: RENEWING,
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
  },
  {
    host: 'ChatGPT, with an address for each connector',
    returnsTo: ['https://chatgpt.com/connector/oauth/kYp1mRZx3c0Q'],
    registration: {
      client_name: 'ChatGPT',
      redirect_uris: ['https://chatgpt.com/connector/oauth/kYp1mRZx3c0Q'],
      grant_types: RENEWING,
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
  },
  {
    host: 'Claude',
    returnsTo: ['https://claude.ai/api/mcp/auth_callback'],
    registration: {
      client_name: 'Claude',
      redirect_uris: ['https://claude.ai/api/mcp/auth_callback'],
      grant_types: RENEWING,
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      scope: 'svc.read svc.write svc.partner.read svc.bookings',
    },
  },
  {
    host: 'VS Code',
    returnsTo: ['http://127.0.0.1:33418/', 'http://127.0.0.1:59656/', 'https://vscode.dev/redirect'],
    registration: {
      client_name: 'Visual Studio Code',
      client_uri: 'https://code.visualstudio.com',
      redirect_uris: [
        'https://insiders.vscode.dev/redirect',
        'https://vscode.dev/redirect',
        'http://127.0.0.1/',
        'http://127.0.0.1:33418/',
      ],
      grant_types: [...RENEWING, 'urn:ietf:params:oauth:grant-type:device_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    },
  },
  {
    host: 'Codex',
    returnsTo: ['http://127.0.0.1:53781/callback'],
    registration: {
      client_name: 'Codex',
      redirect_uris: ['http://127.0.0.1:53781/callback'],
      grant_types: RENEWING,
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
  },
];
