import type { Ctx } from '../core/context.ts';
import type { Db } from '../core/postgres/db.ts';
import type { StoredHours } from '../directory/hours/stored-hours.ts';
import type { MenuSection } from '../directory/place/place.ts';
import { settleWords } from './representative.ts';

/** What a venue looks after itself. Each part is stored, and taken back, as a whole. */
export interface ListingParts {
  hours: StoredHours | null;
  menu: { currency: string; sections: MenuSection[] } | null;
  about: string | null;
  booking: {
    booking_method: string;
    booking_url: string | null;
    booking_platform: string | null;
    chosen_by_venue: boolean;
    /** Absent in what was stored before it could be set. */
    gather_minutes?: number;
  };
  photo: string | null;
}

export type ListingPart = keyof ListingParts;

export interface VenueEdit {
  id: string;
  part: ListingPart;
  edited_at: Date;
  /** Whether it is the last change of its part and still stands. */
  undoable: boolean;
  undone: boolean;
}

interface Stored {
  value: ListingParts[ListingPart];
  origin: string | null;
}

type EditContext = Pick<Ctx, 'now' | 'audit'>;

/**
 * Writes a part of the listing as the venue wants it. What stood there before is kept, so that it can be taken back.
 * False when it stood there already.
 */
export async function editListing<Part extends ListingPart>(
  tx: Db,
  { now, audit }: EditContext,
  { placeId, part, value }: { placeId: string; part: Part; value: ListingParts[Part] },
): Promise<boolean> {
  const before = await readPart(tx, placeId, part);
  const after: Stored = { value, origin: 'owner' };
  if (JSON.stringify(before) === JSON.stringify(after)) return false;
  await writePart(tx, placeId, part, after, now);
  await tx`
    insert into venue_edit (place_id, part, before, after, edited_at)
    values (${placeId}, ${part}, ${json(tx, before)}, ${json(tx, after)}, ${now})`;
  audit(placeId, { part });
  return true;
}

/** Takes a change back. Only the last one of its part can be: what came after it is not thrown away unseen. */
export async function undoEdit(
  tx: Db,
  { now, audit }: EditContext,
  { placeId, editId }: { placeId: string; editId: string },
): Promise<ListingPart | undefined> {
  if (!/^\d{1,18}$/.test(editId)) return undefined;
  await tx`select 1 from place where id = ${placeId} for update`;
  const [edit] = await tx<{ part: ListingPart; before: Stored }[]>`
    update venue_edit e set undone_at = ${now}
    where e.id::text = ${editId} and e.place_id = ${placeId} and e.undone_at is null
      and not exists (select 1 from venue_edit n where n.place_id = e.place_id and n.part = e.part
        and n.id > e.id and n.undone_at is null)
    returning e.part, e.before`;
  if (edit === undefined) return undefined;
  await writePart(tx, placeId, edit.part, edit.before, now);
  // What stood there before may be the word of somebody of whom the venue has changed its mind since.
  await settleWords(tx, placeId, now);
  audit(placeId, { part: edit.part });
  return edit.part;
}

/** The last changes of a listing, the newest first. */
export function listEdits(db: Db, placeId: string, limit: number): Promise<VenueEdit[]> {
  return db<VenueEdit[]>`
    select e.id::text as id, e.part, e.edited_at, e.undone_at is not null as undone,
           e.undone_at is null and not exists (select 1 from venue_edit n where n.place_id = e.place_id
             and n.part = e.part and n.id > e.id and n.undone_at is null) as undoable
    from venue_edit e where e.place_id = ${placeId} order by e.id desc limit ${limit}`;
}

async function readPart(tx: Db, placeId: string, part: ListingPart): Promise<Stored> {
  const [place] = await tx<
    (ListingParts['booking'] & {
      hours: StoredHours | null;
      about: string | null;
      listing_photo: string | null;
      origins: Record<string, string>;
    })[]
  >`
    select hours, about, listing_photo, origins, booking_method, booking_url, booking_platform, chosen_by_venue,
           gather_minutes
    from place where id = ${placeId} for update`;
  if (place === undefined) throw new Error('The place of a signed-in venue cannot be read.');
  const { hours, about, listing_photo, origins, ...booking } = place;
  const origin = origins[part] ?? null;
  if (part !== 'menu') return { value: { hours, about, booking, photo: listing_photo }[part], origin };
  const [menu] = await tx<NonNullable<ListingParts['menu']>[]>`
    select currency, sections from menu where place_id = ${placeId}`;
  return { value: menu ?? null, origin: menu === undefined ? null : 'owner' };
}

async function writePart(
  tx: Db,
  placeId: string,
  part: ListingPart,
  stored: Stored,
  now: Date,
): Promise<void> {
  const { value, origin } = stored;
  switch (part) {
    case 'hours':
      await tx`update place set hours = ${value === null ? null : json(tx, value)} where id = ${placeId}`;
      break;
    case 'about':
      await tx`update place set about = ${value as string | null} where id = ${placeId}`;
      break;
    case 'photo':
      await tx`update place set listing_photo = ${value as string | null} where id = ${placeId}`;
      break;
    case 'booking': {
      const {
        booking_method,
        booking_url,
        booking_platform,
        chosen_by_venue,
        gather_minutes = null,
      } = value as ListingParts['booking'];
      await tx`
        update place set booking_method = ${booking_method}, booking_url = ${booking_url},
          booking_platform = ${booking_platform}, chosen_by_venue = ${chosen_by_venue},
          gather_minutes = coalesce(${gather_minutes}, gather_minutes) where id = ${placeId}`;
      break;
    }
    case 'menu':
      await writeMenu(tx, placeId, value as ListingParts['menu'], now);
      break;
  }
  // Hours and the description say whose word they are; imports leave what is the owner's alone.
  const kept = part === 'hours' || part === 'about';
  await tx`
    update place set updated_at = ${now},
      origins = ${kept ? (origin === null ? tx`origins - ${part}` : tx`origins || ${tx.json({ [part]: origin })}`) : tx`origins`}
    where id = ${placeId}`;
}

async function writeMenu(tx: Db, placeId: string, menu: ListingParts['menu'], now: Date): Promise<void> {
  if (menu === null) {
    await tx`delete from menu where place_id = ${placeId}`;
    return;
  }
  await tx`
    insert into menu (place_id, currency, sections, updated_at)
    values (${placeId}, ${menu.currency}, ${json(tx, menu.sections)}, ${now})
    on conflict (place_id) do update
      set currency = excluded.currency, sections = excluded.sections, updated_at = excluded.updated_at`;
}

function json(tx: Db, value: unknown) {
  return tx.json(value);
}
