import { z } from 'zod';
import { defineOperation, type RateLimit } from '../../core/operation.ts';
import { pageLimit } from '../../core/page-limit.ts';
import { formatCount } from '../../core/text/format-count.ts';
import { MINUTE_MS } from '../../core/time.ts';
import { requireDestination } from '../place/require-place.ts';
import example from './closures-example.json' with { type: 'json' };
import { closureSchema, listClosuresOf } from './closures.ts';

const LIMIT = { standard: 50, max: 100 };

/** Rate limit for maintainers of other maps, who read page after page; more than this is abuse. */
const READS_A_MINUTE: RateLimit = {
  name: 'closures-minute',
  windowMs: MINUTE_MS,
  max: () => 120,
  message: 'More than 120 pages of closures were read from this address within a minute.',
};

export const closedSince = z.iso.date().or(z.iso.datetime({ offset: true }));

const output = z.object({
  closures: z.array(closureSchema),
  limit: z.int(),
  next_cursor: z.string().nullable().describe('null: this is the last page.'),
});

export const listClosures = defineOperation({
  name: 'list_closures',
  title: 'List closures',
  description:
    'Places believed to have closed, and places open again, with evidence and source object, for editors of other maps. Newest first. Needs no key, costs no read. /closures is the same for people, /closures.atom as a feed.',
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
  output,
  failures: ['unknown_destination', 'bad_cursor'],
  example: { input: { since: '2026-01-01', limit: 1 }, output: example },
  async run(ctx, { destination, limit = LIMIT.standard, ...rest }) {
    const destinationId =
      destination === undefined ? undefined : requireDestination(ctx.deps, destination).id;
    const page = await listClosuresOf(ctx.db, ctx.deps.secrets.session, { ...rest, destinationId, limit });
    return { ...page, limit };
  },
  summarize: ({ closures, next_cursor }) =>
    [
      `${formatCount(closures.length, 'closure')}, the latest recorded first.`,
      ...closures.map(
        ({ place_id, name, destination, state, closed_at, noted_at }) =>
          `${place_id} ${name}, ${destination.name}: ${state} ${dayOf(closed_at)}, recorded ${dayOf(noted_at)}`,
      ),
      ...(next_cursor === null ? [] : [`More: cursor ${next_cursor}`]),
    ].join('\n'),
});

function dayOf(moment: string): string {
  return moment.slice(0, 10);
}
