import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

export const USER_AGENT = 'WaypostBench/1.0 (+https://waypost.example/bench)';

/** Headers of every MCP call. */
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

const agent = new Agent({ keepAlive: true });

/** Sends one message and gives the answer, which must be a good one. By node:http, which costs less than fetch. */
export async function post(
  port: number,
  path: string,
  content: object,
  headers: Record<string, string> = {},
): Promise<Answered> {
  const sent = request({
    ...{ host: '127.0.0.1', port, path, agent, method: 'POST' },
    headers: { ...MCP_HEADERS, ...headers },
  });
  sent.end(message(content));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const answer = await text(response);
  if (response.statusCode !== 200)
    throw new Error(`${path} answered ${response.statusCode ?? 'nothing'}: ${answer}`);
  return {
    text: answer,
    body: JSON.parse(answer) as Record<string, unknown>,
    sessionId: String(response.headers['mcp-session-id'] ?? ''),
  };
}
