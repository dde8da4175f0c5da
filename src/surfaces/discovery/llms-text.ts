import type { Config } from '../../config.ts';
import type { Operation } from '../../core/operation.ts';
import type { ServedSurface } from '../surface-list.ts';

/** A page for language models: what is here and where, in under 10 kB. The lists are made from the registry. */
export function llmsText(
  config: Config,
  operations: readonly Operation[],
  surfaces: readonly ServedSurface[],
): string {
  const { baseUrl, partnerUrl, serviceName } = config;
  const rest = operations.flatMap(({ rest, title, description }) =>
    rest === undefined ? [] : [`- \`${rest.method} ${baseUrl}${rest.path}\`: ${title}. ${description}`],
  );
  const mcp = surfaces.map(
    ({ title, url, auth, tools }) =>
      `- [${title}](${url}): ${auth} Tools: ${tools.map(({ listing }) => `\`${listing.name}\``).join(', ')}.`,
  );
  return `# ${serviceName}

> An open directory of real places that software agents can read and write, that partners can ask, and that asks venues for tables. The service asks; the venue decides.

## Docs

- [API reference](${baseUrl}/docs): operations, tools, errors, limits, with examples
- [OpenAPI 3.1](${baseUrl}/openapi.json): the REST surface for agents
- [Partner index](${partnerUrl}/api/partner): plans, limits and tools for partners
- [Concierge index](${partnerUrl}/api/concierge): whether table requests are taken at the moment

## API

${rest.join('\n')}

## MCP

JSON-RPC 2.0 over streamable HTTP, protocol versions 2024-11-05 to 2026-07-28. With \`?profile=full\` at its address each lists further tools: keys, wallet, closures, usage.

${mcp.join('\n')}

## Rules

- Every request to ${baseUrl}/api/agent and ${baseUrl}/mcp needs a User-Agent that names your agent and a contact, such as \`TripPlanner/1.2 (+https://example.com/agent)\`. A library default is refused with 403.
- Show the \`attribution\` of an answer beside everything that you render from it.
- Do not invent businesses or contact details; leave a field empty instead.
- One key per operator, never shared. Honour \`Retry-After\`.
- Errors are RFC 9457 problem documents; switch on \`code\`.

## Optional

- [Protected resource metadata](${baseUrl}/.well-known/oauth-protected-resource) and [authorization server metadata](${baseUrl}/.well-known/oauth-authorization-server): OAuth 2.1 for MCP clients, without a key
- [Changes](${baseUrl}/changelog.json): what was added, renamed, deprecated or removed
- [Plugin manifest](${baseUrl}/.well-known/ai-plugin.json)
`;
}
