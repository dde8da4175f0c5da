import { z } from 'zod';
import type { Ctx } from '../core/context.ts';
import { decodeCursor, encodeCursor } from '../core/cursor.ts';
import { AppError } from '../core/errors.ts';
import { countThatFits } from '../core/page-limit.ts';
import {
  currentPosition,
  isReached,
  POSITION,
  sequenceOf,
  transactionOf,
} from '../directory/change-sequence.ts';
import type { Destination } from '../directory/destinations.ts';
import type { Languages } from '../core/text/languages.ts';
import { isCurrent } from './feed-prefetcher.ts';
import type { FeedRecord } from './feed-records.ts';
import type { VersionedRow } from '../directory/place/record-row.ts';
import {
  listFeedKeys,
  listFeedPlaces,
  listFeedPlacesById,
  listRemoved,
  type RemovedSince,
  type Since,
} from './feed.ts';
import { DAY_MS, isStorableDate } from '../core/time.ts';

const LIFE_MS = DAY_MS;
const CURSOR = 'directory_feed';
/** Size of one removal, with its id in both the text and the structured content. */
const REMOVAL_BYTES = 200;
const SNAPSHOT = new RegExp(`^snp_(${POSITION})$`);

/** State of a sync, stored in its cursor. The first half lists the places, the second the removals. */
export interface Sync {
  v: 1;
  destination: string;
  snapshot: string;
  begun: number;
  since: Since;
  removed: boolean;
  half: 'places' | 'removed';
  last: string;
}

interface SyncOptions {
  updated_since?: string | undefined;
  include_removed?: boolean | undefined;
}

/** Limits of a page: number of places, number of removals and, optionally, bytes of records. */
interface PageLimits {
  limit: number;
  bytesMax?: number;
}

interface SyncPage {
  places: FeedRecord[];
  removed: { place_id: string; removed_at: string; reason: string }[];
  next_cursor: string | null;
}

/** True when a text is a valid updated_since: the snapshot of an earlier sync, or a time. */
export function isUpdatedSince(text: string): boolean {
  if (SNAPSHOT.test(text)) return true;
  return z.iso.datetime({ offset: true }).safeParse(text).success && isStorableDate(new Date(text));
}

function sinceOf(text: string | undefined): Since {
  if (text === undefined) return { kind: 'ever' };
  const [, id] = SNAPSHOT.exec(text) ?? [];
  return id === undefined ? { kind: 'time', time: text } : { kind: 'transaction', id };
}

export async function beginSync(ctx: Ctx, { id }: Destination, options: SyncOptions): Promise<Sync> {
  const position = await currentPosition(ctx.db);
  ctx.deps.feedRecords.useSequence(sequenceOf(position));
  const since = sinceOf(options.updated_since);
  if (since.kind === 'transaction' && !isReached(since.id, position)) {
    const detail = 'is not a snapshot of this directory; start with a full sync';
    throw new AppError('validation_failed', `/updated_since: ${detail}`, {
      errors: [{ pointer: '/updated_since', code: 'out_of_range', detail }],
    });
  }
  return {
    v: 1,
    destination: id,
    snapshot: `snp_${position}`,
    begun: ctx.now.getTime(),
    since,
    removed: options.include_removed ?? since.kind !== 'ever',
    half: 'places',
    last: '',
  };
}

/** Resumes the sync of a cursor. With other parameters, the rest of the sync would silently skip places. */
export function resumeSync(ctx: Ctx, { id }: Destination, cursor: string, options: SyncOptions): Sync {
  const sync = decodeCursor(ctx.deps.secrets.session, CURSOR, cursor) as Sync;
  if (ctx.now.getTime() - sync.begun > LIFE_MS) {
    throw new AppError('bad_cursor', 'This sync began more than 24 hours ago.', {
      hint: 'Start again without a cursor.',
    });
  }
  const { updated_since, include_removed } = options;
  const same =
    sync.destination === id &&
    (updated_since === undefined || JSON.stringify(sinceOf(updated_since)) === JSON.stringify(sync.since)) &&
    (include_removed === undefined || include_removed === sync.removed);
  if (same) return sync;
  throw new AppError('bad_cursor', 'This cursor belongs to another sync.', {
    hint: 'Send it with the destination, updated_since and include_removed of the sync it belongs to.',
  });
}

export async function readSyncPage(
  ctx: Ctx,
  destination: Destination,
  sync: Sync,
  room: PageLimits,
  languages: Languages | undefined,
): Promise<SyncPage> {
  const cursor = (next: Partial<Sync>) =>
    encodeCursor(ctx.deps.secrets.session, CURSOR, { ...sync, ...next });
  let after = sync.last;
  let places: FeedRecord[] = [];
  let limit = room.limit;
  if (sync.half === 'places') {
    const { since, snapshot } = sync;
    const page = await readPlaces(ctx, destination, { after, since, snapshot, languages, ...room });
    places = page.places;
    if (page.last !== null) return { places, removed: [], next_cursor: cursor({ last: page.last }) };
    after = '';
    if (room.bytesMax !== undefined) limit = removalsThatFit(room.bytesMax, places, limit);
  }
  const removals = await listRemoved(ctx.db, {
    destinationId: destination.id,
    after,
    since: removedSince(sync),
    limit: limit + 1,
  });
  const removed = removals
    .slice(0, limit)
    .map(({ removed_at, ...rest }) => ({ ...rest, removed_at: removed_at.toISOString() }));
  const last = removed.at(-1)?.place_id ?? '';
  return { places, removed, next_cursor: removals.length > limit ? cursor({ half: 'removed', last }) : null };
}

/** Number of removals that fit after the last places. A page of removals only holds its full limit. */
function removalsThatFit(bytesMax: number, places: readonly FeedRecord[], limit: number): number {
  const left = bytesMax - places.reduce((sum, { json }) => sum + Buffer.byteLength(json), 0);
  return Math.max(0, Math.min(limit, Math.floor(left / REMOVAL_BYTES)));
}

interface PageStart {
  after: string;
  since: Since;
  snapshot: string;
  languages: Languages | undefined;
}

/** Reads one page of records; `last` is the id to continue after, or null on the last page. */
async function readPlaces(
  { db, deps, now }: Ctx,
  { id: destinationId, timezone, country }: Destination,
  { after, since, snapshot, limit, bytesMax, languages }: PageLimits & PageStart,
): Promise<{ places: FeedRecord[]; last: string | null }> {
  const { prefix, baseUrl, serviceName } = deps.config;
  const moment = { timezone, now, prefix, baseUrl, serviceName, country, languages };
  // One row more than fits shows whether there is another page.
  const stretch = { destinationId, after, since, limit: limit + 1 };
  // A page that is limited by bytes ends at an unknown row, so that the following pages cannot be prefetched.
  const readsAhead = since.kind === 'ever' && bytesMax === undefined;
  const prefetched = readsAhead ? await deps.feedRecords.prefetcher.take({ ...stretch, limit }) : undefined;
  const readOn = (last: string) => {
    if (readsAhead)
      deps.feedRecords.prefetcher.prefetchAfter(deps, { ...stretch, after: last, limit, snapshot }, moment);
  };
  if (prefetched !== undefined && isCurrent(prefetched, snapshot)) {
    const texts = deps.feedRecords.textsOf(prefetched.records, moment);
    if (prefetched.next !== null) readOn(prefetched.next);
    if (texts !== undefined) return { places: [...texts.values()], last: prefetched.next };
  }
  const cached = deps.feedRecords.hasDestination(destinationId);
  const rows = cached ? await listFeedKeys(db, stretch) : await listFeedPlaces(db, stretch);
  const page = rows.slice(0, limit);
  const texts = cached ? deps.feedRecords.texts(destinationId, page, moment) : new Map<string, FeedRecord>();
  const missing = page.filter(({ id }) => !texts.has(id));
  if (missing.length > 0) {
    const missingRows = cached
      ? await listFeedPlacesById(
          db,
          destinationId,
          missing.map(({ id }) => id),
        )
      : (missing as VersionedRow[]);
    for (const [id, text] of deps.feedRecords.addAndRender(destinationId, missingRows, moment))
      texts.set(id, text);
  }
  const available = page.filter(({ id }) => texts.has(id));
  const places = available.flatMap(({ id }) => texts.get(id) ?? []);
  const fitting =
    bytesMax === undefined
      ? places.length
      : countThatFits(
          places.map(({ json }) => json),
          bytesMax,
        );
  if (fitting < places.length)
    return { places: places.slice(0, fitting), last: available[fitting - 1]?.id ?? '' };
  const last = rows.length > limit ? (page.at(-1)?.id ?? '') : null;
  if (last !== null) readOn(last);
  return { places, last };
}

/** Always lists removals since the sync began, because an earlier page may contain those places. */
function removedSince({ since, removed, snapshot }: Sync): RemovedSince {
  return {
    everything: removed && since.kind === 'ever',
    transaction: transactionOf(
      removed && since.kind === 'transaction' ? since.id : snapshot.slice('snp_'.length),
    ),
    time: removed && since.kind === 'time' ? since.time : null,
  };
}
