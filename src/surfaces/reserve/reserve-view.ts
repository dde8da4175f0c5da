import type { Resource } from '../../protocol/mcp/resource.ts';
import type { Tool } from '../../protocol/mcp/tool.ts';

/** Where assistants look for the form behind the Reserve button, whoever the provider is. */
const VIEW = 'ui://widget/restaurant-reservation.html';
const MIME_TYPE = 'text/html;profile=mcp-app';

/** A tool as assistants want it: the form may call it, and the one that opens the form says where that is. */
export function reserveTool(tool: Tool): Tool {
  const opens = tool.listing.name === 'restaurant_reservation';
  const before = tool.listing['_meta'] as Record<string, unknown> | undefined;
  const _meta = {
    ...before,
    ...(opens ? { ui: { resourceUri: VIEW } } : {}),
    'openai/widgetAccessible': true,
  };
  return { ...tool, listing: { ...tool.listing, _meta } };
}

/** A page in the place of the form: it says how a table is asked for, and that nothing is booked. */
export const reserveView: Resource = {
  listing: {
    uri: VIEW,
    name: 'restaurant-reservation',
    title: 'Reserve at a restaurant',
    mimeType: MIME_TYPE,
  },
  read: () => ({
    text: '<!doctype html><html lang="en"><meta charset="utf-8"><title>Reserve at a restaurant</title><p>Say in the conversation when you want to come, for how many, and under which name. Nothing is booked until the restaurant says so.</p></html>',
    _meta: { ui: { csp: { connectDomains: [], resourceDomains: [] } } },
  }),
};
