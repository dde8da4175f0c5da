import type { Db } from '../core/postgres/db.ts';

/** A table that was requested in a member's name, as the member sees it. */
export interface MemberTable {
  bookingId: string;
  status: 'sent' | 'asking' | 'offered' | 'confirmed' | 'declined' | 'no_answer' | 'cancelled';
  /** Local to the place. */
  date: string;
  time: string;
  partySize: number;
  /** Null when the place is no longer listed. */
  placeId: string | null;
  placeName: string | null;
  partnerName: string;
  /** Confirmed, and its time has passed. */
  ratable: boolean;
  stars: number | null;
}

const TABLES_MAX = 100;

export async function listMemberTables(db: Db, memberId: string, now: Date): Promise<readonly MemberTable[]> {
  return db<MemberTable[]>`
    select b.id as "bookingId", b.status, b.date::text as date, b.time, b.party_size as "partySize",
      p.id as "placeId", p.name as "placeName", t.name as "partnerName",
      b.status = 'confirmed' and b.table_at < ${now} and p.id is not null as ratable, r.stars
    from booking b
    join partner t on t.id = b.partner_id
    left join place_merged m on m.merged_id = b.place_id
    left join place p on p.id = coalesce(m.place_id, b.place_id)
    left join place_rating r on r.booking_id = b.id
    where b.member_id = ${memberId}
    order by b.table_at desc, b.id desc limit ${TABLES_MAX}`;
}
