import { z } from 'zod';
import { closureStateSet, reopenedBySet } from '../sets/place-sets.ts';
import { placeSourceSet } from '../sets/source-sets.ts';
import { verticalSet } from '../sets/vertical.ts';
import { defineOperation, type RateLimit } from '../../core/operation.ts';
import { pageLimit } from '../../core/page-limit.ts';
import { formatCount } from '../../core/text/format-count.ts';
import { MINUTE_MS } from '../../core/time.ts';
import { closureEvidenceSchema, positionKnownField } from '../place/place-answer.ts';
import { requireDestination } from '../place/require-place.ts';
import { listClosuresOf } from './closures.ts';

const LIMIT = { standard: 50, max: 100 };

/** Rate limit for maintainers of other maps, who read page after page; more than this is abuse. */
const READS_A_MINUTE: RateLimit = {
  name: 'closures-minute',
  code: 'rate_limited',
  windowMs: MINUTE_MS,
  max: () => 120,
  message: 'More than 120 pages of closures were read from this address within a minute.',
  counts: 'calls',
};

export const closedSince = z.iso.date().or(z.iso.datetime({ offset: true }));

const closureSchema = z.object({
  place_id: z.string(),
  name: z.string(),
  vertical: verticalSet.word.describe('The type of place.'),
  category: z.string().describe('The more specific type.'),
  country: z.string().describe('ISO 3166 alpha-2 code.'),
  destination: z.object({ slug: z.string(), name: z.string() }),
  lat: z.number().nullable(),
  lng: z.number().nullable(),
  position_known: positionKnownField,
  source: placeSourceSet.word.describe('Where the record comes from.'),
  source_ref: z.string().describe('The object in that source, such as node/123.'),
  source_url: z.string().nullable().describe('A page that shows the object, or else its position on a map.'),
  state: closureStateSet.schema,
  closed_at: z.string().describe('The date of the evidence. The place may have closed long before.'),
  noted_at: z.string().describe('When the directory recorded it.'),
  evidence: z.array(closureEvidenceSchema).describe('The evidence for the closure.'),
  reopened: z
    .object({ at: z.string(), by: reopenedBySet.schema })
    .nullable()
    .describe('When it was found to be open, and by which source.'),
});

export const listClosures = defineOperation({
  name: 'list_closures',
  title: 'List closures',
  description:
    'Places that are believed to have closed, with the evidence and the source object, for editors of other maps; and places that were believed closed and are open again. Newest records first. Needs no key and costs no read. The same is at /closures for people and at /closures.atom as a feed.',
  tag: 'directory',
  effect: 'read',
  access: { who: 'anyone' },
  rateLimits: [READS_A_MINUTE],
  containsUntrustedText: true,
  rest: { method: 'GET', path: '/api/agent/closures' },
  tools: [],
  furtherTools: ['agent', 'partner'],
  input: z.object({
    since: closedSince.optional().describe('Only places that closed or reopened since this date or time.'),
    noted_since: closedSince
      .optional()
      .describe('Only entries recorded since, for polling: evidence can be older than its record.'),
    destination: z.string().min(1).max(80).optional().describe('Slug, id or name of a destination.'),
    limit: pageLimit('Entries in this page', LIMIT),
    cursor: z.string().min(1).max(400).optional().describe('next_cursor of the previous page.'),
  }),
  output: z.object({
    closures: z.array(closureSchema),
    limit: z.int(),
    next_cursor: z.string().nullable().describe('null: this is the last page.'),
  }),
  failures: ['unknown_destination', 'bad_cursor'],
  example: {
    input: { since: '2026-01-01', limit: 1 },
    output: {
      closures: [
        {
          place_id: 'plc_01kdtqb00071qz6sbs7e2vkqza',
          name: 'Café Ada',
          vertical: 'cafe',
          category: 'cafe',
          country: 'MC',
          destination: { slug: 'monaco', name: 'Monaco' },
          lat: 43.7396,
          lng: 7.4272,
          position_known: true,
          source: 'osm',
          source_ref: 'node/1',
          source_url: 'https://www.openstreetmap.org/node/1',
          state: 'closed',
          closed_at: '2026-02-11T00:00:00.000Z',
          noted_at: '2026-02-12T08:30:00.000Z',
          evidence: [
            {
              kind: 'published_report',
              source_url: 'https://www.openstreetmap.org/node/1',
              note: 'No longer in the map extract of 2026-02-11.',
              observed_at: '2026-02-11T00:00:00.000Z',
            },
          ],
          reopened: null,
        },
      ],
      limit: 1,
      next_cursor: null,
    },
  },
  async run(ctx, { destination, limit = LIMIT.standard, ...rest }) {
    const destinationId =
      destination === undefined ? undefined : requireDestination(ctx.deps, destination).id;
    const page = await listClosuresOf(ctx.db, ctx.deps.secrets.session, { ...rest, destinationId, limit });
    return { ...page, limit };
  },
  summarize: ({ closures, next_cursor }) =>
    [
      `${formatCount(closures.length, 'closure')}.`,
      ...closures.map(
        ({ place_id, name, destination, state, closed_at }) =>
          `${place_id} ${name}, ${destination.name}: ${state} ${closed_at}`,
      ),
      ...(next_cursor === null ? [] : [`More: cursor ${next_cursor}`]),
    ].join('\n'),
});
