import type { Deps } from '../../core/context.ts';
import { PARTNER_PLANS, UNKEYED_CALLS } from '../../metering/plans.ts';
import { API_VERSION } from '../../protocol/openapi.ts';
import type { Tool } from '../../protocol/mcp/tool.ts';
import type { SurfaceDescription } from '../surface-list.ts';

type Described = SurfaceDescription & { tools: readonly Tool[] };

/** The index of surface B. Figures are counted at the moment of asking. */
export function partnerIndex(deps: Deps, described: Described): Record<string, unknown> {
  const { destinations, attribution } = deps.destinations.current;
  return {
    ...commonIndex(deps, described),
    covers: {
      destinations: destinations.length,
      countries: new Set(destinations.map((destination) => destination.country)).size,
      places: destinations.reduce((sum, destination) => sum + destination.places, 0),
    },
    plans: PARTNER_PLANS,
    limits: {
      unkeyed: UNKEYED_CALLS,
      never_throttled: ['initialize', 'tools/list', 'server/discover'],
    },
    ...attribution,
  };
}

/** The index of surface C. It says openly whether bookings are taken at the moment. */
export function conciergeIndex(deps: Deps, described: Described): Record<string, unknown> {
  return {
    ...commonIndex(deps, described),
    bookings: { enabled: false, since: null, reason: 'This installation does not take table requests yet.' },
    ...deps.destinations.current.attribution,
  };
}

function commonIndex({ config }: Deps, described: Described): Record<string, unknown> {
  return {
    name: `${config.serviceName}: ${described.title}`,
    version: API_VERSION,
    status: 'ok',
    mcp: {
      url: described.url,
      transport: 'streamable-http',
      methods: ['initialize', 'tools/list', 'tools/call', 'server/discover'],
    },
    auth: described.auth,
    key_header: 'X-Partner-Key',
    signup: {
      method: 'POST',
      path: '/api/partner/signup',
      open: false,
      note: `Keys are issued by the operator: write to ${config.contactEmail}.`,
    },
    tools: described.tools.map(({ listing }) => ({
      name: listing.name,
      summary: firstSentence(listing['description']),
    })),
    docs: `${config.baseUrl}/docs`,
  };
}

function firstSentence(text: unknown): string {
  return typeof text === 'string' ? (/^.*?\.(?=\s|$)/s.exec(text)?.[0] ?? text) : '';
}
