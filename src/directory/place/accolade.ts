import { z } from 'zod';
import type { Db } from '../../core/postgres/db.ts';
import { line, webAddress } from '../../core/text/text.ts';

/** An accolade as returned to callers. */
export const shownAccoladeSchema = z.object({
  title: z.string(),
  year: z.int().nullable(),
  source_name: z.string(),
  source_url: z.string(),
});

/** An award or a distinction. None is shown without a public source. */
export const accoladeSchema = z.object({
  title: line(2, 160),
  year: z.int().min(1800).max(2200).nullable(),
  source_name: line(2, 120),
  source_url: webAddress().min(1, 'must not be empty'),
});

type Accolade = z.output<typeof accoladeSchema>;

/** Adds an accolade, or replaces the one with the same title. Returns false when there is no such place. */
export async function setAccolade(db: Db, now: Date, placeId: string, accolade: Accolade): Promise<boolean> {
  if (!(await touchPlace(db, now, placeId))) return false;
  await db`
    insert into accolade (place_id, title, year, source_name, source_url)
    values (${placeId}, ${accolade.title}, ${accolade.year}, ${accolade.source_name}, ${accolade.source_url})
    on conflict (place_id, title) do update set year = excluded.year, source_name = excluded.source_name,
      source_url = excluded.source_url`;
  return true;
}

export async function removeAccolade(db: Db, now: Date, placeId: string, title: string): Promise<boolean> {
  const removed = await db`delete from accolade where place_id = ${placeId} and title = ${title}`;
  return removed.count === 1 && touchPlace(db, now, placeId);
}

/**
 * Marks the place as updated: consumers follow changes of places, so that a change of related data must count as one.
 */
async function touchPlace(db: Db, now: Date, placeId: string): Promise<boolean> {
  const touched = await db`update place set updated_at = ${now} where id = ${placeId}`;
  return touched.count === 1;
}
