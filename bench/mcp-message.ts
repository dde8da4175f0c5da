export const USER_AGENT = 'WaypostBench/1.0 (+https://waypost.example/bench)';

/** What every call of an MCP endpoint sends. */
export const MCP_HEADERS = {
  'user-agent': USER_AGENT,
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

export const INITIALIZE = {
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1.0.0' },
  },
};

/** A message as text: all of them carry one id, so that answers are the same bytes. */
export function message(content: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 3, ...content });
}

export interface Answered {
  text: string;
  body: Record<string, unknown>;
  sessionId: string;
}

/** Sends one message and gives the answer, which must be a good one. */
export async function post(
  port: number,
  path: string,
  content: object,
  headers: Record<string, string> = {},
): Promise<Answered> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { ...MCP_HEADERS, ...headers },
    body: message(content),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
  return {
    text,
    body: JSON.parse(text) as Record<string, unknown>,
    sessionId: response.headers.get('mcp-session-id') ?? '',
  };
}
