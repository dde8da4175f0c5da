import type { Ctx } from '../core/context.ts';
import type { Db } from '../core/postgres/db.ts';
import type { StoredHours } from '../directory/hours/stored-hours.ts';
import type { MenuSection } from '../directory/place/place.ts';
import { CONTACT_FIELDS, type BookingWay, type ContactField, type Field } from '../directory/word/field.ts';
import { speak, takeBack, VENUE, type Speech } from '../directory/word/speak.ts';
import { lockSpoken, writeSpoken } from '../directory/word/stored-words.ts';

/** What a venue looks after itself. Each part is stored, and taken back, as a whole. */
export interface ListingParts {
  hours: StoredHours | null;
  menu: { currency: string; sections: MenuSection[] } | null;
  about: string | null;
  booking: BookingWay & {
    chosen_by_venue: boolean;
    /** Absent in what was stored before it could be set. */
    gather_minutes?: number;
  };
  photo: string | null;
  contacts: Record<ContactField, string | null>;
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
  /** `owner` where the venue said it; anything else was said by somebody else, whose word is kept elsewhere. */
  origin: string | null;
}

/** The parts about which others speak too, with their fields. */
const SPOKEN: Partial<Record<ListingPart, readonly Field[]>> = {
  hours: ['hours'],
  about: ['about'],
  booking: ['booking'],
  contacts: CONTACT_FIELDS,
};

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
  const [place] = await lockSpoken(tx, [placeId]);
  if (place === undefined) throw new Error('The place of a signed-in venue cannot be read.');
  const fields = SPOKEN[part];
  if (fields === undefined) return readOwn(tx, placeId, part);
  const said = fields.some((field) => place.words[field]?.some(({ ref }) => ref === VENUE));
  const { hours, about, phone, email, website } = place;
  const { booking_method, booking_url, booking_platform, chosen_by_venue } = place;
  const [{ gather_minutes } = {}] = await tx<{ gather_minutes: number }[]>`
    select gather_minutes from place where id = ${placeId}`;
  const booking = { booking_method, booking_url, booking_platform, chosen_by_venue, gather_minutes };
  const parts = { hours, about, booking, contacts: { phone, email, website } };
  return { value: parts[part as keyof typeof parts], origin: said ? 'owner' : null } as Stored;
}

/** What only the venue itself can say. */
async function readOwn(tx: Db, placeId: string, part: ListingPart): Promise<Stored> {
  if (part === 'photo') {
    const [place] = await tx<{ value: string | null }[]>`
      select listing_photo as value from place where id = ${placeId}`;
    return { value: place?.value ?? null, origin: null };
  }
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
  const { value } = stored;
  if (SPOKEN[part] !== undefined) await writeSpokenPart(tx, placeId, part, stored, now);
  else if (part === 'menu') await writeMenu(tx, placeId, value as ListingParts['menu'], now);
  else await tx`update place set listing_photo = ${value as string | null} where id = ${placeId}`;
  await tx`update place set updated_at = ${now} where id = ${placeId}`;
}

/** What stood there before the venue said anything is still there: somebody else's word, which shows again. */
async function writeSpokenPart(
  tx: Db,
  placeId: string,
  part: ListingPart,
  { value, origin }: Stored,
  now: Date,
): Promise<void> {
  const [place] = await lockSpoken(tx, [placeId]);
  if (place === undefined) return;
  const speaker = { by: 'owner', ref: VENUE, at: now.toISOString(), proof: 'claim' } as const;
  const says = origin === 'owner' || isChosen(value) ? saysOf(part, value) : undefined;
  const spoken =
    says === undefined ? takeBack(place, VENUE, SPOKEN[part] ?? []) : speak(place, { ...speaker, says });
  await writeSpoken(tx, now, [spoken]);
  if (part !== 'booking') return;
  const { gather_minutes = null } = value as ListingParts['booking'];
  await tx`update place set gather_minutes = coalesce(${gather_minutes}, gather_minutes) where id = ${placeId}`;
}

/** In what was stored of the way in before there were words, the way itself says whose it is. */
function isChosen(value: Stored['value']): boolean {
  return typeof value === 'object' && value !== null && 'chosen_by_venue' in value && value.chosen_by_venue;
}

function saysOf(part: ListingPart, value: Stored['value']): Speech['says'] {
  if (part === 'contacts') return value as ListingParts['contacts'];
  if (part !== 'booking') return { [part]: value };
  const { booking_method, booking_url, booking_platform } = value as ListingParts['booking'];
  return { booking: { booking_method, booking_url, booking_platform } };
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
