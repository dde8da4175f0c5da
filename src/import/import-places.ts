import { setStatementTimeout, type Db, type Pool } from '../core/postgres/db.ts';
import { CoveringDestination, type ImportDestination } from './load/covering-destination.ts';
import { dateDrafts, statedDate } from './load/date-drafts.ts';
import { DraftLines } from './load/draft-line.ts';
import { excludeUnprovenClosures } from './load/closures/keep-vanished.ts';
import { coveredAreas, listVanished, storeImportAreas, rejectOlderFile } from './load/import-areas.ts';
import { mergeDrafts } from './load/merge-drafts.ts';
import { demoteRepeated } from './load/dedupe/demote-repeated.ts';
import { followReferences, storeReferences } from './load/dedupe/follow-references.ts';
import { joinDuplicates } from './load/dedupe/join-duplicates.ts';
import { ImportNotes } from './load/import-notes.ts';
import { matchSources } from './load/dedupe/match-sources.ts';
import { rejectOtherTable } from './load/reject-other-table.ts';
import { retireDemonstration } from './load/retire-demonstration.ts';
import { storeClosures } from './load/closures/note-closures.ts';
import {
  destinationsFromSettlements,
  destinationsFromVillages,
  type NewDestination,
} from './load/settlement-destinations.ts';
import { loadAreaIndex } from './load/stored-areas.ts';
import { ImportFileError } from './import-file-error.ts';
import type { NewId } from '../core/ids.ts';
import type { AreaDraft } from './areas/area-draft.ts';
import { Shape } from './areas/shape.ts';
import type { Settlement } from './place-draft.ts';
import { stageDrafts } from './load/stage-drafts.ts';
import { findObjects, openImport, type ImportOptions } from './import-file.ts';

const BATCH_DESTINATIONS = 100;

/** Counts of an import; `reportLines` describes them. */
export type ImportReport = Awaited<ReturnType<typeof importInto>>;

/** Imports a file in one transaction: when it is broken, the directory is not changed. */
export async function importFile(pool: Pool, options: ImportOptions): Promise<ImportReport> {
  return pool
    .begin(async (tx) => {
      // Importing millions of rows takes longer than the request timeout.
      await setStatementTimeout(tx, 0);
      // Two concurrent imports would each miss what the other has not written yet.
      await tx`select pg_advisory_xact_lock(hashtext('waypost/import'))`;
      return importInto(tx, options);
    })
    .catch((thrown: unknown) => {
      throw refusedValue(thrown, options.file) ?? thrown;
    });
}

/** Marks the destinations of the demonstration's own map, and ends that for those that another map covers. */
async function markSamples(tx: Db, isSample: boolean): Promise<void> {
  await tx`
    update destination set sample = ${isSample} where sample <> ${isSample}
      and id in (select destination_id from import_draft where not disused)`;
}

/** Returns an error that names the file, when the database rejected one of its values. */
function refusedValue(thrown: unknown, file: string): ImportFileError | undefined {
  const { code, message = '' } = (thrown ?? {}) as { code?: unknown; message?: string };
  if (typeof code !== 'string' || !/^2[23]/.test(code)) return undefined;
  const reason = message.replace(/[\s\p{Cc}]+/gu, ' ').slice(0, 300);
  return new ImportFileError(
    `${file} contains a value that cannot be stored: ${reason}. Nothing was changed.`,
    { cause: thrown },
  );
}

/**
 * Reads the file into the staging table. Areas and outlines, whose number grows with the file, are not kept for the
 * rest of the import, except the destinations that are needed.
 */
async function stageFile(tx: Db, options: ImportOptions) {
  const existing = await readDestinations(tx);
  const { reading, candidates, areaIndex } = await openWithAreas(tx, options, existing);
  const notes = new ImportNotes(options.now);
  const lines = new DraftLines(options.now, options.newId, areaIndex, notes);
  const covering = new CoveringDestination([...existing, ...candidates]);
  const { used, outside } = await stageDrafts(tx, reading, covering, lines);
  return {
    reading: {
      box: reading.box,
      counts: reading.counts,
      skipped: reading.skipped ?? { count: 0, examples: [] },
    },
    fileDate: notes.usableDate('the file itself', reading.extractedAt),
    destinations: [...used],
    // A rock in the sea may be a named island; it becomes a destination only when there is a place on it.
    added: candidates.filter(({ id }) => used.has(id)),
    outside: { outside: outside.places, outsideNear: outside.nearest(areaIndex.areas) },
    noted: { hoursNotUnderstood: lines.hoursNotUnderstood, cut: notes.cut, dates: notes.dates },
  };
}

async function importInto(tx: Db, options: ImportOptions) {
  const { source, file, confirmClosures, now } = options;
  const { reading, fileDate, destinations, added, outside, noted } = await stageFile(tx, options);
  const extractedAt = statedDate(file, fileDate, options.asOf);
  const asOf = await dateDrafts(tx, file, extractedAt);
  if (source === 'csv') await rejectOtherTable(tx, file);
  await followReferences(tx);
  const joined = await joinDuplicates(tx, now);
  await demoteRepeated(tx);
  const areas = await coveredAreas(tx, source);
  rejectOlderFile(file, extractedAt, areas);
  await addDestinations(tx, added);
  await tx`
    update import_draft set destination_id = null
    where name_generated and not exists (select 1 from destination d where d.id = destination_id)`;
  const vanished = await listVanished(tx, areas);
  // The matching code is loaded only when it is needed.
  const redrawn =
    vanished === 0 ? 0 : await (await import('./load/dedupe/follow-redrawn.ts')).followRedrawn(tx);
  const second = await matchSources(tx, source, destinations);
  const merged = await mergeDrafts(tx, now);
  await storeReferences(tx, asOf);
  const find = (refs: ReadonlySet<string>) => findObjects(options, refs);
  const { missing, untold: unproven } = await excludeUnprovenClosures(tx, {
    source,
    box: reading.box,
    asOf,
    find,
  });
  const twins =
    vanished === 0 ? 0 : await (await import('./load/dedupe/merge-duplicates.ts')).mergeDuplicates(tx, now);
  if (second.matched > 0)
    merged.updated += await (
      await import('./load/dedupe/matched-claims.ts')
    ).applyMatchedClaims(tx, asOf, now);
  const closures = await storeClosures(tx, { source, file, confirmClosures, untold: unproven, asOf, now });
  await storeImportAreas(tx, source, asOf, now, areas);
  await markSamples(tx, options.isSample === true);
  const retired = await retireDemonstration(tx, now);
  // Without fresh statistics, the first queries after the commit would be planned for the old table.
  await tx`analyze place`;
  return {
    read: reading.counts,
    extractedAt,
    asOf,
    destinations: added.length,
    ...merged,
    ...closures,
    ...missing,
    beyond: missing.beyond + (confirmClosures ? 0 : unproven.length),
    ...second,
    redrawn,
    twins,
    joined,
    retired,
    ...outside,
    ...noted,
    skipped: reading.skipped,
  };
}

/** Opens the file. Its settlements are released here, once they are destinations. */
async function openWithAreas(tx: Db, options: ImportOptions, existing: readonly ImportDestination[]) {
  const { surroundings, reading } = await openImport(options);
  const { settlements, areas } = surroundings;
  const candidates = options.autoDestinations
    ? newDestinations(settlements, areas, existing, options.newId)
    : [];
  return { reading, candidates, areaIndex: await loadAreaIndex(tx, areas, reading.box) };
}

/** Returns destinations for the settlements of the file, and for its villages outside of these. */
function newDestinations(
  settlements: readonly Settlement[],
  areas: readonly AreaDraft[],
  existing: readonly ImportDestination[],
  newId: NewId,
): NewDestination[] {
  const larger = destinationsFromSettlements(settlements, existing, newId);
  return [...larger, ...destinationsFromVillages(areas, [...existing, ...larger], newId)];
}

async function readDestinations(tx: Db): Promise<ImportDestination[]> {
  const rows = await tx<(Omit<ImportDestination, 'outline'> & { outline: Uint8Array | null })[]>`
    select id, slug, country, timezone, lat, lng, west, south, east, north, outline from destination`;
  return rows.map((row) => ({ ...row, outline: row.outline === null ? null : Shape.ofBytes(row.outline) }));
}

async function addDestinations(tx: Db, destinations: readonly NewDestination[]): Promise<void> {
  for (let at = 0; at < destinations.length; at += BATCH_DESTINATIONS) {
    // Outlines are large, and a country has thousands.
    const rows = destinations.slice(at, at + BATCH_DESTINATIONS).map(({ outline, ...destination }) => {
      return { ...destination, outline: outline?.toBytes().toString('hex') ?? null };
    });
    await tx`
    insert into destination (id, slug, name, other_names, country, timezone, lat, lng, west, south, east, north, outline)
    select id, slug, name, other_names, country, timezone, lat, lng, west, south, east, north, decode(outline, 'hex')
    from jsonb_to_recordset(${tx.json(rows)}) as entry (
      id text, slug text, name text, other_names text[], country text, timezone text,
      lat float8, lng float8, west float8, south float8, east float8, north float8, outline text)`;
  }
}
