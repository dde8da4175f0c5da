import { z } from 'zod';
import { joinLines } from '../../core/text/tool-text.ts';
import { formatCount } from '../../core/text/format-count.ts';
import { defineOperation, PreparedAnswer } from '../../core/operation.ts';
import { pageLimit } from '../../core/page-limit.ts';
import { beginSync, isUpdatedSince, readSyncPage, resumeSync } from '../../feed/feed-sync.ts';
import { requireDestination } from '../../directory/place/require-place.ts';
import { languageArgument, wantedLanguages } from '../../core/text/languages.ts';
import { destinationArgument, directoryTool } from '../../search/partner-arguments.ts';
import { aroundList } from '../../core/text/json-text.ts';
import { destinationRef } from '../../directory/place/place-answer.ts';
import { DESTINATION_EXAMPLE, RECORD_EXAMPLE } from '../../directory/place/place-examples.ts';
import { destinationSchema, placeRecordSchema } from '../../directory/place/place-fields.ts';
import { removalReasonSet } from '../../directory/sets/source-sets.ts';
import type { Destination } from '../../directory/destinations.ts';

const FEED_LIMIT_MAX = 200;
/** Default page size, so that a host does not truncate the page: under 25,000 tokens with its text. */
const PAGE_BYTES = 48_000;

export const directoryFeed = defineOperation({
  name: 'directory_feed',
  title: 'Sync a destination',
  containsUntrustedText: true,
  description:
    'Every place of one destination, page by page, for a copy of your own. Places that exist throughout the sync come once each, whatever else changes meanwhile; closed and removed places come in removed. With updated_since only changes.',
  ...directoryTool,
  input: z.object({
    destination: destinationArgument,
    cursor: z.string().min(1).max(600).optional().describe('next_cursor of the previous page.'),
    limit: pageLimit('Places on a page', { standard: 'as many as fit into 48 kB', max: FEED_LIMIT_MAX }),
    updated_since: z
      .string()
      .max(40)
      .refine(isUpdatedSince, 'must be a snapshot or a time such as 2026-11-14T12:00:00Z')
      .optional()
      .describe(
        'Only changes since then: the snapshot of your last sync, which misses nothing, or an RFC 3339 time.',
      ),
    include_removed: z
      .boolean()
      .optional()
      .describe(
        'true: removed lists all removals (with updated_since: since then). Default: true with updated_since.',
      ),
    lang: languageArgument,
  }),
  output: z.object({
    destination: destinationSchema,
    snapshot: z
      .string()
      .describe('The sync that this page belongs to. Send it as updated_since when you sync the next time.'),
    places: z.array(placeRecordSchema),
    removed: z
      .array(z.object({ place_id: z.string(), removed_at: z.string(), reason: removalReasonSet.word }))
      .describe(
        'Places to delete. Sent after the last place, with all removals during the sync. Later removals come with the next sync.',
      ),
    next_cursor: z.string().nullable().describe('Send it as cursor for the next page; valid for 24 hours.'),
    done: z.boolean().describe('true on the last page.'),
  }),
  example: {
    input: { destination: 'bali', limit: 1 },
    output: {
      destination: DESTINATION_EXAMPLE,
      snapshot: 'snp_48213',
      places: [RECORD_EXAMPLE],
      removed: [],
      next_cursor: 'q1Xo0ZkR9uV7InYiOjF9',
      done: false,
    },
  },
  async run(ctx, args) {
    const destination = requireDestination(ctx.deps, args.destination);
    const sync =
      args.cursor === undefined
        ? await beginSync(ctx, destination, args)
        : resumeSync(ctx, destination, args.cursor, args);
    const page = await readSyncPage(
      ctx,
      destination,
      sync,
      args.limit === undefined ? { limit: FEED_LIMIT_MAX, bytesMax: PAGE_BYTES } : { limit: args.limit },
      wantedLanguages(args.lang),
    );
    const done = page.next_cursor === null;
    const { attribution } = ctx.deps.destinations.current;
    // Serialized here and not by the runner, which would validate every record against the schema; a test does that.
    const { places, ...rest } = page;
    const before = { destination: destinationRef(destination), snapshot: sync.snapshot };
    const around = aroundList(before, 'places', { ...rest, done, ...attribution });
    return new PreparedAnswer(around.join(places.map(({ json }) => json).join(',')), () =>
      joinLines(
        feedSummary(destination, sync.snapshot, page),
        ...places.map(({ line }) => line),
        attribution.attribution,
      ),
    );
  },
});

/** Summarizes the page, and how to continue. */
function feedSummary(
  { name }: Destination,
  snapshot: string,
  { places, removed, next_cursor }: Awaited<ReturnType<typeof readSyncPage>>,
): string {
  const summary = `${formatCount(places.length, 'place')} and ${formatCount(removed.length, 'removal')} of ${name}`;
  return joinLines(
    next_cursor === null
      ? `${summary}, the last page. The next time send updated_since ${snapshot}`
      : `${summary}. More with cursor ${next_cursor}`,
    removed.length > 0 && `Delete: ${removed.map(({ place_id }) => place_id).join(', ')}`,
  );
}
