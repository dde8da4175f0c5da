import { readFileSync } from 'node:fs';
import type { Config } from '../../config.ts';
import type { Operation } from '../../core/operation.ts';
import type { JsonSchema } from '../../protocol/describe/schema-node.ts';
import { inputJsonSchema } from '../../protocol/describe/json-schema.ts';
import type { ServedSurface } from '../surface-list.ts';

const TEMPLATE = readFileSync(new URL('llms.txt', import.meta.url), 'utf8');

/** A page for language models: what is available, where, and what it requires. */
export function llmsText(
  config: Config,
  operations: readonly Operation[],
  surfaces: readonly ServedSurface[],
): string {
  const { baseUrl, partnerUrl, serviceName } = config;
  const routed = operations.filter(({ rest }) => rest !== undefined);
  const values: Record<string, string> = {
    service_name: serviceName,
    base_url: baseUrl,
    partner_url: partnerUrl,
    routes: routed.map(routeLine).join('\n'),
    endpoints: surfaces.map(surfaceLines).join('\n'),
  };
  return TEMPLATE.replaceAll(/\{\{(\w+)\}\}/g, (_all, name: string) => values[name] ?? '');
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
