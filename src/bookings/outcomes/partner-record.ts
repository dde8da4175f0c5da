import { HOUSE_PARTNER } from '../../accounts/partners/house-partner.ts';
import type { OperationDeps } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import { DAY_MS, HOUR_MS } from '../../core/time.ts';
import type { Booking } from '../booking.ts';

/** Outcomes of a partner's tables in the last year. */
export interface PartnerRecord {
  came: number;
  absent: number;
  /** Confirmed tables that the partner cancelled shortly before their time. */
  late: number;
}

const YEAR_MS = 365 * DAY_MS;
/** A confirmed table that is cancelled less than this before its time is a late cancellation. */
const LATE_MS = 3 * HOUR_MS;

/** Counts a partner's tables by what became of them. */
export async function readPartnerRecord(
  { db, now }: { db: Db; now: Date },
  partnerId: string,
): Promise<PartnerRecord> {
  const since = new Date(now.getTime() - YEAR_MS);
  const [row] = await db<PartnerRecord[]>`
    select count(*) filter (where o.outcome in ('came','fewer'))::int as came,
      count(*) filter (where o.outcome = 'absent')::int as absent,
      count(*) filter (where b.status = 'cancelled' and exists (
        select from booking_entry e
        where e.booking_id = b.id and e.event = 'cancelled' and e.actor = 'partner' and e.from_status = 'confirmed'
          and e.at > b.table_at - ${LATE_MS} * interval '1 millisecond'))::int as late
    from booking b left join table_outcome o on o.booking_id = b.id
    where b.partner_id = ${partnerId} and not b.rehearsal and b.table_at > ${since}`;
  return row ?? { came: 0, absent: 0, late: 0 };
}

/** True for a record with enough tables, of which too many were lost for the venue. */
export function isPoor(
  { came, absent, late }: PartnerRecord,
  { config }: Pick<OperationDeps, 'config'>,
): boolean {
  const { tables, lostPct } = config.bookings.poorRecord;
  const all = came + absent + late;
  return all >= tables && (absent + late) * 100 >= all * lostPct;
}

/** The record as venues see it when they are asked; null for members and where nothing is known. */
export async function recordShown(
  ctx: { db: Db; now: Date },
  { partnerId }: Pick<Booking, 'partnerId'>,
): Promise<PartnerRecord | null> {
  if (partnerId === HOUSE_PARTNER) return null;
  const record = await readPartnerRecord(ctx, partnerId);
  return record.came + record.absent + record.late === 0 ? null : record;
}
