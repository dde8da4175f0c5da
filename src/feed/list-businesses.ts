import type { Db } from '../core/postgres/db.ts';

/** A place with all the data by which an assistant recognises a business. */
export interface BusinessRow {
  id: string;
  name: string;
  address: string;
  city: string | null;
  destination: string;
  country: string;
  lat: number;
  lng: number;
  phone: string;
  website: string;
}

/** Businesses of these kinds with a booking route, by id, without demonstration places. */
export function listBusinessRows(
  db: Db,
  after: string,
  limit: number,
  kinds: readonly string[],
): Promise<BusinessRow[]> {
  return db<BusinessRow[]>`
    select p.id, p.name, p.address, p.city, d.name as destination, p.country, p.lat, p.lng, p.phone, p.website
    from place p join destination d on d.id = p.destination_id
    where p.id > ${after} and p.closed_at is null and p.source <> 'demo' and (array[p.vertical, p.category] && ${kinds} or p.categories && ${kinds})
      and p.booking_method <> 'not_through'
      and p.address is not null and p.phone is not null and p.website is not null and p.lat is not null
    order by p.id limit ${limit}`;
}

/**
 * True when this transaction or a later one changed or removed a place. Any place counts, because one that stopped
 * being a business must be noticed too. Transaction numbers that this server has not reached come from restored rows
 * and are ignored.
 */
export async function businessesChanged(db: Db, since: string): Promise<boolean> {
  const [row] = await db<{ changed: boolean }[]>`
    select exists (select from place where changed_xid >= ${since}::xid8
                   and changed_xid < pg_snapshot_xmax(pg_current_snapshot()))
        or exists (select from place_removed where changed_xid >= ${since}::xid8
                   and changed_xid < pg_snapshot_xmax(pg_current_snapshot())) as changed`;
  return row?.changed ?? true;
}
