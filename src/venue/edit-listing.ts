import type { Ctx } from '../core/context.ts';
import type { Db } from '../core/postgres/db.ts';
import type { StoredHours } from '../directory/hours/stored-hours.ts';
import type { MenuSection } from '../directory/place/place.ts';
import { CONTACT_FIELDS, type BookingWay, type ContactField, type Field } from '../directory/word/field.ts';
import { speak, takeBack, VENUE, type Speech, type SpokenPlace } from '../directory/word/speak.ts';
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
  const after: Stored =
    part === 'contacts'
      ? await contactsToStore(tx, placeId, value as ListingParts['contacts'])
      : { value, origin: 'owner' };
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

/** What the venue said itself of a part, or else what others say, which is kept elsewhere. */
async function readPart(tx: Db, placeId: string, part: ListingPart): Promise<Stored> {
  const [place] = await lockSpoken(tx, [placeId]);
  if (place === undefined) throw new Error('The place of a signed-in venue cannot be read.');
  const fields = SPOKEN[part];
  if (fields === undefined) return readOwn(tx, placeId, part);
  const own = fields.flatMap((field) => {
    const word = place.words[field]?.find(({ ref }) => ref === VENUE);
    return word === undefined ? [] : [[field, word.value] as const];
  });
  const origin = own.length === 0 ? null : 'owner';
  const said = Object.fromEntries(own);
  if (part === 'contacts') return { value: said as ListingParts['contacts'], origin };
  const { hours, about, booking_method, booking_url, booking_platform, chosen_by_venue } = place;
  if (part !== 'booking')
    return {
      value: origin === null ? { hours, about }[part as 'hours' | 'about'] : said[part],
      origin,
    } as Stored;
  const [{ gather_minutes } = {}] = await tx<{ gather_minutes: number }[]>`
    select gather_minutes from place where id = ${placeId}`;
  const way = (said['booking'] as BookingWay | undefined) ?? {
    booking_method,
    booking_url,
    booking_platform,
  };
  return {
    value: { ...way, chosen_by_venue, ...(gather_minutes !== undefined && { gather_minutes }) },
    origin,
  };
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
  const says = origin === 'owner' || isChosen(value) ? saysOf(part, value, place) : {};
  // A field that the venue says nothing of is one of which it takes back what it said.
  const silent = (SPOKEN[part] ?? []).filter((field) => says[field] === undefined);
  const spoken = speak(takeBack(place, VENUE, silent), { ...speaker, says });
  await writeSpoken(tx, now, [spoken]);
  if (part !== 'booking') return;
  const { gather_minutes = null } = value as ListingParts['booking'];
  await tx`update place set gather_minutes = coalesce(${gather_minutes}, gather_minutes) where id = ${placeId}`;
}

/** In what was stored of the way in before there were words, the way itself says whose it is. */
function isChosen(value: Stored['value']): boolean {
  return typeof value === 'object' && value !== null && 'chosen_by_venue' in value && value.chosen_by_venue;
}

function saysOf(part: ListingPart, value: Stored['value'], place: SpokenPlace): Speech['says'] {
  if (part === 'contacts') return ownContacts(value as Partial<ListingParts['contacts']>, place);
  if (part !== 'booking') return { [part]: value };
  const { booking_method, booking_url, booking_platform } = value as ListingParts['booking'];
  return { booking: { booking_method, booking_url, booking_platform } };
}

async function contactsToStore(tx: Db, placeId: string, given: ListingParts['contacts']): Promise<Stored> {
  const [place] = await lockSpoken(tx, [placeId]);
  const own = place === undefined ? {} : ownContacts(given, place);
  return { value: own as ListingParts['contacts'], origin: Object.keys(own).length === 0 ? null : 'owner' };
}

/** A form shows what others say too: only what the venue changed in it, or had said before, is its own word. */
function ownContacts(given: Partial<ListingParts['contacts']>, place: SpokenPlace): Speech['says'] {
  return Object.fromEntries(
    CONTACT_FIELDS.filter(
      (field) =>
        given[field] !== undefined &&
        (given[field] !== place[field] || place.words[field]?.some(({ ref }) => ref === VENUE) === true),
    ).map((field) => [field, given[field]]),
  );
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
