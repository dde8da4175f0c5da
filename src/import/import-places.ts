import { allowTime, type Db, type Pool } from '../core/postgres/db.ts';
import type { NewId } from '../core/ids.ts';
import { CoveringDestination, type ImportDestination } from './load/covering-destination.ts';
import { dateDrafts, statedDate } from './load/date-drafts.ts';
import { DraftLines } from './load/draft-line.ts';
import { holdReading, readSurroundings } from './load/held-reading.ts';
import { keepVanished, type MissingCounts } from './load/closures/keep-vanished.ts';
import { coveredAreas, listVanished, noteAreas, refuseOlder } from './load/import-areas.ts';
import { mergeDrafts } from './load/merge-drafts.ts';
import { followReferences, noteReferences } from './load/once/follow-references.ts';
import { joinTwins } from './load/once/join-twins.ts';
import { ImportNotes } from './load/import-notes.ts';
import { matchSources, type SecondCounts } from './load/once/match-sources.ts';
import { retireDemonstration, type Retired } from './load/retire-demonstration.ts';
import { noteClosures, type ClosureCounts } from './load/closures/note-closures.ts';
import type { NearOutside } from './load/outside-places.ts';
import { destinationsFromSettlements, type NewDestination } from './load/settlement-destinations.ts';
import { knownAreas } from './load/stored-areas.ts';
import { ImportFileError } from './import-file-error.ts';
import { Shape } from './areas/shape.ts';
import { stageDrafts } from './load/stage-drafts.ts';
import type { Found, PlaceDraft, PlaceReading, ReadCounts } from './place-draft.ts';

export interface ImportOptions {
  source: PlaceDraft['source'];
  file: string;
  open(): Promise<PlaceReading>;
  /** Whether destinations are to be made of its cities, towns and islands. */
  autoDestinations: boolean;
  /** For a map, opens the same file for what its places lie in. */
  openSurroundings?: (() => Promise<PlaceReading>) | undefined;
  /** The same for a file that can be held in memory: opens it for everything at once. */
  openWhole?: (() => Promise<PlaceReading>) | undefined;
  /** Which of these objects the file holds without their being places. */
  find(refs: ReadonlySet<string>): Promise<Found>;
  /** Whether the operator has said that many closures are right. */
  confirmClosures: boolean;
  /** The operator's word for the date of a file that has none. */
  asOf?: Date | undefined;
  now: Date;
  newId: NewId;
}

export interface ImportReport extends ClosureCounts, MissingCounts, SecondCounts {
  read: ReadCounts;
  /** Of when the file is, as it or the operator states. */
  extractedAt: Date | null;
  /** The same, or else the newest edit in it. */
  asOf: Date;
  destinations: number;
  added: number;
  updated: number;
  unchanged: number;
  /** Places whose object in the map got a new reference. */
  redrawn: number;
  /** Places that the map held twice. */
  twins: number;
  /** Objects of the file that are a place which another object of it is already. */
  joined: number;
  /** Fictional venues that left, by destination. */
  retired: Retired[];
  outside: number;
  /** The settlements that most of those lie near. */
  outsideNear: NearOutside[];
  hoursNotUnderstood: number;
  /** Texts that were cut to their limits, and dates that cannot be true, with the first objects that had them. */
  cut: ImportNotes['cut'];
  dates: ImportNotes['dates'];
}

/** Brings a source into the directory, all or nothing: when the file is broken, the directory stays as it was. */
export async function importPlaces(pool: Pool, options: ImportOptions): Promise<ImportReport> {
  return pool
    .begin(async (tx) => {
      // Millions of rows take longer than any request may.
      await allowTime(tx, 0);
      // Two imports at once would each miss what the other has not written yet.
      await tx`select pg_advisory_xact_lock(hashtext('waypost/import'))`;
      return importInto(tx, options);
    })
    .catch((thrown: unknown) => {
      throw refusedValue(thrown, options.file) ?? thrown;
    });
}

/** A value of the file that the database does not take: the file is at fault, and is named. */
function refusedValue(thrown: unknown, file: string): ImportFileError | undefined {
  const { code, message = '' } = (thrown ?? {}) as { code?: unknown; message?: string };
  if (typeof code !== 'string' || !/^2[23]/.test(code)) return undefined;
  const said = message.replace(/[\s\p{Cc}]+/gu, ' ').slice(0, 300);
  return new ImportFileError(`${file} holds a value that cannot be kept: ${said}. Nothing was changed.`, {
    cause: thrown,
  });
}

async function importInto(tx: Db, options: ImportOptions): Promise<ImportReport> {
  const { source, file, confirmClosures, now, newId } = options;
  const existing = await readDestinations(tx);
  const { surroundings, reading } = await openFor(options);
  const { settlements } = surroundings;
  const made = options.autoDestinations ? destinationsFromSettlements(settlements, existing, newId) : [];
  const known = await knownAreas(tx, surroundings.areas, reading.box);
  const notes = new ImportNotes(now);
  const lines = new DraftLines(now, newId, known, notes);
  const staged = await stageDrafts(tx, reading, new CoveringDestination([...existing, ...made]), lines);
  const stated = notes.usableDate('the file itself', reading.extractedAt);
  const extractedAt = statedDate(file, stated, options.asOf);
  const asOf = await dateDrafts(tx, file, extractedAt);
  await followReferences(tx);
  const joined = await joinTwins(tx, now);
  const areas = await coveredAreas(tx, source);
  refuseOlder(file, extractedAt, areas);
  // A rock in the sea may be an island with a name; it becomes a destination only when there is a place on it.
  const used = made.filter(({ id }) => staged.used.has(id));
  await addDestinations(tx, used);
  const vanished = await listVanished(tx, areas);
  // What tells whether two places are the same is loaded only when it has something to tell.
  const redrawn =
    vanished === 0 ? 0 : await (await import('./load/once/follow-redrawn.ts')).followRedrawn(tx);
  const second = await matchSources(tx, source, [...staged.used]);
  const merged = await mergeDrafts(tx, now);
  await noteReferences(tx, asOf);
  const { missing, untold } = await keepVanished(tx, {
    source,
    box: reading.box,
    asOf,
    find: (refs) => options.find(refs),
  });
  const twins = vanished === 0 ? 0 : await (await import('./load/once/merge-twins.ts')).mergeTwins(tx, now);
  if (second.matched > 0)
    merged.updated += await (await import('./load/once/speak-matched.ts')).speakMatched(tx, asOf, now);
  const closures = await noteClosures(tx, { source, file, confirmClosures, untold, asOf, now });
  await noteAreas(tx, source, asOf, now, areas);
  const retired = await retireDemonstration(tx, now);
  // The first queries after the commit would otherwise be planned for the table as it was.
  await tx`analyze place`;
  return {
    read: reading.counts,
    extractedAt,
    asOf,
    destinations: used.length,
    ...merged,
    ...closures,
    ...missing,
    beyond: missing.beyond + (confirmClosures ? 0 : untold.length),
    ...second,
    redrawn,
    twins,
    joined,
    retired,
    outside: staged.outside.places,
    outsideNear: staged.outside.nearest(known.areas),
    hoursNotUnderstood: lines.hoursNotUnderstood,
    cut: notes.cut,
    dates: notes.dates,
  };
}

/** The places of a source, after what they lie in. */
async function openFor(options: ImportOptions) {
  if (options.openWhole !== undefined) {
    const { held, surroundings } = await holdReading(await options.openWhole());
    return { surroundings, reading: held };
  }
  const surroundings =
    options.openSurroundings === undefined
      ? { settlements: [], areas: [] }
      : await readSurroundings(await options.openSurroundings());
  return { surroundings, reading: await options.open() };
}

async function readDestinations(tx: Db): Promise<ImportDestination[]> {
  const rows = await tx<(Omit<ImportDestination, 'outline'> & { outline: Uint8Array | null })[]>`
    select id, slug, country, timezone, lat, lng, west, south, east, north, outline from destination`;
  return rows.map((row) => ({ ...row, outline: row.outline === null ? null : Shape.ofBytes(row.outline) }));
}

async function addDestinations(tx: Db, made: readonly NewDestination[]): Promise<void> {
  if (made.length === 0) return;
  const rows = made.map(({ outline, ...destination }) => {
    return { ...destination, outline: outline?.toBytes().toString('hex') ?? null };
  });
  await tx`
    insert into destination (id, slug, name, other_names, country, timezone, lat, lng, west, south, east, north, outline)
    select id, slug, name, other_names, country, timezone, lat, lng, west, south, east, north, decode(outline, 'hex')
    from jsonb_to_recordset(${tx.json(rows)}) as entry (
      id text, slug text, name text, other_names text[], country text, timezone text,
      lat float8, lng float8, west float8, south float8, east float8, north float8, outline text)`;
}
