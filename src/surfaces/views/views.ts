import type { Config } from '../../config.ts';
import type { Surface } from '../../core/context.ts';
import type { Resource } from '../../protocol/mcp/resource.ts';
import type { Tool } from '../../protocol/mcp/tool.ts';
import { viewHtml } from './view-html.ts';

/** The protocol extension with which hosts show views. */
export const VIEWS_EXTENSION = 'io.modelcontextprotocol/ui';
const MIME_TYPE = 'text/html;profile=mcp-app';
export const VIEWS_SETTINGS = { mimeTypes: [MIME_TYPE] };

interface View {
  title: string;
  description: string;
  /** Key of the view in browser/main.js. */
  name: string;
  styles: readonly string[];
  /** True when it shows photos, which it loads from us. */
  photos: boolean;
}

/** Views that show results in a conversation, by address. */
const VIEWS = {
  'ui://widget/places.html': {
    title: 'Places',
    description: 'Search results as cards with a map.',
    name: 'places',
    styles: ['frame', 'place', 'places'],
    photos: true,
  },
  'ui://widget/place.html': {
    title: 'Place',
    description: 'One place in full.',
    name: 'place',
    styles: ['frame', 'place'],
    photos: true,
  },
  'ui://widget/table.html': {
    title: 'Table',
    description: 'A table request: status, history, change, cancel, accept an offer.',
    name: 'table',
    styles: ['frame', 'places', 'booking'],
    photos: false,
  },
  'ui://widget/photos.html': {
    title: 'Photos',
    description: 'Photos with their prices and licences.',
    name: 'photos',
    styles: ['frame', 'booking', 'photos'],
    photos: true,
  },
  'ui://widget/restaurant-reservation.html': {
    title: 'Ask for a table',
    description: 'A form that asks one restaurant for a table, and then shows the status of the request.',
    name: 'reservation',
    styles: ['frame', 'booking'],
    photos: false,
  },
} as const satisfies Record<string, View>;

type ViewUri = keyof typeof VIEWS;

/** View that shows the results of each operation. */
const VIEW_OF_OPERATION: Readonly<Record<string, ViewUri>> = {
  search_places: 'ui://widget/places.html',
  open_places: 'ui://widget/places.html',
  get_place: 'ui://widget/place.html',
  place_details: 'ui://widget/place.html',
  check_availability: 'ui://widget/restaurant-reservation.html',
  restaurant_reservation: 'ui://widget/restaurant-reservation.html',
  request_table: 'ui://widget/table.html',
  booking_status: 'ui://widget/table.html',
  modify_booking: 'ui://widget/table.html',
  cancel_booking: 'ui://widget/table.html',
  search_photos: 'ui://widget/photos.html',
  quote_photo: 'ui://widget/photos.html',
  license_photo: 'ui://widget/photos.html',
};

/**
 * Names in views that differ from the operation's: an endpoint has only one of the two operations that return one
 * place.
 */
const NAME_IN_VIEWS: Readonly<Record<string, string>> = { get_place: 'place', place_details: 'place' };

/**
 * Links a tool to the view that shows its results. By the extension, views may call every tool; behind the Reserve
 * button the host requires a flag of its own.
 */
export function shownTool(operation: string, surface: Surface, tool: Tool): Tool {
  const resourceUri = VIEW_OF_OPERATION[operation];
  if (resourceUri === undefined) return tool;
  const before = tool.listing['_meta'] as Record<string, unknown> | undefined;
  const flag = surface === 'reserve' ? { 'openai/widgetAccessible': true } : {};
  const _meta = { ...before, ui: { resourceUri }, ...flag };
  return { ...tool, listing: { ...tool.listing, _meta } };
}

/** The views that show the results of an endpoint's tools. */
export function viewsOf(config: Config, version: string, tools: readonly Tool[]): Resource[] {
  const toolNames = new Map<string, string>();
  const linked = new Set<string>();
  for (const { listing } of tools) {
    const { ui } = (listing['_meta'] ?? {}) as { ui?: { resourceUri: string } };
    if (ui === undefined) continue;
    linked.add(ui.resourceUri);
    const operation = listing.name.replace(`${config.prefix}_`, '');
    toolNames.set(NAME_IN_VIEWS[operation] ?? operation, listing.name);
  }
  return Object.entries(VIEWS)
    .filter(([uri]) => linked.has(uri))
    .map(([uri, view]) =>
      viewResource(uri, view, config, {
        version,
        tools: Object.fromEntries(toolNames),
        metered: tools.some(({ metered }) => metered === true),
      }),
    );
}

function viewResource(
  uri: string,
  { title, description, name, styles, photos }: View,
  { serviceName, baseUrl }: Config,
  settings: { version: string; tools: Record<string, string>; metered: boolean },
): Resource {
  const { origin } = new URL(baseUrl);
  const ui = { csp: { resourceDomains: photos ? [origin] : [], connectDomains: [] }, prefersBorder: true };
  let html: string | undefined;
  return {
    listing: { uri, name, title, description, mimeType: MIME_TYPE, _meta: { ui } },
    read() {
      // Built on first read: most endpoints are never read.
      html ??= viewHtml({ title, styles, setup: { view: name, service: serviceName, origin, ...settings } });
      return { text: html, _meta: { ui } };
    },
  };
}
