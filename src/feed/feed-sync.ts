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
import { isCurrent } from './feed-ahead.ts';
import type { VersionedRow } from '../directory/place/record-row.ts';
import {
  listFeedKeys,
  listFeedPlaces,
  listFeedPlacesById,
  listRemoved,
  type RemovedSince,
  type Since,
} from './feed.ts';
import { DAY_MS, isKeepable } from '../core/time.ts';

const LIFE_MS = DAY_MS;
const CURSOR = 'directory_feed';
/** A removal with its id in the text and in the content for programs. */
const REMOVAL_BYTES = 200;
const SNAPSHOT = new RegExp(`^snp_(${POSITION})$`);

/** Where a sync stands. Its first half walks over the places, its second over what left. */
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

export interface SyncOptions {
  updated_since?: string | undefined;
  include_removed?: boolean | undefined;
}

/** How much a page may hold: so many places and so many removals, and records of so many bytes where that is said. */
export interface PageRoom {
  limit: number;
  bytesMax?: number;
}

export interface SyncPage {
  /** Each record as JSON text. */
  places: string[];
  removed: { place_id: string; removed_at: string; reason: string }[];
  next_cursor: string | null;
}

/** Whether a text can stand as updated_since: the snapshot of an earlier sync, or a time. */
export function isSyncMark(text: string): boolean {
  if (SNAPSHOT.test(text)) return true;
  return z.iso.datetime({ offset: true }).safeParse(text).success && isKeepable(new Date(text));
}

function sinceOf(text: string | undefined): Since {
  if (text === undefined) return { kind: 'ever' };
  const [, id] = SNAPSHOT.exec(text) ?? [];
  return id === undefined ? { kind: 'time', time: text } : { kind: 'transaction', id };
}

export async function beginSync(ctx: Ctx, { id }: Destination, options: SyncOptions): Promise<Sync> {
  const position = await currentPosition(ctx.db);
  ctx.deps.feedRecords.follow(sequenceOf(position));
  const since = sinceOf(options.updated_since);
  if (since.kind === 'transaction' && !isReached(since.id, position)) {
    const detail = 'is not a snapshot of this directory; begin with a full sync';
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

/** A cursor goes on with the sync that it came from; asked about anything else it would skip places without a word. */
export function resumeSync(ctx: Ctx, { id }: Destination, cursor: string, options: SyncOptions): Sync {
  const sync = decodeCursor(ctx.deps.secrets.session, CURSOR, cursor) as Sync;
  if (ctx.now.getTime() - sync.begun > LIFE_MS) {
    throw new AppError('bad_cursor', 'This sync began more than 24 hours ago.', {
      hint: 'Begin again without a cursor.',
    });
  }
  const { updated_since, include_removed } = options;
  const same =
    sync.destination === id &&
    (updated_since === undefined || JSON.stringify(sinceOf(updated_since)) === JSON.stringify(sync.since)) &&
    (include_removed === undefined || include_removed === sync.removed);
  if (same) return sync;
  throw new AppError('bad_cursor', 'This cursor belongs to another sync.', {
    hint: 'Send it with the destination, updated_since and include_removed that the sync began with.',
  });
}

export async function readSyncPage(
  ctx: Ctx,
  destination: Destination,
  sync: Sync,
  room: PageRoom,
): Promise<SyncPage> {
  const cursor = (next: Partial<Sync>) =>
    encodeCursor(ctx.deps.secrets.session, CURSOR, { ...sync, ...next });
  let after = sync.last;
  let places: string[] = [];
  let limit = room.limit;
  if (sync.half === 'places') {
    const { since, snapshot } = sync;
    const page = await readPlaces(ctx, destination, { after, since, snapshot, ...room });
    places = page.places;
    if (page.last !== null) return { places, removed: [], next_cursor: cursor({ last: page.last }) };
    after = '';
    if (room.bytesMax !== undefined) limit = removalsThatFit(room.bytesMax, places, limit);
  }
  const gone = await listRemoved(ctx.db, {
    destinationId: destination.id,
    after,
    since: removedSince(sync),
    limit: limit + 1,
  });
  const removed = gone
    .slice(0, limit)
    .map(({ removed_at, ...rest }) => ({ ...rest, removed_at: removed_at.toISOString() }));
  const last = removed.at(-1)?.place_id ?? '';
  return { places, removed, next_cursor: gone.length > limit ? cursor({ half: 'removed', last }) : null };
}

/** Behind the last places there may be room for removals; a page of nothing but them has room for all of its limit. */
function removalsThatFit(bytesMax: number, places: readonly string[], limit: number): number {
  const left = bytesMax - places.reduce((sum, record) => sum + Buffer.byteLength(record), 0);
  return Math.max(0, Math.min(limit, Math.floor(left / REMOVAL_BYTES)));
}

/** One page of records, and the place to go on after where there are more. */
async function readPlaces(
  { db, deps, now }: Ctx,
  { id: destinationId, timezone }: Destination,
  { after, since, snapshot, limit, bytesMax }: PageRoom & { after: string; since: Since; snapshot: string },
): Promise<{ places: string[]; last: string | null }> {
  const { prefix, baseUrl, serviceName } = deps.config;
  const moment = { timezone, now, prefix, baseUrl, serviceName };
  // One more than fits tells whether there is another page.
  const stretch = { destinationId, after, since, limit: limit + 1 };
  // Where a page ends by its bytes, nobody knows where the next ones begin.
  const readsAhead = since.kind === 'ever' && bytesMax === undefined;
  const ahead = readsAhead ? await deps.feedRecords.ahead.take({ ...stretch, limit }) : undefined;
  const readOn = (last: string) => {
    if (readsAhead) deps.feedRecords.ahead.readOn(deps, { ...stretch, after: last, limit, snapshot }, moment);
  };
  if (ahead !== undefined && isCurrent(ahead, snapshot)) {
    const texts = deps.feedRecords.textsOf(ahead.records, moment);
    if (ahead.next !== null) readOn(ahead.next);
    if (texts !== undefined) return { places: [...texts.values()], last: ahead.next };
  }
  const known = deps.feedRecords.knows(destinationId);
  const found = known ? await listFeedKeys(db, stretch) : await listFeedPlaces(db, stretch);
  const page = found.slice(0, limit);
  const texts = known ? deps.feedRecords.texts(destinationId, page, moment) : new Map<string, string>();
  const missing = page.filter(({ id }) => !texts.has(id));
  if (missing.length > 0) {
    const rows = known
      ? await listFeedPlacesById(
          db,
          destinationId,
          missing.map(({ id }) => id),
        )
      : (missing as VersionedRow[]);
    for (const [id, text] of deps.feedRecords.keep(destinationId, rows, moment)) texts.set(id, text);
  }
  const told = page.filter(({ id }) => texts.has(id));
  const places = told.map(({ id }) => texts.get(id) ?? '');
  const fitting = countThatFits(places, bytesMax ?? Infinity);
  if (fitting < places.length) return { places: places.slice(0, fitting), last: told[fitting - 1]?.id ?? '' };
  const last = found.length > limit ? (page.at(-1)?.id ?? '') : null;
  if (last !== null) readOn(last);
  return { places, last };
}

/** Removals since the sync began are always listed, because an earlier page may hold the place. */
function removedSince({ since, removed, snapshot }: Sync): RemovedSince {
  return {
    everything: removed && since.kind === 'ever',
    transaction: transactionOf(
      removed && since.kind === 'transaction' ? since.id : snapshot.slice('snp_'.length),
    ),
    time: removed && since.kind === 'time' ? since.time : null,
  };
}
