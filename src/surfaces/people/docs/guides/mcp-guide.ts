import { html } from '../../../../core/text/html.ts';
import type { Site } from '../../frame/layout.ts';
import { codeBlock } from '../code-block.ts';
import { curl } from '../topics/examples.ts';
import type { Guide } from '../docs-model.ts';

/** Guide to both generations of the MCP protocol, valid for every endpoint. */
export function mcpSessions(site: Site): Guide {
  return {
    page: 'mcp',
    id: 'mcp',
    title: 'MCP sessions and versions',
    words: html`<p>
        Each surface is one address that takes JSON-RPC 2.0 by POST. It speaks two generations of the
        protocol, and the request decides which:
      </p>
      <ul>
        <li>
          <strong>2026-07-28</strong>: no session. Every request names the version in <code>_meta</code> and
          in the header <code>MCP-Protocol-Version</code>, and repeats its method and tool in
          <code>Mcp-Method</code> and <code>Mcp-Name</code>. Begin with <code>server/discover</code>.
        </li>
        <li>
          <strong>2024-11-05 to 2025-11-25</strong>: <code>initialize</code> answers with an
          <code>Mcp-Session-Id</code>. Send it back with later requests. An unknown or expired session gets
          404; then initialize again.
        </li>
      </ul>
      <p>
        The official clients do all of this for you. Tools keep their names and their order; a new meaning
        gets a new name.
      </p>`,
    examples: [
      codeBlock(
        'Open a session',
        curl({
          url: `${site.baseUrl}/mcp`,
          headers: ['Accept: application/json, text/event-stream'],
          body: {
            jsonrpc: '2.0',
            id: 1,
            method: 'initialize',
            params: {
              protocolVersion: '2025-11-25',
              capabilities: {},
              clientInfo: { name: 'YourAgent', version: '1.0' },
            },
          },
        }),
      ),
    ],
  };
}
