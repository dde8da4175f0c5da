import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server';

// The official SDK with the same tool: the listing and the result of ours, as objects. In mode "session" one
// server and transport live as long as the session, which is its fastest way; in mode "stateless" it serves 2026-07-28.
const [, , mode, file] = process.argv;
const { listing, result } = JSON.parse(readFileSync(file ?? '', 'utf8')) as {
  listing: { name: string; description: string; inputSchema: object };
  result: { content: { type: 'text'; text: string }[]; structuredContent: Record<string, unknown> };
};

function createMcpServer(): McpServer {
  const server = new McpServer({ name: 'bench', version: '1.0.0' });
  const inputSchema = fromJsonSchema(listing.inputSchema as never);
  server.registerTool(
    listing.name,
    { description: listing.description, inputSchema } as never,
    (() => result) as never,
  );
  return server;
}

const sessions = new Map<string, NodeStreamableHTTPServerTransport>();

async function bySession(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const known = sessions.get(String(request.headers['mcp-session-id']));
  if (known !== undefined) {
    await known.handleRequest(request, response);
    return;
  }
  const transport: NodeStreamableHTTPServerTransport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    enableJsonResponse: true,
    onsessioninitialized: (id) => {
      sessions.set(id, transport);
    },
  });
  await createMcpServer().connect(transport);
  await transport.handleRequest(request, response);
}

const stateless = toNodeHandler(createMcpHandler(() => createMcpServer()));

const server = createServer((request, response) => {
  void (mode === 'session' ? bySession(request, response) : stateless(request as never, response));
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening on ${(server.address() as AddressInfo).port}\n`);
});
process.on('SIGTERM', () => {
  server.closeAllConnections();
  server.close();
});
