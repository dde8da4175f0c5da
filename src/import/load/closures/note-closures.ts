import type { Db } from '../../../core/postgres/db.ts';
import { SOURCE_URL_SQL } from '../../../directory/closure/source-url.ts';
import type { PlaceDraft } from '../../place-draft.ts';
import { CALLED_CLOSED, MARKED_DISUSED } from '../../tags/closed-by-name.ts';
import { rejectManyClosures } from './refuse-many-closures.ts';

// Prefixes of the notes of closure evidence, by which a later import recognizes and withdraws its own.
const VANISHED = 'No longer in the map extract';
const IS_OURS = `e.kind = 'published_report' and (${[VANISHED, MARKED_DISUSED, CALLED_CLOSED]
  .map((prefix) => `e.note like '${prefix}%'`)
  .join(' or ')})`;

interface ClosureCounts {
  closed: number;
  /** Claimed places that the map calls closed: evidence is stored, but the owner's claim has priority. */
  doubted: number;
  reopened: number;
}

interface ClosingFile {
  source: PlaceDraft['source'];
  file: string;
  /** The operator has confirmed a large number of closures. */
  confirmClosures: boolean;
  asOf: Date;
  /** Vanished places after the last object of a file that may be truncated; closed only when confirmed. */
  untold: readonly string[];
  now: Date;
}

/** Stores dated closure evidence for places that vanished or are disused, and withdraws evidence that is outdated. */
export async function storeClosures(tx: Db, closing: ClosingFile): Promise<ClosureCounts> {
  const { source, file, confirmClosures, untold: unproven, asOf, now } = closing;
  const reopened = await reopen(tx, asOf, now);
  if (!confirmClosures) await tx`delete from import_vanished where place_id = any(${[...unproven]})`;
  await collectGone(tx, asOf);
  const { count: noted } = await tx.unsafe(
    `
    insert into closure_evidence (place_id, kind, source_url, note, observed_at, noted_at)
    select p.id, 'published_report', ${SOURCE_URL_SQL}, g.note, g.observed_at, $1
    from import_gone g join place p on p.id = g.place_id
    on conflict do nothing`,
    [now],
  );
  const closed = await tx<{ id: string }[]>`
    update place p set closed_at = g.observed_at, updated_at = ${now}
    from import_gone g
    where p.id = g.place_id and p.badge <> 'claimed' and (p.verified_at is null or p.verified_at <= g.observed_at)
    returning p.id`;
  if (!confirmClosures) {
    await rejectManyClosures(tx, file, source, [...unproven, ...closed.map(({ id }) => id)]);
  }
  return { closed: closed.length, doubted: Math.max(0, noted - closed.length), reopened };
}

async function collectGone(tx: Db, asOf: Date): Promise<void> {
  await tx`create temp table import_gone (place_id text, note text, observed_at timestamptz) on commit drop`;
  await tx`
    insert into import_gone
    select place_id, case when disused then ${`${MARKED_DISUSED}.`} else ${`${VANISHED} of ${asOf.toISOString().slice(0, 10)}.`} end,
      ${asOf}
    from import_vanished`;
  await tx`
    insert into import_gone select p.id, d.disused_note, coalesce(d.disused_at, ${asOf}::timestamptz)
    from import_draft d join place p on p.source = d.source and p.source_ref = d.source_ref
    where d.disused and p.closed_at is null`;
  await tx.unsafe(`
    delete from import_gone g
    where exists (select 1 from place p where p.id = g.place_id and p.removed_at is not null)
      or exists (select 1 from closure_evidence e where e.place_id = g.place_id and ${IS_OURS})
      or exists (
        select 1 from closure_ended e
        where e.place_id = g.place_id and e.ended_by in ('staff', 'venue') and (e.ended_at > g.observed_at or ${IS_OURS}))`);
}

/**
 * Reopens places that an import closed and that are in the file again. Evidence from the venue, staff or its website is
 * not withdrawn. Evidence may be newer than the stored date of the place's import area, because of the clock
 * or a late edit; any file that is not older than that date withdraws it.
 */
async function reopen(tx: Db, asOf: Date, now: Date): Promise<number> {
  const ended = await tx.unsafe<{ place_id: string }[]>(
    `with back as (
      select p.id, coalesce(a.extracted_at, '-infinity') as area_dated
      from import_draft d join place p on p.source = d.source and p.source_ref = d.source_ref
      left join import_area_place m on m.place_id = p.id left join import_area a on a.id = m.area_id
      where not d.disused
      union all
      select d.belongs_to, 'infinity' from import_draft d where d.belongs_to is not null and not d.disused),
    gone as (
      delete from closure_evidence e using back
      where back.id = e.place_id and ${IS_OURS}
        and (e.observed_at <= $1 or (back.area_dated < e.observed_at and back.area_dated <= $1))
      returning e.*)
    insert into closure_ended (place_id, kind, source_url, note, observed_at, ended_at, ended_by, ended_note)
    select place_id, kind, source_url, note, observed_at, $2, 'import', $3 from gone
    returning place_id`,
    [asOf, now, `In the map extract of ${asOf.toISOString().slice(0, 10)} again.`],
  );
  const { count } = await tx`
    update place p set closed_at = null, updated_at = ${now}
    where p.id = any(${ended.map(({ place_id }) => place_id)}) and p.closed_at is not null
      and p.removed_at is null and not exists (select 1 from closure_evidence e where e.place_id = p.id)`;
  return count;
}
