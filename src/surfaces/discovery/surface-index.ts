import { withPlaces } from '../../directory/destinations.ts';
import { readKillSwitch } from '../../bookings/kill-switch/kill-switch.ts';
import type { Deps } from '../../core/context.ts';
import { planTable } from '../../metering/plan-table.ts';
import { UNKEYED_CALLS } from '../../metering/plans.ts';
import { API_VERSION } from '../../protocol/describe/openapi.ts';
import type { ServedSurface } from '../surface-list.ts';

export function partnerIndex(deps: Deps, described: ServedSurface): Record<string, unknown> {
  const { destinations: all, attribution } = deps.destinations.current;
  const destinations = withPlaces(all);
  return {
    ...commonIndex(deps, described),
    covers: {
      destinations: destinations.length,
      countries: new Set(destinations.map((destination) => destination.country)).size,
      places: destinations.reduce((sum, destination) => sum + destination.places, 0),
    },
    plans: planTable(deps.config),
    /** Prices past the allowance, in thousandths of a US cent; a tool that is not listed costs nothing. */
    call_prices_millicents: Object.fromEntries(
      described.tools.filter(({ price }) => price > 0).map(({ listing, price }) => [listing.name, price]),
    ),
    usage: { method: 'GET', path: '/api/partner/usage', page: `${deps.config.baseUrl}/partner` },
    limits: {
      unkeyed: UNKEYED_CALLS,
      counted: ['tools/call'],
      never_throttled: ['initialize', 'tools/list', 'server/discover'],
    },
    ...attribution,
  };
}

/** The index of surface C. It states whether bookings are currently accepted. */
export async function conciergeIndex(deps: Deps, described: ServedSurface): Promise<Record<string, unknown>> {
  const { on, since, reason } = await readKillSwitch(deps.pool);
  const { writesPerMinute, writesPerDay, readsPerMinute, venueAsksPerDay, openAsksPerVenue } =
    deps.config.bookings;
  return {
    ...commonIndex(deps, described),
    bookings: {
      enabled: !on,
      since: since.toISOString(),
      reason: on ? reason : null,
      note: 'The operator switches bookings on for each key.',
    },
    limits: {
      writes: { per_minute: writesPerMinute, per_day: writesPerDay },
      reads: { per_minute: readsPerMinute },
      venue: { asks_per_day: venueAsksPerDay, open_per_key: openAsksPerVenue },
      never_throttled: ['initialize', 'tools/list', 'server/discover'],
    },
    ...deps.destinations.current.attribution,
  };
}

function commonIndex({ config }: Deps, described: ServedSurface): Record<string, unknown> {
  return {
    name: `${config.serviceName}: ${described.title}`,
    version: API_VERSION,
    status: 'ok',
    mcp: {
      url: described.url,
      full_profile_url: `${described.url}?profile=full`,
      transport: 'streamable-http',
      methods: ['initialize', 'tools/list', 'tools/call', 'server/discover'],
    },
    auth: described.auth,
    key_header: 'X-Partner-Key',
    signup: {
      method: 'POST',
      path: '/api/partner/signup',
      open: true,
      note: 'The key is shown once and mailed. Signing up again with the same address replaces it.',
    },
    tools: described.tools.map(({ listing }) => ({
      name: listing.name,
      summary: firstSentence(listing['description']),
    })),
    further_tools: described.furtherTools.map(({ listing }) => listing.name),
    docs: `${config.baseUrl}/docs`,
  };
}

function firstSentence(text: unknown): string {
  return typeof text === 'string' ? (/^.*?\.(?=\s|$)/s.exec(text)?.[0] ?? text) : '';
}
