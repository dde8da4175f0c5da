import type { Listing } from './listing.ts';

interface InstallLink {
  client: string;
  href: string;
}

/** Links that open a client with the endpoint filled in, each in its vendor's format. */
export function installLinks({
  name,
  title,
  url,
  short,
}: Pick<Listing, 'name' | 'title' | 'url' | 'short'>): InstallLink[] {
  const asCursor = Buffer.from(JSON.stringify({ url })).toString('base64');
  const asCode = JSON.stringify({ name, type: 'http', url });
  const links = {
    Claude: withQuery('https://claude.ai/customize/connectors', {
      modal: 'add-custom-connector',
      connectorName: title,
      connectorUrl: url,
    }),
    'VS Code': `vscode:mcp/install?${encodeURIComponent(asCode)}`,
    Cursor: withQuery('cursor://anysphere.cursor-deeplink/mcp/install', { name, config: asCursor }),
    Goose: withQuery('goose://extension', {
      type: 'streamable_http',
      url,
      id: name,
      name: title,
      description: short,
    }),
  };
  return Object.entries(links).map(([client, href]) => ({ client, href }));
}

/** Clients do not decode a plus sign as a space, so spaces are percent-encoded. */
function withQuery(address: string, query: Record<string, string>): string {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `${address}?${pairs.join('&')}`;
}
