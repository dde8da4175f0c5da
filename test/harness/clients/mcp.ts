import type { TestService } from '../service/service.ts';

export const MODERN_META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

export interface RpcAnswer {
  status: number;
  headers: Headers;
  body: {
    id?: unknown;
    result?: Record<string, unknown>;
    error?: { code: number; message: string; data?: Record<string, unknown> };
  };
}

/** Sends one legacy message, as it stands, and reads the JSON answer. */
export async function rpc(
  service: TestService,
  path: string,
  message: Record<string, unknown>,
  headers: Record<string, string> = {},
): Promise<RpcAnswer> {
  const response = await service.request(path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: (text === '' ? {} : JSON.parse(text)) as RpcAnswer['body'],
  };
}

/** Sends one message of protocol 2026-07-28 with everything that it requires. */
export function modernRpc(
  service: TestService,
  path: string,
  method: string,
  params: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<RpcAnswer> {
  const name = typeof params['name'] === 'string' ? { 'mcp-name': params['name'] } : {};
  return rpc(
    service,
    path,
    { id: 1, method, params: { ...params, _meta: MODERN_META } },
    { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...name, ...headers },
  );
}
