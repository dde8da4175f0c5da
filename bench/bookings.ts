import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashApiKey } from '../src/accounts/keys/api-key.ts';
import { systemClock } from '../src/core/clock.ts';
import { connect, type Pool } from '../src/core/postgres/db.ts';
import { openEmbeddedPostgres } from '../src/core/embedded/embedded-postgres.ts';
import { createNewId } from '../src/core/ids.ts';
import { requestBare, type BareBooking } from './bare/bare-booking.ts';
import { httpRequest, sendEach } from './load.ts';
import { median, startServer, stopServer } from './measure.ts';
import { writeResults } from './results.ts';
import { DAY_MS } from '../src/core/time.ts';

// Table requests over MCP against a bare client that reads and writes the same rows on the same PostgreSQL, in turns. It is
// night for every venue, so that the questions to venues, which belong to the workers, are left for the morning.
const ROUNDS = 5;
const BAR = 0.65;
const REQUESTS = Number(process.env['BENCH_REQUESTS'] ?? '1500');
const CONNECTIONS = 32;
const POOL = 10;
const PARTNERS = 200;

const newId = createNewId(systemClock);
const folder = await mkdtemp(join(tmpdir(), 'waypost-bench-'));
const keysFile = join(folder, 'keys');
const service = await startServer(new URL('servers/waypost.ts', import.meta.url).pathname, {
  DATA_DIR: folder,
  BENCH_PLACES: '500',
  BENCH_PARTNER_KEYS: keysFile,
  DATABASE_POOL: String(POOL),
  JOBS_AT_ONCE: '1',
  VENUE_WAKING_HOURS: `00:00-00:00`,
  BOOKING_WRITES_PER_MINUTE: '1000000',
  BOOKING_WRITES_PER_DAY: '1000000',
  VENUE_ASKS_PER_DAY: '1000000',
  VENUE_OPEN_ASKS: '1000000',
});
const database = await openEmbeddedPostgres({ dataDir: folder, role: 'tool', note: () => undefined });
const pool = connect(database.url, { max: POOL, statementTimeoutMs: 15_000 });
try {
  const keys = (await readFile(keysFile, 'utf8')).split('\n').slice(0, PARTNERS);
  const partners = await enableBookings(pool, keys);
  const places = await quietPlaces(pool);
  const rounds: { ours: number; bare: number }[] = [];
  for (let round = -1; round < ROUNDS; round++) {
    const bare = REQUESTS / (await runBare(makeBookings(partners, places, keys)));
    const ours = REQUESTS / (await runService(makeBookings(partners, places, keys), keys, partners));
    // The first round warms both.
    if (round >= 0) rounds.push({ ours, bare });
    process.stdout.write(`${Math.round(ours)} : ${Math.round(bare)} requests/s\n`);
  }
  // A refusal is an answer too: only what stands in the record counts.
  const [made] = await pool<{ count: number }[]>`select count(*)::int as count from booking`;
  if (made?.count !== 2 * REQUESTS * (ROUNDS + 1))
    throw new Error(`Only ${made?.count ?? 0} bookings were made.`);
  report(rounds);
} finally {
  await pool.end();
  await stopServer(service.child);
  await database.release();
  await rm(folder, { recursive: true, force: true });
}

async function enableBookings(db: Pool, keys: readonly string[]): Promise<string[]> {
  const [staff] = await db<{ id: string }[]>`
    insert into staff (id, email, role, password_hash, created_at)
    values (${newId('stf')}, 'bench@bench.example', 'lead', 'none', now()) returning id`;
  const partners: string[] = [];
  for (const key of keys) {
    const [row] = await db<{ id: string }[]>`
      update partner set bookings_enabled = true, bookings_reason = 'bench', bookings_at = now(),
        bookings_by = ${staff?.id ?? ''}, email_verified_at = now()
      where id = (select partner_id from api_key where hash = ${hashApiKey(key)}) returning id`;
    partners.push(row?.id ?? '');
  }
  return partners;
}

/** Venues without hours that anybody verified, so that nothing but the clock says whether they are awake. */
async function quietPlaces(db: Pool): Promise<string[]> {
  const places = await db<{ id: string }[]>`
    update place set booking_method = 'request', hours = null, closed_at = null, email = 'venue@venue.example'
    where closed_at is null returning id`;
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
      keyHash: hashApiKey(keys[n % keys.length] ?? ''),
      placeId: places[(n * 7) % places.length] ?? '',
      // Names with long numbers are refused, and an id may hold one.
      guestName: `guest ${ulid.replaceAll(/\d/g, (digit) => 'ABCDEFGHIJ'[Number(digit)] ?? '')}`,
      ulid,
    };
  });
}

async function runBare(bookings: readonly BareBooking[]): Promise<number> {
  let next = 0;
  const startedAt = performance.now();
  const work = async () => {
    for (let one = bookings[next++]; one !== undefined; one = bookings[next++]) await requestBare(pool, one);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  return (performance.now() - startedAt) / 1000;
}

function runService(
  bookings: readonly BareBooking[],
  keys: readonly string[],
  partners: readonly string[],
): Promise<number> {
  const keyOf = new Map(partners.map((partnerId, n) => [partnerId, keys[n] ?? '']));
  const date = new Date(Date.now() + 30 * DAY_MS).toISOString().slice(0, 10);
  const requests = bookings.map(({ partnerId, placeId, guestName }) => {
    const input = { place_id: placeId, date, time: '19:30', party_size: 4, guest_name: guestName };
    const params = { name: 'request_table', arguments: input };
    return httpRequest(
      'POST',
      '/api/concierge/mcp',
      service.port,
      {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'x-partner-key': keyOf.get(partnerId) ?? '',
      },
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    );
  });
  return sendEach(service.port, requests, CONNECTIONS, 200);
}

function report(rounds: readonly { ours: number; bare: number }[]): void {
  const [ours, bare] = [median(rounds.map((one) => one.ours)), median(rounds.map((one) => one.bare))];
  const ratio = median(rounds.map((one) => one.ours / one.bare));
  const lines = [
    `\`request_table\` over MCP and ${CONNECTIONS} connections against a bare client that reads and writes the same rows on the same PostgreSQL, ${POOL} database connections each; median of ${ROUNDS} rounds of ${REQUESTS.toLocaleString('en')} requests in turns.`,
    '',
    `| requests/s | Waypost, over MCP | bare client | ratio (bar: ${BAR}) |`,
    '|---|--:|--:|--:|',
    `| request_table | ${Math.round(ours).toLocaleString('en')} | ${Math.round(bare).toLocaleString('en')} | **${ratio.toFixed(2)}**${ratio < BAR ? ', missed' : ''} |`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  writeResults('Bookings: table requests', lines);
}
