import type { Ctx } from '../core/context.ts';
import type { Db } from '../core/postgres/db.ts';
import type { StoredHours } from '../directory/hours/stored-hours.ts';
import type { MenuSection } from '../directory/place/place.ts';
import {
  CONTACT_FIELDS,
  POSITION_FIELDS,
  type BookingValue,
  type ContactField,
  type ClaimField,
} from '../directory/provenance/field.ts';
import {
  applyFieldClaims,
  withdrawClaims,
  VENUE,
  type ClaimSet,
  type PlaceWithClaims,
} from '../directory/provenance/apply-field-claims.ts';
import { lockPlaceClaims, writePlaceClaims } from '../directory/provenance/stored-claims.ts';

/** The parts of a listing that its venue can edit. Each part is stored, and undone, as a whole. */
export interface ListingParts {
  hours: StoredHours | null;
  menu: { currency: string; sections: MenuSection[] } | null;
  about: string | null;
  booking: BookingValue & {
    chosen_by_venue: boolean;
    /** Absent in values that were stored before this setting existed. */
    batch_minutes?: number;
  };
  photo: string | null;
  contacts: Record<ContactField, string | null>;
  /** Without an address of the venue's own, that of another source is shown. */
  position: { lat: number | null; lng: number | null; address?: string };
}

export type ListingPart = keyof ListingParts;

export interface VenueEdit {
  id: string;
  part: ListingPart;
  edited_at: Date;
  /** True when it is the last change of its part and has not been undone. */
  undoable: boolean;
  undone: boolean;
}

interface Stored {
  value: ListingParts[ListingPart];
  /** `owner` where the venue set the value; else it comes from another source's field claim. */
  origin: string | null;
}

/** The parts that other sources provide too, with their claim fields. */
const CLAIM_FIELDS: Partial<Record<ListingPart, readonly ClaimField[]>> = {
  hours: ['hours'],
  about: ['about'],
  booking: ['booking'],
  contacts: CONTACT_FIELDS,
  position: [...POSITION_FIELDS, 'address'],
};

type EditContext = Pick<Ctx, 'now' | 'audit'>;

/** Stores a part of the listing with the previous value for undo. Returns false when nothing changed. */
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
    values (${placeId}, ${part}, ${tx.json(before)}, ${tx.json(after)}, ${now})`;
  audit(placeId, { part });
  return true;
}

/** Undoes a change. Only the last change of its part can be undone, so that later ones are not lost unseen. */
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

export function listEdits(db: Db, placeId: string, limit: number): Promise<VenueEdit[]> {
  return db<VenueEdit[]>`
    select e.id::text as id, e.part, e.edited_at, e.undone_at is not null as undone,
           e.undone_at is null and not exists (select 1 from venue_edit n where n.place_id = e.place_id
             and n.part = e.part and n.id > e.id and n.undone_at is null) as undoable
    from venue_edit e where e.place_id = ${placeId} order by e.id desc limit ${limit}`;
}

/** Reads the venue's own value of a part, or else the displayed value from another source. */
async function readPart(tx: Db, placeId: string, part: ListingPart): Promise<Stored> {
  const [place] = await lockPlaceClaims(tx, [placeId]);
  if (place === undefined) throw new Error('The place of a signed-in venue cannot be read.');
  const fields = CLAIM_FIELDS[part];
  if (fields === undefined) return readVenueOnly(tx, placeId, part);
  const own = fields.flatMap((field) => {
    const claim = place.field_claims[field]?.find(({ ref }) => ref === VENUE);
    return claim === undefined ? [] : [[field, claim.value] as const];
  });
  const origin = own.length === 0 ? null : 'owner';
  const ownValues = Object.fromEntries(own);
  if (part === 'contacts') return { value: ownValues as ListingParts['contacts'], origin };
  if (part === 'position')
    return {
      value: origin === null ? { lat: place.lat, lng: place.lng } : (ownValues as ListingParts['position']),
      origin,
    };
  const { hours, about, booking_method, booking_url, booking_platform, chosen_by_venue } = place;
  if (part !== 'booking')
    return {
      value: origin === null ? { hours, about }[part as 'hours' | 'about'] : ownValues[part],
      origin,
    } as Stored;
  const [{ batch_minutes } = {}] = await tx<{ batch_minutes: number }[]>`
    select batch_minutes from place where id = ${placeId}`;
  const booking = (ownValues['booking'] as BookingValue | undefined) ?? {
    booking_method,
    booking_url,
    booking_platform,
  };
  return {
    value: { ...booking, chosen_by_venue, ...(batch_minutes !== undefined && { batch_minutes }) },
    origin,
  };
}

/** Reads a part that only the venue can provide. */
async function readVenueOnly(tx: Db, placeId: string, part: ListingPart): Promise<Stored> {
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
  if (CLAIM_FIELDS[part] !== undefined) await writeClaims(tx, placeId, part, stored, now);
  else if (part === 'menu') await writeMenu(tx, placeId, value as ListingParts['menu'], now);
  else await tx`update place set listing_photo = ${value as string | null} where id = ${placeId}`;
  await tx`update place set updated_at = ${now} where id = ${placeId}`;
}

/** Writes the venue's claims. Without a value of the venue's own, the claim of another source is displayed again. */
async function writeClaims(
  tx: Db,
  placeId: string,
  part: ListingPart,
  { value, origin }: Stored,
  now: Date,
): Promise<void> {
  const [place] = await lockPlaceClaims(tx, [placeId]);
  if (place === undefined) return;
  const claimant = { by: 'owner', ref: VENUE, at: now.toISOString(), proof: 'claim' } as const;
  const values = origin === 'owner' || isChosen(value) ? claimValues(part, value, place) : {};
  // A field without a value withdraws the venue's earlier claim.
  const withdrawn = (CLAIM_FIELDS[part] ?? []).filter((field) => values[field] === undefined);
  const changed = applyFieldClaims(withdrawClaims(place, VENUE, withdrawn), { ...claimant, values });
  await writePlaceClaims(tx, now, [changed]);
  if (part !== 'booking') return;
  const { batch_minutes = null } = value as ListingParts['booking'];
  await tx`update place set batch_minutes = coalesce(${batch_minutes}, batch_minutes) where id = ${placeId}`;
}

/** True for the venue's choice. Values stored before there were field claims have only this flag. */
function isChosen(value: Stored['value']): boolean {
  return typeof value === 'object' && value !== null && 'chosen_by_venue' in value && value.chosen_by_venue;
}

function claimValues(part: ListingPart, value: Stored['value'], place: PlaceWithClaims): ClaimSet['values'] {
  if (part === 'contacts') return ownContacts(value as Partial<ListingParts['contacts']>, place);
  if (part === 'position') return value as ListingParts['position'];
  if (part !== 'booking') return { [part]: value };
  const { booking_method, booking_url, booking_platform } = value as ListingParts['booking'];
  return { booking: { booking_method, booking_url, booking_platform } };
}

async function contactsToStore(tx: Db, placeId: string, contacts: ListingParts['contacts']): Promise<Stored> {
  const [place] = await lockPlaceClaims(tx, [placeId]);
  const own = place === undefined ? {} : ownContacts(contacts, place);
  return { value: own as ListingParts['contacts'], origin: Object.keys(own).length === 0 ? null : 'owner' };
}

/** Returns the fields that the venue changed in the form, or had set before. */
function ownContacts(
  contacts: Partial<ListingParts['contacts']>,
  place: PlaceWithClaims,
): ClaimSet['values'] {
  return Object.fromEntries(
    CONTACT_FIELDS.filter(
      (field) =>
        contacts[field] !== undefined &&
        (contacts[field] !== place[field] ||
          place.field_claims[field]?.some(({ ref }) => ref === VENUE) === true),
    ).map((field) => [field, contacts[field]]),
  );
}

async function writeMenu(tx: Db, placeId: string, menu: ListingParts['menu'], now: Date): Promise<void> {
  if (menu === null) {
    await tx`delete from menu where place_id = ${placeId}`;
    return;
  }
  await tx`
    insert into menu (place_id, currency, sections, updated_at)
    values (${placeId}, ${menu.currency}, ${tx.json(menu.sections)}, ${now})
    on conflict (place_id) do update
      set currency = excluded.currency, sections = excluded.sections, updated_at = excluded.updated_at`;
}
