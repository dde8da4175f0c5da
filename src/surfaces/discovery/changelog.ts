import type { Deps } from '../../core/context.ts';
import type { Operation } from '../../core/operation.ts';
import { API_VERSION } from '../../protocol/describe/openapi.ts';

interface ApiChange {
  /** Day from which the change is in effect. */
  date: string;
  kind: 'added' | 'changed' | 'renamed' | 'deprecated' | 'removed';
  surface: 'agent' | 'partner' | 'concierge' | 'all';
  what: string;
  /** Replacement. */
  instead?: string;
  /** Day until which the old form still works. */
  sunset?: string;
}

const POLICY =
  'Under 1.x changes are additive, and enumerations may grow. Renamed or removed members work for at least twelve more months, with the headers Deprecation and Sunset, and are listed here. The name of a tool never changes its meaning.';

/**
 * Changes that programs may notice, newest first. Former addresses are not listed here: they come from their
 * operations.
 */
const CHANGES: readonly ApiChange[] = [
  {
    date: '2026-11-17',
    kind: 'changed',
    surface: 'partner',
    what: 'A page of directory_feed without limit, and a very long menu of get_menu, end by their size and continue with next_cursor. Programs that sync send limit 200.',
  },
  { date: '2026-11-17', kind: 'added', surface: 'partner', what: 'open_places takes cuisine.' },
  {
    date: '2026-11-17',
    kind: 'changed',
    surface: 'concierge',
    what: 'modify_booking to exactly the table that the venue offers accepts the offer; a page of booking_status may end by its size.',
  },
  {
    date: '2026-11-17',
    kind: 'added',
    surface: 'all',
    what: 'openapi.json has the events of webhooks and callbacks under webhooks, and 304 on every GET.',
  },
  {
    date: '2026-11-17',
    kind: 'added',
    surface: 'all',
    what: 'Every MCP endpoint lists further tools with ?profile=full; without it exactly those of the description.',
  },
  {
    date: '2026-11-17',
    kind: 'changed',
    surface: 'all',
    what: 'null and empty text are absent in every optional member, a number in quotes is that number, and common other names of members are accepted with the warning other_name.',
  },
  {
    date: '2026-11-17',
    kind: 'changed',
    surface: 'all',
    what: 'A country is accepted by every English name that Unicode CLDR has for it.',
  },
  {
    date: '2026-11-17',
    kind: 'added',
    surface: 'concierge',
    what: 'set_webhook without url acts on the registered one; modify_booking takes remove_notes, and an empty notes changes nothing.',
  },
  {
    date: '2026-11-17',
    kind: 'added',
    surface: 'concierge',
    what: 'request_table refuses with venue_phone_no_country_code a venue of which only a number without its country code is known.',
  },
  {
    date: '2026-11-17',
    kind: 'changed',
    surface: 'all',
    what: 'lat and lng may be null: then position_known, which every place has, is false. Before, they were the centre of the town.',
  },
  {
    date: '2026-11-17',
    kind: 'added',
    surface: 'concierge',
    what: 'request_table, modify_booking and check_availability refuse places of kinds without tables with not_bookable_here, which explains how to book them; the channel of check_availability may be none.',
  },
  {
    date: '2026-11-17',
    kind: 'added',
    surface: 'all',
    what: 'An empty search names the arguments that leave nothing in understood.left_nothing and in hint.',
  },
  { date: '2026-11-17', kind: 'added', surface: 'all', what: '/changelog.json.' },
  {
    date: '2026-11-16',
    kind: 'changed',
    surface: 'all',
    what: 'A limit above its cap is the cap, with the warning limit_capped.',
  },
  {
    date: '2026-11-16',
    kind: 'removed',
    surface: 'concierge',
    what: 'The tool list_destinations.',
    instead: 'list_destinations on the partner surface',
  },
  {
    date: '2026-11-16',
    kind: 'renamed',
    surface: 'agent',
    what: 'The error code licence_refunded.',
    instead: 'license_refunded',
  },
];

/** Changelog of the APIs, from this list and from operations with a former address. */
export function changelog({ config, destinations }: Deps, operations: readonly Operation[]): object {
  const moved = operations.flatMap(({ rest }): ApiChange[] => {
    if (rest?.formerly === undefined) return [];
    const { path, deprecated, sunset } = rest.formerly;
    return [
      {
        date: deprecated.toISOString().slice(0, 10),
        kind: 'deprecated',
        surface: 'agent',
        what: `${rest.method} ${path}`,
        instead: `${rest.method} ${rest.path}`,
        sunset: sunset.toISOString().slice(0, 10),
      },
    ];
  });
  return {
    name: config.serviceName,
    version: API_VERSION,
    policy: POLICY,
    changes: [...CHANGES, ...moved].sort((a, b) => b.date.localeCompare(a.date)),
    ...destinations.current.attribution,
  };
}
