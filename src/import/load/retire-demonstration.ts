import type { Db } from '../../core/postgres/db.ts';

interface Retired {
  destination: string;
  places: number;
}

// Pending or confirmed booking. Its venue stays in the directory, closed, until the booking is over.
const STILL_BOOKED = `exists (
  select 1 from booking b where b.place_id = p.id and b.table_at > $1
    and b.status in ('sent', 'asking', 'offered', 'confirmed'))`;

/** Removes the demo venues of a destination once an import has added real places to it. */
export async function retireDemonstration(tx: Db, now: Date): Promise<Retired[]> {
  const retired = await tx.unsafe<{ id: string; destination: string; booked: boolean }[]>(
    `select p.id, d.name as destination, ${STILL_BOOKED} as booked
     from place p join destination d on d.id = p.destination_id
     where p.source = 'demo' and p.destination_id in (
       select destination_id from import_draft where destination_id is not null and not disused)
     order by d.name, p.id`,
    [now],
  );
  if (retired.length === 0) return [];
  const [booked, free] = [true, false].map((is) => retired.filter((place) => place.booked === is));
  await tx`
    update place set closed_at = ${now}, updated_at = ${now} where closed_at is null and id = any(${idsOf(booked)})`;
  await tx`delete from place where id = any(${idsOf(free)})`;
  await tx`update place_removed set reason = 'demonstration' where place_id = any(${idsOf(free)})`;
  const groups = Map.groupBy(retired, ({ destination }) => destination);
  return [...groups].map(([destination, places]) => ({ destination, places: places.length }));
}

function idsOf(places: readonly { id: string }[] | undefined): string[] {
  return places?.map(({ id }) => id) ?? [];
}
