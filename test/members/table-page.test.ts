import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setVenueTerms } from '../../src/bookings/terms/table-terms.ts';
import { calendarOf } from '../../src/surfaces/people/member/table-calendar.ts';
import { addVenue, linkInOutbox, tap } from '../bookings/asking-partner.ts';
import { until } from '../harness/service/jobs.ts';
import { startTestService } from '../harness/service/service.ts';
import { joinMember, type TestMember } from '../harness/people/member.ts';
import { signInVenue } from '../harness/people/venue.ts';

const service = await startTestService({ settings: { BASE_URL: 'http://localhost:3000' } });
const { pool } = service.database;
const TABLE = { date: '2026-11-20', time: '19:30', party_size: '2', notes: '' };
let phones = 250_000;

function venue(name: string): Promise<string> {
  return addVenue(service, { name, phone: `+62818${++phones}`, gather: 0 });
}

/** A member with a request that the venue was asked about, and the link that the venue got. */
async function asked(name: string, change: Record<string, string> = {}) {
  const [placeId, member] = [await venue(name), await joinMember(service)];
  const answer = await member.post(`/p/${placeId}/table`, { ...TABLE, ...change }, `/p/${placeId}`);
  const path = answer.headers.get('location') ?? '';
  const [, bookingId = ''] = /^\/member\/tables\/(bkg_\w+)$/.exec(path) ?? assert.fail(path);
  const link = await linkInOutbox(service, bookingId);
  await until('the venue is asked', async () => (await statusOf(bookingId)) === 'asking');
  return { placeId, member, path, bookingId, link };
}

async function read(member: TestMember, path: string): Promise<string> {
  const response = await member.get(path);
  assert.equal(response.status, 200);
  return (await response.text()).replaceAll(/\s+/g, ' ');
}

async function statusOf(bookingId: string): Promise<string> {
  const [row] = await pool<{ status: string }[]>`select status from booking where id = ${bookingId}`;
  return row?.status ?? assert.fail('there is no booking');
}

test('a table is shown to its guest only, and those who are not signed in are led to the sign-in', async () => {
  const { path, member } = await asked('Warung Milik');
  assert.match(await read(member, path), /Warung Milik.*The venue has been asked/);
  const other = await joinMember(service);
  for (const one of [path, `${path}/table.ics`, '/member/tables/bkg_none'])
    assert.equal((await other.get(one)).status, 404, one);
  const away = await service.request(path, { headers: { accept: 'text/html' }, redirect: 'manual' });
  assert.equal(away.headers.get('location'), `/member/sign-in?next=${encodeURIComponent(path)}`);
});

test('a confirmed table has a calendar entry; one that is not confirmed has none', async () => {
  const { path, member, link, bookingId } = await asked('Warung, Kalender; Satu');
  assert.doesNotMatch(await read(member, path), /Add to calendar/);
  assert.equal((await member.get(`${path}/table.ics`)).status, 404);
  await tap(service, link, { answer: 'yes' });
  assert.match(await read(member, path), new RegExp(`href="${path}/table.ics"`));
  const file = await member.get(`${path}/table.ics`);
  assert.equal(file.headers.get('content-type'), 'text/calendar; charset=utf-8');
  assert.equal(file.headers.get('cache-control'), 'no-store');
  const lines = (await file.text()).split('\r\n');
  for (const line of [
    'BEGIN:VCALENDAR',
    `UID:${bookingId}@localhost`,
    // Half past seven in the evening on Bali.
    'DTSTART:20261120T113000Z',
    'SUMMARY:Table for 2 people at Warung\\, Kalender\\; Satu',
    `URL:http://localhost:3000${path}`,
    'STATUS:CONFIRMED',
    'END:VCALENDAR',
  ])
    assert.ok(lines.includes(line), line);
  await member.post(`${path}/cancel`, {}, path);
  assert.equal((await member.get(`${path}/table.ics`)).status, 404);
});

test('no name can begin a line of its own in a calendar entry, and no line is longer than 75 bytes', () => {
  const at = new Date('2026-11-20T11:30:00Z');
  const table = { bookingId: 'bkg_1', version: 3, updatedAt: at, tableAt: at, partySize: 2, point: null };
  const placeName = `Évil\r\nATTENDEE:x\u2028\u0007${'é'.repeat(80)}`;
  const text = calendarOf(
    { table: { ...table, placeName }, address: 'A, B' } as Parameters<typeof calendarOf>[0],
    { serviceName: 'Waypost', baseUrl: 'http://localhost:3000' },
  );
  const lines = text.split('\r\n');
  for (const line of lines) {
    assert.ok(Buffer.byteLength(line) <= 75, line);
    assert.match(line, /^(?:[A-Z]+[:;]| |$)/);
    assert.doesNotMatch(line, /^ATTENDEE/);
  }
  const whole = text.replaceAll('\r\n ', '');
  assert.match(whole, /SUMMARY:Table for 2 people at Évil\\nATTENDEE:x\\n é{80}\r\n/);
  assert.match(whole, /LOCATION:A\\, B\r\n/);
});

test('an offer is declined: without a table the request ends, with one the table stays', async () => {
  const { path, member, link, bookingId } = await asked('Warung Tolak');
  const offer = { answer: 'offer', offer_date: '2026-11-20', offer_time: '20:30' };
  await tap(service, link, { answer: 'yes' });
  await member.post(`${path}/change`, { ...TABLE, time: '21:00' }, path);
  const again = await until('the venue is asked about the change', async () => {
    const other = await linkInOutbox(service, bookingId);
    return other === link ? undefined : other;
  });
  await tap(service, again, offer);
  assert.match(await read(member, path), /If you decline, your confirmed table stays/);
  assert.equal((await member.post(`${path}/decline`, {}, path)).status, 303);
  assert.equal(await statusOf(bookingId), 'confirmed');
  const kept = await read(member, path);
  assert.match(kept, /19:30<\/strong>, 2 people <span class="badge good">Confirmed/);
  assert.match(kept, /The offer was declined. The earlier table stays/);
  assert.doesNotMatch(kept, /You accepted/);
  assert.equal((await member.post(`${path}/decline`, {}, path)).status, 409);

  const second = await asked('Warung Tolak Dua');
  await tap(service, second.link, offer);
  assert.match(await read(second.member, second.path), /If you decline, your request ends/);
  await second.member.post(`${second.path}/decline`, {}, second.path);
  assert.equal(await statusOf(second.bookingId), 'cancelled');
  assert.match(await read(second.member, second.path), /You declined the offer/);
});

test('the page says what cancelling costs by the terms of the venue', async () => {
  const { path, member, link, bookingId, placeId } = await asked('Warung Biaya');
  assert.match(await read(member, path), /This is free: the venue has not promised you a table/);
  await tap(service, link, { answer: 'yes' });
  assert.match(await read(member, path), /free as far as we know: the venue has stated no terms/);
  const state = (hours: number) => {
    const terms = { cancellation_hours: { value: hours, source: 'venue', stated_at: '2026-11-14' } };
    return pool`
      update booking set table_terms = ${JSON.stringify(terms)}::text::jsonb where id = ${bookingId}`;
  };
  await state(24);
  assert.match(
    await read(member, path),
    /This is free until Thursday 19 November(?:,| at) 19:30, local time/,
  );
  await state(720);
  assert.match(await read(member, path), /at least 720 hours before, which is no longer possible/);
  // A later request keeps the terms of its own day.
  await pool.begin((tx) => setVenueTerms(tx, service.clock.now(), placeId, { cancellation_hours: 3 }));
  assert.match(await read(member, path), /at least 720 hours before/);
});

test('a member waits for a free table of a full venue, is offered one and accepts it', async () => {
  const { path, member, link, bookingId, placeId } = await asked('Warung Penuh', { wait: 'on' });
  await tap(service, link, { answer: 'no' });
  const waits = await read(member, path);
  assert.match(waits, /You wait until Friday 20 November(?:,| at) 19:30, local time/);
  assert.match(waits, /You are the first to be asked/);
  assert.match(waits, /The request waits for a free table/);
  const area = await signInVenue(service, placeId);
  await area.post(
    '/venue/tables/answer',
    { revision: '1', answer: 'free', booking: bookingId },
    '/venue/tables',
  );
  const offered = await read(member, path);
  const [, offer = ''] = /name="offer" value="(\w+)"/.exec(offered) ?? assert.fail('no offer');
  assert.match(await read(member, '/member/tables'), /Answer the offer/);
  assert.equal((await member.post(`${path}/accept`, { offer }, path)).status, 303);
  assert.equal(await statusOf(bookingId), 'confirmed');
});

test('without the wish to wait, a full venue ends the request', async () => {
  const { path, member, link, bookingId } = await asked('Warung Habis');
  await tap(service, link, { answer: 'no' });
  assert.equal(await statusOf(bookingId), 'declined');
  assert.match(await read(member, path), /The venue has said no.*Ask for another table here/);
});

test('the list keeps upcoming and past tables apart, and leads to search while there is none', async () => {
  const newcomer = await joinMember(service);
  assert.match(await read(newcomer, '/member/tables'), /No table is coming up.*role="search"/);
  const { path, member, link } = await asked('Warung Daftar');
  assert.match(
    await read(member, '/member/tables'),
    new RegExp(`id="upcoming".*href="${path}".*Warung Daftar`),
  );
  await tap(service, link, { answer: 'yes' });
  await member.post(`${path}/cancel`, {}, path);
  assert.match(
    await read(member, '/member/tables'),
    /No table is coming up.*id="past".*Warung Daftar.*Cancelled/,
  );
});
