import type { Listing } from './listing.ts';

export interface InstallLink {
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
  return [
    {
      client: 'Claude',
      href: withQuery('https://claude.ai/customize/connectors', {
        modal: 'add-custom-connector',
        connectorName: title,
        connectorUrl: url,
      }),
    },
    { client: 'VS Code', href: `vscode:mcp/install?${encodeURIComponent(asCode)}` },
    {
      client: 'Cursor',
      href: withQuery('cursor://anysphere.cursor-deeplink/mcp/install', { name, config: asCursor }),
    },
    {
      client: 'Goose',
      href: withQuery('goose://extension', {
        type: 'streamable_http',
        url,
        id: name,
        name: title,
        description: short,
      }),
    },
  ];
}

/** Clients do not decode a plus sign as a space, so spaces are percent-encoded. */
function withQuery(address: string, query: Record<string, string>): string {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `${address}?${pairs.join('&')}`;
}
