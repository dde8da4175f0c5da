import { z } from 'zod';
import { told, toldLine, toldLines } from '../../core/text/told-line.ts';
import { counted } from '../../core/text/counted.ts';
import { defineOperation, PreparedAnswer } from '../../core/operation.ts';
import { pageLimit } from '../../core/page-limit.ts';
import { beginSync, isSyncMark, readSyncPage, resumeSync } from '../../feed/feed-sync.ts';
import { knownDestination } from '../../directory/place/known-place.ts';
import { languageArgument, wantedLanguages } from '../../core/text/languages.ts';
import { destinationArgument, directoryTool } from '../../search/partner-arguments.ts';
import {
  DESTINATION_EXAMPLE,
  destinationRef,
  destinationSchema,
} from '../../directory/place/place-answer.ts';
import { leftBecauseSet } from '../../directory/sets/source-sets.ts';
import { placeRecordSchema, RECORD_EXAMPLE, type PlaceRecord } from '../../directory/place/place-record.ts';
import { withShownName } from '../../directory/place/told-name.ts';
import type { Destination } from '../../directory/destinations.ts';

const FEED_LIMIT_MAX = 200;
/** What a page holds that nobody asked a length of, so that a host keeps all of it: under 25,000 tokens with its text. */
const PAGE_BYTES = 48_000;

const input = z.object({
  destination: destinationArgument,
  cursor: z.string().min(1).max(600).optional().describe('next_cursor of the page before.'),
  limit: pageLimit('Places on a page', { standard: 'what fits into 48 kB', max: FEED_LIMIT_MAX }),
  updated_since: z
    .string()
    .max(40)
    .refine(isSyncMark, 'must be a snapshot or a time such as 2026-11-14T12:00:00Z')
    .optional()
    .describe(
      'Only what changed since: the snapshot of your last sync, which misses nothing, or an RFC 3339 time.',
    ),
  include_removed: z
    .boolean()
    .optional()
    .describe(
      'true: removed lists all that left (with updated_since: since then). Default: true with updated_since.',
    ),
  lang: languageArgument,
});

const output = z.object({
  destination: destinationSchema,
  snapshot: z
    .string()
    .describe('The sync that this page belongs to. Send it as updated_since when you sync the next time.'),
  places: z.array(placeRecordSchema),
  removed: z
    .array(z.object({ place_id: z.string(), removed_at: z.string(), reason: leftBecauseSet.word }))
    .describe(
      'Delete these. Comes after the last place, with all that left while the places were read. What leaves later comes with the next sync.',
    ),
  next_cursor: z.string().nullable().describe('Send it as cursor for the next page; it lives for 24 hours.'),
  done: z.boolean().describe('true on the last page.'),
});

export const directoryFeed = defineOperation({
  name: 'directory_feed',
  title: 'Sync a destination',
  strangersText: true,
  description:
    'Every place of one destination, page by page, for a copy of your own. Places that exist throughout the sync come once each, however others change meanwhile; what closed or left comes in removed. With updated_since only what changed.',
  ...directoryTool,
  input,
  output,
  failures: ['unknown_destination', 'bad_cursor'],
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
  async run(ctx, given) {
    const destination = knownDestination(ctx.deps, given.destination);
    const sync =
      given.cursor === undefined
        ? await beginSync(ctx, destination, given)
        : resumeSync(ctx, destination, given.cursor, given);
    const page = await readSyncPage(
      ctx,
      destination,
      sync,
      given.limit === undefined ? { limit: FEED_LIMIT_MAX, bytesMax: PAGE_BYTES } : { limit: given.limit },
    );
    const done = page.next_cursor === null;
    const { attribution } = ctx.deps.destinations.current;
    // Written here and not by the runner, which would hold every record to the schema first; a test does that.
    const { places: kept, ...rest } = page;
    const places = inLanguage(kept, destination, given.lang);
    const head = JSON.stringify({ destination: destinationRef(destination), snapshot: sync.snapshot });
    const tail = JSON.stringify({ ...rest, done, ...attribution });
    const json = `${head.slice(0, -1)},"places":[${places.join(',')}],${tail.slice(1)}`;
    return new PreparedAnswer(json, () =>
      toldLines(
        feedWords(destination, sync.snapshot, page),
        ...places.map(recordLine),
        attribution.attribution,
      ),
    );
  },
});

/** Records are kept as text, whoever reads them. */
function inLanguage(
  records: readonly string[],
  { country }: Destination,
  lang: string | undefined,
): readonly string[] {
  const languages = wantedLanguages(lang);
  if (languages === undefined) return records;
  return records.map((record) => withShownName(record, { languages, country }));
}

/** What came, and how to go on. */
function feedWords(
  { name }: Destination,
  snapshot: string,
  { places, removed, next_cursor }: Awaited<ReturnType<typeof readSyncPage>>,
): string {
  const came = `${counted(places.length, 'place', 'places')} and ${counted(removed.length, 'removal', 'removals')} of ${name}`;
  return toldLines(
    next_cursor === null
      ? `${came}, the last page. The next time send updated_since ${snapshot}`
      : `${came}. More with cursor ${next_cursor}`,
    removed.length > 0 && `Delete: ${removed.map(({ place_id }) => place_id).join(', ')}`,
  );
}

function recordLine(text: string): string {
  const { place_id, name, category, area, contact } = JSON.parse(text) as PlaceRecord;
  return toldLine(place_id, told(name), told(category), told(area), contact.phone, contact.website);
}
