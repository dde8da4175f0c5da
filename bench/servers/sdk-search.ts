import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import type { Deps } from '../../src/core/context.ts';
import { addressGroup } from '../../src/core/text/address-group.ts';
import { surfaceTools } from '../../src/surfaces/surface-list.ts';
import { searchPlacesForPartners } from '../../src/surfaces/partner/search-places.ts';
import { runOperation } from '../../src/protocol/run/run-operation.ts';

/** The official SDK in front of the same search, in the same process: one live transport for each session. */
export async function serveSearchBySdk(deps: Deps): Promise<number> {
  const sessions = new Map<string, NodeStreamableHTTPServerTransport>();
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    let transport = sessions.get(String(request.headers['mcp-session-id']));
    if (transport === undefined) {
      const opened: NodeStreamableHTTPServerTransport = new NodeStreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        enableJsonResponse: true,
        onsessioninitialized: (id) => {
          sessions.set(id, opened);
        },
      });
      transport = opened;
      await createMcpServer(deps).connect(opened);
    }
    await transport.handleRequest(request, response);
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return (server.address() as AddressInfo).port;
}

function createMcpServer(deps: Deps): McpServer {
  const server = new McpServer({ name: 'bench', version: '1.0.0' });
  const [tool] = surfaceTools(deps, [searchPlacesForPartners], 'partner').tools;
  const { name, description, inputSchema } = tool?.listing as unknown as {
    name: string;
    description: string;
    inputSchema: object;
  };
  const schemas = { inputSchema: fromJsonSchema(inputSchema as never) };
  const call = async (input: Record<string, unknown>) => {
    const actor = { kind: 'anonymous', address: addressGroup('127.0.0.1') } as const;
    const { prepared } = await runOperation(deps, searchPlacesForPartners, {
      actor,
      requestId: 'req_bench',
      input,
    });
    return {
      content: [{ type: 'text', text: prepared.summary }],
      structuredContent: JSON.parse(prepared.structured.toString()) as Record<string, unknown>,
    };
  };
  server.registerTool(name, { description, ...schemas } as never, call as never);
  return server;
}
