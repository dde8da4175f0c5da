import type { Config } from '../../config.ts';
import { API_VERSION } from '../../protocol/describe/openapi.ts';
import { iconsAt } from './icons.ts';
import type { Listing } from './listing.ts';

const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';

/** Entry of an endpoint in the MCP registry. The publisher submits it: the registry does not fetch it. */
export function serverJson(
  { registryNamespace, contactEmail }: Pick<Config, 'registryNamespace' | 'contactEmail'>,
  { surface, name, title, short, url, website, privacy, terms, support }: Listing,
): Record<string, unknown> {
  return {
    $schema: SCHEMA,
    name: `${registryNamespace}/${name}`,
    title,
    description: short,
    version: API_VERSION,
    websiteUrl: website,
    icons: iconsAt(url),
    remotes: [{ type: 'streamable-http', url, ...(surface !== 'agent' && { headers: [PARTNER_KEY] }) }],
    _meta: {
      'io.modelcontextprotocol.registry/publisher-provided': {
        privacyPolicy: privacy,
        termsOfService: terms,
        support,
        contact: contactEmail,
      },
    },
  };
}

/** A client may ask its user for it, but need not. */
const PARTNER_KEY = {
  name: 'X-Partner-Key',
  description: 'Your partner key, if you have one.',
  isRequired: false,
  isSecret: true,
};
