import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { SMTPServer } from 'smtp-server';
import { hashToken } from '../src/core/secret/token.ts';
import { systemClock } from '../src/core/clock.ts';
import { openEmbeddedPostgres } from '../src/core/embedded/embedded-postgres.ts';
import { createNewId } from '../src/core/ids.ts';
import { connect } from '../src/core/postgres/db.ts';
import { DAY_MS } from '../src/core/time.ts';
import { openPhotoStorage } from '../src/photos/storage/open-storage.ts';
import { uploadedFileOf } from '../src/photos/photo-storage.ts';
import { queueTestEvent } from '../src/webhooks/queue-booking-event.ts';
import { median, startServer, stopServer } from './measure.ts';
import { writeResults } from './results.ts';

// How long a venue waits to be asked when everything else on the node has more to do than it can: photos, deliveries to a
// receiver that takes connections and never answers, and jobs of the same kind that throw and hang. One node.
const PHOTOS = 200;
const DELIVERIES = 1_000;
const REQUESTS = 20;
const BAR_MS = 1_000;

const newId = createNewId(systemClock);
const folder = await mkdtemp(join(tmpdir(), 'waypost-bench-'));
const keysFile = join(folder, 'keys');
const silent = createServer(() => undefined);
const smtp = new SMTPServer({
  authOptional: true,
  disableReverseLookup: true,
  disabledCommands: ['STARTTLS'],
  logger: false,
  onData: (stream, _session, done) => {
    stream.resume().on('end', done);
  },
});
const silentPair = `127.0.0.1:${await listen(silent)}`;
const service = await startServer(new URL('servers/waypost.ts', import.meta.url).pathname, {
  DATA_DIR: folder,
  BENCH_PLACES: '500',
  BENCH_PARTNER_KEYS: keysFile,
  EGRESS_ALLOW: silentPair,
  SMTP_URL: `smtp://127.0.0.1:${await listen(smtp.server)}`,
  TWILIO_URL: `http://${silentPair}`,
  TWILIO_ACCOUNT: 'AC00000000000000000000000000000001',
  TWILIO_TOKEN: 'token-of-the-bench',
  TWILIO_FROM: '+62361000000',
  VENUE_WAKING_HOURS: '00:00-23:59',
  BOOKING_WRITES_PER_MINUTE: '1000',
});
const database = await openEmbeddedPostgres({ dataDir: folder, role: 'tool', note: () => undefined });
const pool = connect(database.url, { max: 4, statementTimeoutMs: 15_000 });
try {
  const key = (await readFile(keysFile, 'utf8')).split('\n')[0] ?? '';
  const partnerId = await enableBookings(key);
  const quiet = await measure(key);
  await call(key, 'set_webhook', { url: `http://${silentPair}/webhook` });
  await addPhotos();
  for (let n = 0; n < DELIVERIES; n++) await queueTestEvent(pool, { newId, now: new Date() }, partnerId);
  await addPoison(key);
  const busy = await measure(key);
  const [left] = await pool<{ photos: number; deliveries: number }[]>`
    select (select count(*)::int from photo where state = 'processing') as photos,
           (select count(*)::int from webhook_delivery where state = 'pending') as deliveries`;
  if (left === undefined || left.photos === 0 || left.deliveries < DELIVERIES)
    throw new Error('The node had done the other work before the last table was asked for.');
  report(quiet, busy, left.photos);
} finally {
  await pool.end();
  await stopServer(service.child);
  await database.release();
  await rm(folder, { recursive: true, force: true });
  silent.close();
  smtp.close(() => undefined);
}
process.exit();

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function enableBookings(key: string): Promise<string> {
  await pool`
    insert into staff (id, email, role, password_hash, created_at)
    values (${newId('stf')}, 'bench@bench.example', 'lead', 'none', now())`;
  const [row] = await pool<{ id: string }[]>`
    update partner set bookings_enabled = true, bookings_reason = 'bench', bookings_at = now(),
      bookings_by = (select id from staff limit 1), email_verified_at = now()
    where id = (select partner_id from api_key where hash = ${hashToken(key)}) returning id`;
  await pool`
    update place set booking_method = 'request', hours = null, closed_at = null, email = 'venue@venue.example',
      phone = null`;
  return row?.id ?? '';
}

/** Uploads as a person's phone makes them, stored and queued. */
async function addPhotos(): Promise<void> {
  const storage = openPhotoStorage({ photoDir: join(folder, 'photos'), photoS3: undefined });
  const size = { width: 4_000, height: 3_000 };
  const jpeg = await sharp({
    create: { ...size, channels: 3, background: '#777', noise: { type: 'gaussian', mean: 120, sigma: 30 } },
  })
    .jpeg()
    .toBuffer();
  const memberId = newId('mem');
  await pool`
    insert into member (id, email, display_name, created_at)
    values (${memberId}, 'member@bench.example', 'Bench', now())`;
  for (let n = 0; n < PHOTOS; n++) {
    const photoId = newId('pho');
    await storage.put(uploadedFileOf(photoId), jpeg, 'application/octet-stream');
    await pool`
      insert into photo (id, member_id, place_id, upload_sha256, created_at, updated_at)
      values (${photoId}, ${memberId}, (select id from place limit 1), ${randomBytes(32)}, now(), now())`;
    await pool`
      select graphile_worker.add_job('process_photo', json_build_object('photoId', ${photoId}::text))`;
  }
}

/** A job that throws, and one that hangs for as long as a call to the phone provider may. Both belong to asking. */
async function addPoison(key: string): Promise<void> {
  await pool`select graphile_worker.add_job('advance_booking', '{}'::json)`;
  const [place] = await pool<{ id: string }[]>`
    update place set booking_method = 'phone', email = null, phone = '+62361123456'
    where id = (select id from place order by id desc limit 1) returning id`;
  await requestTable(key, place?.id ?? '', 'Guest Phone');
}

/** Milliseconds from the request to the status asking, table after table. */
async function measure(key: string): Promise<number[]> {
  const taken: number[] = [];
  const places = await pool<{ id: string }[]>`
    select id from place where email is not null and not exists (select from booking where place_id = place.id)
    order by id limit ${REQUESTS}`;
  for (const [n, { id }] of places.entries()) {
    const startedAt = performance.now();
    const booking = await requestTable(key, id, `Guest ${'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[n] ?? ''}`);
    for (;;) {
      const [row] = await pool<{ status: string }[]>`select status from booking where id = ${booking}`;
      if (row?.status === 'asking') break;
      if (performance.now() - startedAt > 60_000)
        throw new Error(`${booking} is still ${row?.status ?? ''}.`);
      await pause(5);
    }
    taken.push(performance.now() - startedAt);
  }
  return taken;
}

async function requestTable(key: string, placeId: string, guestName: string): Promise<string> {
  const date = new Date(Date.now() + 30 * DAY_MS).toISOString().slice(0, 10);
  const input = { place_id: placeId, date, time: '19:30', party_size: 4, guest_name: guestName };
  return (await call<{ booking_id: string }>(key, 'request_table', input)).booking_id;
}

async function call<Answer>(key: string, name: string, input: Record<string, unknown>): Promise<Answer> {
  const response = await fetch(`http://127.0.0.1:${service.port}/api/concierge/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'x-partner-key': key,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }),
  });
  const text = await response.text();
  const { result } = JSON.parse(text) as { result?: { isError?: boolean; structuredContent: Answer } };
  if (result === undefined || result.isError === true) throw new Error(`${name} was answered with ${text}`);
  return result.structuredContent;
}

function report(quiet: number[], busy: number[], photos: number): void {
  const worst = Math.max(...busy);
  const row = (name: string, all: number[]) =>
    `| ${name} | ${Math.round(median(all))} ms | ${Math.round(Math.max(...all))} ms |`;
  const lines = [
    `From \`request_table\` to \`asking\` by mail on one node, ${REQUESTS} tables one after the other: alone, and behind ${PHOTOS} photos of 12 megapixels, ${DELIVERIES.toLocaleString('en')} deliveries to a receiver that never answers, and jobs of the same kind that throw and hang. At the end ${photos} photos and all deliveries were still waiting.`,
    '',
    '| to asking | median | slowest |',
    '|---|--:|--:|',
    row('alone', quiet),
    row('behind all of that', busy),
    '',
    `Bar: the slowest within ${BAR_MS} ms: ${worst <= BAR_MS ? 'held' : '**missed**'}.`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  if (worst > BAR_MS) process.exitCode = 1;
  writeResults('Queues: asking behind other work', lines);
}
