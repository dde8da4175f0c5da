import { hashToken } from '../../src/core/secret/token.ts';
import { systemClock } from '../../src/core/clock.ts';
import { createNewId } from '../../src/core/ids.ts';
import type { Pool } from '../../src/core/postgres/db.ts';
import { DAY_MS } from '../../src/core/time.ts';
import { httpRequest } from '../load.ts';
import { withWriteBench } from './against-bare.ts';
import { requestBare, type BareBooking } from './bare-booking.ts';

// Table requests over MCP. It is night for every venue, so that the questions to venues, which belong to the workers, are
// left for the morning.
const REQUESTS = Number(process.env['BENCH_REQUESTS'] ?? '1500');
const PARTNERS = 200;

const newId = createNewId(systemClock);
const env = {
  BENCH_KEYS_OF: 'partners',
  JOBS_AT_ONCE: '1',
  VENUE_WAKING_HOURS: `00:00-00:00`,
  BOOKING_WRITES_PER_MINUTE: '1000000',
  BOOKING_WRITES_PER_DAY: '1000000',
  VENUE_ASKS_PER_DAY: '1000000',
  VENUE_OPEN_ASKS: '1000000',
};
await withWriteBench(env, async ({ pool, port, keys: all, compare }) => {
  const keys = all.slice(0, PARTNERS);
  const partners = await enableBookings(pool, keys);
  const places = await quietPlaces(pool);
  const keyOf = new Map(partners.map((partnerId, n) => [partnerId, keys[n] ?? '']));
  let wanted = 0;
  await compare('Bookings: table requests', '`request_table` over MCP.', [
    {
      name: 'request_table',
      make: () => {
        wanted += REQUESTS;
        return Promise.resolve(makeBookings(partners, places, keys));
      },
      bare: requestBare,
      request: (one) => requestOf(port, one, keyOf.get(one.partnerId) ?? ''),
      status: 200,
    },
  ]);
  // A refusal is an answer too: only what stands in the record counts.
  const [made] = await pool<{ count: number }[]>`select count(*)::int as count from booking`;
  if (made?.count !== wanted) throw new Error(`Only ${made?.count ?? 0} of ${wanted} bookings were made.`);
});

async function enableBookings(db: Pool, keys: readonly string[]): Promise<string[]> {
  const [staff] = await db<{ id: string }[]>`
    insert into staff (id, email, role, password_hash, created_at)
    values (${newId('stf')}, 'bench@bench.example', 'lead', 'none', now()) returning id`;
  const partners: string[] = [];
  for (const key of keys) {
    const [row] = await db<{ id: string }[]>`
      update partner set bookings_enabled = true, bookings_reason = 'bench', bookings_at = now(),
        bookings_by = ${staff?.id ?? ''}, email_verified_at = now()
      where id = (select partner_id from api_key where hash = ${hashToken(key)}) returning id`;
    partners.push(row?.id ?? '');
  }
  return partners;
}

/** Venues without hours that anybody verified, so that nothing but the clock says whether they are awake. */
async function quietPlaces(db: Pool): Promise<string[]> {
  const places = await db<{ id: string }[]>`
    update place set booking_method = 'request', hours = null, closed_at = null, email = 'venue@venue.example'
    where closed_at is null and vertical = 'restaurant' returning id`;
  await db`analyze place`;
  return places.map(({ id }) => id);
}

function makeBookings(
  partners: readonly string[],
  places: readonly string[],
  keys: readonly string[],
): BareBooking[] {
  return Array.from({ length: REQUESTS }, (_, n) => {
    const ulid = newId('bkg').slice(4);
    return {
      partnerId: partners[n % partners.length] ?? '',
      keyHash: hashToken(keys[n % keys.length] ?? ''),
      placeId: places[(n * 7) % places.length] ?? '',
      // Names with long numbers are refused, and an id may hold one.
      guestName: `guest ${ulid.replaceAll(/\d/g, (digit) => 'ABCDEFGHIJ'[Number(digit)] ?? '')}`,
      ulid,
    };
  });
}

function requestOf(port: number, { placeId, guestName }: BareBooking, key: string): Buffer {
  const date = new Date(Date.now() + 30 * DAY_MS).toISOString().slice(0, 10);
  const input = { place_id: placeId, date, time: '19:30', party_size: 4, guest_name: guestName };
  const params = { name: 'request_table', arguments: input };
  return httpRequest(
    'POST',
    '/api/concierge/mcp',
    port,
    {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'x-partner-key': key,
    },
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  );
}
