import type { Pool } from '../../../src/core/postgres/db.ts';
import type { NewId } from '../../../src/core/ids.ts';
import { hashEntry, type TimelineEntry } from '../../../src/bookings/timeline.ts';

type Told = Pick<TimelineEntry, 'event' | 'from' | 'to' | 'actor' | 'channel' | 'text'>;

/** Entry 3 is no move; each has what bytes can go wrong in: accents, quotes, other scripts. */
const STORY: readonly Told[] = [
  { event: 'sent', from: null, to: 'sent', actor: 'partner', channel: null, text: 'Request received.' },
  { event: 'asking', from: 'sent', to: 'asking', actor: 'service', channel: 'sms', text: 'A “text” went.' },
  {
    event: 'channel_failed',
    from: 'asking',
    to: 'asking',
    actor: 'service',
    channel: 'sms',
    text: 'Nobody \\ no "é" 席\n.',
  },
  { event: 'confirmed', from: 'asking', to: 'confirmed', actor: 'venue', channel: 'mail', text: 'Yes.' },
  { event: 'cancelled', from: 'confirmed', to: 'cancelled', actor: 'partner', channel: null, text: 'No.' },
];

/** So many bookings with three to five entries each, or as many as are asked for, sealed by the rule; gives their ids in order. */
export async function makeTimelines(
  pool: Pool,
  newId: NewId,
  { partnerId, bookings, entries: each }: { partnerId: string; bookings: number; entries?: number },
): Promise<string[]> {
  const ids = Array.from({ length: bookings }, () => newId('bkg')).sort();
  for (let from = 0; from < bookings; from += 200) await insert(ids.slice(from, from + 200), from);
  return ids;

  async function insert(some: string[], offset: number): Promise<void> {
    const entries = some.flatMap((id, i) => timelineOf(id, each ?? 3 + ((offset + i) % 3)));
    const lasts = entries.filter(({ last }) => last);
    await pool.begin(async (sql) => {
      // Bookings begin as sent; these begin where their timeline ends.
      await sql`set local session_replication_role = replica`;
      await sql`
        insert into booking (id, partner_id, place_id, status, last_sequence, date, time, party_size, timezone, table_at,
          for_type, guest_name, channel, confirmed_at, confirmed_by, created_at, updated_at)
        select id, ${partnerId}, 'plc_x', status, last, '2026-11-20', '19:30', 2, 'UTC', '2026-11-20T19:30Z', 'guest',
          'Guest Example', 'sms', now(), 'venue', now(), now()
        from jsonb_to_recordset(${sql.json(lasts.map((e) => ({ id: e.id, status: e.to, last: e.sequence })))})
          as x(id text, status text, last int)`;
      await sql`
        insert into booking_entry (booking_id, sequence, at, event, from_status, to_status, actor, channel, revision, text,
          hash)
        select id, sequence, at, event, "from", "to", actor, channel, revision, text, decode(hash, 'hex')
        from jsonb_to_recordset(${sql.json(entries)}) as x(id text, sequence int, at timestamptz, event text, "from" text,
          "to" text, actor text, channel text, revision int, text text, hash text)`;
    });
  }
}

function timelineOf(id: string, length: number) {
  let before = '';
  return Array.from({ length }, (_, i) => {
    const entry: TimelineEntry = {
      ...(STORY[i % STORY.length] as Told),
      sequence: i + 1,
      at: new Date(1_794_000_000_000 + i * 1_001),
      revision: 1,
    };
    before = hashEntry(id, entry, before);
    return { ...entry, id, hash: before, last: i + 1 === length };
  });
}
