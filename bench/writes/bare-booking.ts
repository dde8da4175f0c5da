import type { Pool } from '../../src/core/postgres/db.ts';
import { DAY_MS, MINUTE_MS } from '../../src/core/time.ts';
import { takeBare } from './bare-take.ts';

export interface BareBooking {
  partnerId: string;
  keyHash: Buffer;
  placeId: string;
  guestName: string;
  /** 26 characters that no other booking has. */
  ulid: string;
}

const DATE = '2027-01-20';

/**
 * The rows of one table request as a bare client reads and writes them, in the same order and as closely packed: what the
 * service adds to this is what is measured.
 */
export async function requestBare(pool: Pool, one: BareBooking): Promise<void> {
  const { partnerId, placeId, guestName } = one;
  const id = `bkg_${one.ulid}`;
  const now = new Date();
  await pool`select p.id, p.plan, p.bookings_enabled from api_key k join partner p on p.id = k.partner_id
    where k.hash = ${one.keyHash}`;
  await pool.begin(async (sql) => {
    await Promise.all([
      sql`select read_kill_switch()`,
      sql`select p.id, p.name, p.address, p.country, p.languages, p.hours, p.booking_method, p.booking_url,
          p.chosen_by_venue, p.batch_minutes, p.closed_at, p.phone, p.email, p.website, p.field_claims, p.source, d.timezone,
          (select jsonb_build_object('channel', c.channel, 'to', c.contact) from venue_claim c where c.place_id = p.id) as claim,
          (select coalesce(jsonb_agg(v.contact), '[]') from vouched_contact v where v.place_id = p.id) as vouched,
          exists (select from venue_connector c where c.place_id = p.id and c.enabled) as connector
          from place p join destination d on d.id = p.destination_id where p.id = ${placeId}`,
    ]);
    await Promise.all([
      sql`select pg_advisory_xact_lock(7014, hashtext(${partnerId + placeId + guestName}))`,
      sql`select id from booking where partner_id = ${partnerId} and place_id = ${placeId} and date = ${DATE}
          and lower(guest_name) = ${guestName} and created_at > ${new Date(now.getTime() - DAY_MS)}`,
      sql`select count(*) from booking where place_id = ${placeId} and partner_id = ${partnerId}
          and status in ('sent','asking')`,
      takeBare(sql, `venue-asks/${placeId}`, DAY_MS, now),
    ]);
    await Promise.all([
      sql`insert into booking (id, partner_id, place_id, status, last_sequence, date, time, party_size, timezone, table_at,
            for_type, guest_name, channel, answer_by, created_at, updated_at)
          values (${id}, ${partnerId}, ${placeId}, 'sent', 1, ${DATE}, '19:30', 4, 'UTC', ${now}, 'guest', ${guestName},
            'desk', ${now}, ${now}, ${now})`,
      sql`insert into booking_entry (booking_id, sequence, at, event, to_status, actor, revision, text, hash)
          values (${id}, 1, ${now}, 'sent', 'sent', 'partner', 1, 'Request received.', sha256(${id}::bytea))`,
      sql`select from webhook_endpoint where partner_id = ${partnerId}`,
      sql`select from graphile_worker.add_job('bench_nothing', json_build_object('booking_id', ${id}::text),
          run_at => now() + interval '1 day', job_key => ${`bench/${id}`})`,
      takeBare(sql, `bookings/writes-minute/${partnerId}`, MINUTE_MS, now),
      takeBare(sql, `bookings/writes-day/${partnerId}`, DAY_MS, now),
      sql`insert into audit_log (at, actor, operation, request_id, subject, detail)
          values (${now}, ${partnerId}, 'request_table', ${id}, ${id}, '{}')`,
    ]);
  });
}
