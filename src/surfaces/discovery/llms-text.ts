import type { Config } from '../../config.ts';
import type { Operation } from '../../core/operation.ts';
import type { JsonSchema } from '../../protocol/describe/schema-node.ts';
import { inputJsonSchema } from '../../protocol/describe/json-schema.ts';
import type { ServedSurface } from '../surface-list.ts';

/** A page for language models: what is available, where, and what it requires. */
export function llmsText(
  config: Config,
  operations: readonly Operation[],
  surfaces: readonly ServedSurface[],
): string {
  const { baseUrl, partnerUrl, serviceName } = config;
  const routed = operations.filter(({ rest }) => rest !== undefined);
  return `# ${serviceName}

> An open directory of real places that software agents can read and write, that partners can ask, and that asks venues for tables. The service asks; the venue decides.

## Docs

- [API reference](${baseUrl}/docs.md): everything, with examples
- [Errors](${baseUrl}/docs/errors.md) and [webhooks and callbacks](${baseUrl}/docs/webhooks.md): pages of it
- [OpenAPI 3.1](${baseUrl}/openapi.json)
- [Partner index](${partnerUrl}/api/partner): plans and limits
- [Concierge index](${partnerUrl}/api/concierge): whether table requests are taken

## API

At ${baseUrl}. Parameters follow the address; * marks required ones.

${routed.map(routeLine).join('\n')}

## MCP

Streamable HTTP, protocol versions 2024-11-05 to 2026-07-28. \`?profile=full\` lists further tools.

${surfaces.map(surfaceLines).join('\n')}

## Rules

- Every request to /api/agent and /mcp needs a User-Agent that names your agent and a contact, such as \`TripPlanner/1.2 (+https://example.com/agent)\`. A library default is refused with 403.
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

function routeLine({ rest, title, input }: Operation): string {
  const parameters = namesIn(inputJsonSchema(input));
  return `- ${rest?.method} ${rest?.path}: ${title}${parameters === '' ? '' : ` (${parameters})`}`;
}

/** The tools of agents take the same parameters as the routes of the same name. */
function surfaceLines({ surface, title, url, auth, tools }: ServedSurface): string {
  const lines = tools.map(({ listing }) => {
    const parameters = surface === 'agent' ? '' : namesIn(listing['inputSchema'] as JsonSchema);
    return `\`${listing.name}\`${parameters === '' ? '' : ` (${parameters})`}`;
  });
  const same = surface === 'agent' ? ', with the parameters of the routes above' : '';
  return `- [${title}](${url}): ${auth} Tools: ${lines.join(', ')}${same}.`;
}

/** Lists parameter names. Of several alternatives, the first is the one for creating something new. */
function namesIn({ properties = {}, anyOf, required: always = [] }: JsonSchema): string {
  const [first] = (anyOf ?? []) as { required?: string[] }[];
  const required = [...always, ...(first?.required ?? [])];
  return Object.keys(properties)
    .map((name) => (required.includes(name) ? `${name}*` : name))
    .join(', ');
}
