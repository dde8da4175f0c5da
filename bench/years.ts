import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseConfig } from '../src/config.ts';
import { systemClock } from '../src/core/clock.ts';
import { openEmbeddedPostgres } from '../src/core/embedded/embedded-postgres.ts';
import { createNewId } from '../src/core/ids.ts';
import { connect, type Pool } from '../src/core/postgres/db.ts';
import { openDatabase } from '../src/node/database.ts';
import { deleteExpired } from '../src/retention/delete-expired.ts';
import { cpuSeconds, held } from './measure.ts';
import { writeResults } from './results.ts';

// Years of rows, made by generate_series: what the deletion of a day's expired rows costs on them, and whether a booking
// is still written as fast as into empty tables. A day has as many rows as come in a day at this size.
const ENTRIES = Number(process.env['BENCH_ENTRIES'] ?? '10000000');
const USAGE = Number(process.env['BENCH_USAGE'] ?? '30000000');
const ENTRIES_OF_BOOKING = 5;
const BOOKINGS = Math.round(ENTRIES / ENTRIES_OF_BOOKING);
const KEPT_DAYS = 1_461;
const USAGE_DAYS = 100;
const TOOLS = 30;
const PARTNERS = Math.max(1, Math.round(USAGE / USAGE_DAYS / TOOLS));
const BOOKINGS_A_DAY = Math.max(1, Math.round(BOOKINGS / KEPT_DAYS));
const SAMPLES = 3_000;
const WARM_UP = 300;
const DAY_SECONDS = 86_400;

const newId = createNewId(systemClock);
const folder = await mkdtemp(join(tmpdir(), 'waypost-years-'));
const database = await openEmbeddedPostgres({ dataDir: folder, role: 'tool', note: () => undefined });
const pool = connect(database.url, { max: 2, statementTimeoutMs: 0 });
const emptyUrl = Object.assign(new URL(database.url), { pathname: '/empty_years' }).href;
const emptyPool = connect(emptyUrl, { max: 2, statementTimeoutMs: 0 });
try {
  await prepare(database.url);
  await pool`create database empty_years`;
  await prepare(emptyUrl);
  const server = Number((await readFile(join(folder, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0]);
  const partnerId = await addPartners(pool);
  const emptyPartnerId = await addPartners(emptyPool);
  const filledMs = await timed(() => fill(pool, partnerId));
  const [empty, full] = await writeBookings([
    [emptyPool, emptyPartnerId],
    [pool, partnerId],
  ]);

  const now = new Date();
  const before = serverSeconds(server);
  const deleted: Record<string, number> = {};
  const ms = await timed(async () => {
    for (;;) {
      const counts = Object.entries(await deleteExpired(pool, now));
      if (counts.length === 0) return;
      for (const [table, count] of counts) deleted[table] = (deleted[table] ?? 0) + count;
    }
  });
  const seconds = serverSeconds(server) - before;
  const share = (seconds / DAY_SECONDS) * 100;

  const ratio = full.p99 / empty.p99;
  const lines = [
    `${BOOKINGS.toLocaleString('en')} bookings with ${ENTRIES.toLocaleString('en')} timeline entries and ${BOOKINGS.toLocaleString('en')} audit entries of four years, ${(PARTNERS * TOOLS * USAGE_DAYS).toLocaleString('en')} rows of usage of ${USAGE_DAYS} days, made in ${Math.round(filledMs / 1000)} s. Then one more day of each that has expired is deleted. A booking is one transaction with its row, two timeline entries and an audit entry.`,
    '',
    '| | |',
    '|---|--:|',
    ...Object.entries(deleted).map(
      ([table, count]) => `| rows of a day, \`${table}\` | ${count.toLocaleString('en')} |`,
    ),
    `| their deletion, time | ${(ms / 1000).toFixed(1)} s |`,
    `| CPU time of PostgreSQL | ${seconds.toFixed(2)} s |`,
    `| share of one processor over the day | ${share.toFixed(4)} % |`,
    `| a booking into empty tables, p50 and p99 | ${empty.p50.toFixed(1)} ms, ${empty.p99.toFixed(1)} ms |`,
    `| after the years | ${full.p50.toFixed(1)} ms, ${full.p99.toFixed(1)} ms |`,
    '',
    `- housekeeping, % of one processor: **${share.toFixed(4)}** (${held(share, 1, 'at most')})`,
    `- p99 of a booking, written in turns, after the years : empty: **${ratio.toFixed(2)}** (${held(ratio, 1.2, 'at most')})`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  writeResults('Years of data', lines);
} finally {
  await Promise.all([pool.end(), emptyPool.end()]);
  await database.release();
  await rm(folder, { recursive: true, force: true });
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** CPU time of the server with all its processes, also those that have ended. */
function serverSeconds(server: number): number {
  const fieldsOf = (pid: string) =>
    readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const ended =
    fieldsOf(String(server))
      .slice(13, 15)
      .reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
  const children = readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return Number(fieldsOf(name)[1]) === server;
    } catch {
      return false;
    }
  });
  return children.reduce((sum, pid) => sum + cpuSeconds(Number(pid)), ended + cpuSeconds(server));
}

async function addPartners(db: Pool): Promise<string> {
  await db`
    insert into partner (id, name, email, created_at)
    select 'ptn_' || substr(md5('partner ' || n), 1, 26), 'Partner ' || n, 'partner-' || n || '@bench.example', now()
    from generate_series(1, ${PARTNERS}::int) n`;
  const [first] = await db<{ id: string }[]>`select id from partner order by id limit 1`;
  return first?.id ?? '';
}

async function fill(db: Pool, partnerId: string): Promise<void> {
  await makeBookings(db, partnerId, {
    name: 'kept',
    count: BOOKINGS,
    firstDay: KEPT_DAYS - 1,
    days: KEPT_DAYS - 1,
  });
  await makeUsage(db, 1, USAGE_DAYS - 1);
  await fillExpired(db, partnerId);
  await db`analyze`;
}

/** One more day of everything, which has expired. */
async function fillExpired(db: Pool, partnerId: string): Promise<void> {
  const name = `expired ${Math.random()}`;
  await makeBookings(db, partnerId, { name, count: BOOKINGS_A_DAY, firstDay: KEPT_DAYS + 2, days: 1 });
  await makeUsage(db, USAGE_DAYS + 2, USAGE_DAYS + 2);
}

/** Checks are kept, triggers are not: the rows are what a finished booking leaves. The oldest audit entries come first. */
async function makeBookings(
  db: Pool,
  partnerId: string,
  { name, count, firstDay, days }: { name: string; count: number; firstDay: number; days: number },
): Promise<void> {
  await db.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`
      create temporary table made on commit drop as
      select n, 'bkg_' || substr(md5(${name} || n), 1, 26) as id,
        now() - (${firstDay}::int - (n::bigint * ${days}::int / ${count + 1}::int)) * interval '1 day' as at
      from generate_series(1, ${count}::int) n`;
    await tx`
      insert into booking (id, partner_id, place_id, status, last_sequence, date, time, party_size, timezone, table_at,
        for_type, guest_name, channel, erased_at, created_at, updated_at)
      select id, ${partnerId}, 'plc_' || substr(md5((n % 5000)::text), 1, 26), 'declined', ${ENTRIES_OF_BOOKING}::int,
        at::date, '19:30', 2, 'UTC', at, 'guest', 'guest', 'mail', at, at, at from made`;
    await tx`
      insert into booking_entry (booking_id, sequence, at, event, from_status, to_status, actor, channel, revision, text, hash)
      select id, s, at, case s when 1 then 'sent' when 2 then 'asking' when ${ENTRIES_OF_BOOKING}::int then 'declined' else 'reminder_sent' end,
        case s when 1 then null when 2 then 'sent' else 'asking' end,
        case s when 1 then 'sent' when ${ENTRIES_OF_BOOKING}::int then 'declined' else 'asking' end,
        'service', null, 1, 'Made for the measurement.', sha256((id || s)::bytea)
      from made, generate_series(1, ${ENTRIES_OF_BOOKING}::int) s`;
    // Audit entries are numbered in the order of time; those of an expired day come before all others.
    const first = firstDay > KEPT_DAYS ? -Math.round(Math.random() * 1e12) : 1e9;
    await tx`
      insert into audit_log (sequence, at, actor, operation, request_id, subject) overriding system value
      select ${first}::bigint + n, at, 'partner:' || ${partnerId}, 'request_table', 'req_' || n, id from made`;
  });
}

async function makeUsage(db: Pool, fromDay: number, toDay: number): Promise<void> {
  await db.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`
      insert into partner_day_usage (partner_id, day, surface, tool, calls, failed)
      select p.id, current_date - d, 'partner', 'tool_' || t, 10, 0
      from generate_series(${fromDay}::int, ${toDay}::int) d, partner p, generate_series(1, ${TOOLS}::int) t`;
  });
}

async function prepare(url: string): Promise<void> {
  const config = parseConfig({ DATA_DIR: folder, DATABASE_URL: url });
  await (await openDatabase(config, 'tool', () => undefined)).close();
}

interface Times {
  p50: number;
  p99: number;
}

/** Writes bookings into two databases in turns, so that whatever else the machine does falls on both. */
async function writeBookings(into: readonly [Contestant, Contestant]): Promise<[Times, Times]> {
  const times: [number[], number[]] = [[], []];
  for (let n = -WARM_UP; n < SAMPLES; n++)
    for (const side of [0, 1] as const) {
      const startedAt = performance.now();
      await writeBooking(...into[side]);
      if (n >= 0) times[side].push(performance.now() - startedAt);
    }
  return [timesOf(times[0]), timesOf(times[1])];
}

type Contestant = readonly [db: Pool, partnerId: string];

function timesOf(samples: number[]): Times {
  samples.sort((a, b) => a - b);
  const at = (share: number) => samples[Math.floor(samples.length * share)] ?? NaN;
  return { p50: at(0.5), p99: at(0.99) };
}

function writeBooking(db: Pool, partnerId: string): Promise<void> {
  const id = newId('bkg');
  return db.begin(async (tx) => {
    await tx`
      insert into booking (id, partner_id, place_id, status, last_sequence, date, time, party_size, timezone, table_at,
        for_type, guest_name, channel, created_at, updated_at)
      values (${id}, ${partnerId}, ${newId('plc')}, 'sent', 1, current_date + 7, '19:30', 2, 'UTC',
        now() + interval '7 days', 'guest', 'guest', 'mail', now(), now())`;
    for (const [i, status] of ['sent', 'asking'].entries())
      await tx`
        insert into booking_entry (booking_id, sequence, at, event, from_status, to_status, actor, channel, revision, text, hash)
        values (${id}, ${i + 1}, now(), ${status}, ${i === 0 ? null : 'sent'}, ${status}, 'service', null, 1,
          'Made for the measurement.', sha256('made'))`;
    await tx`update booking set status = 'asking', last_sequence = 2 where id = ${id}`;
    await tx`
      insert into audit_log (at, actor, operation, request_id, subject)
      values (now(), ${`partner:${partnerId}`}, 'request_table', 'req_bench', ${id})`;
  });
}
