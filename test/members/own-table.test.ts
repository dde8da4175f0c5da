import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUSE_PARTNER } from '../../src/accounts/partners/house-partner.ts';
import { listPartners } from '../../src/accounts/partners/partner-roster.ts';
import { listMemberTables } from '../../src/members/list-tables.ts';
import { addVenue, linkInOutbox, tap } from '../bookings/asking-partner.ts';
import { until } from '../harness/service/jobs.ts';
import { flipSwitch } from '../harness/service/kill-switch.ts';
import { startTestService } from '../harness/service/service.ts';
import { joinMember, type TestMember } from '../harness/people/member.ts';
import { addTestStaff, FormClient } from '../harness/people/staff.ts';

const service = await startTestService({ settings: { VENUE_OPEN_ASKS: '2', VENUE_ASKS_PER_DAY: '8' } });
const { pool } = service.database;
const TABLE = { date: '2026-11-20', time: '19:30', party_size: '2', notes: '' };

interface Row {
  id: string;
  status: string;
  time: string;
  guest_name: string;
  partner_id: string;
}

function venue(name: string): Promise<string> {
  return addVenue(service, { name, phone: '+6281234567890', gather: 0 });
}

function ask(member: FormClient, placeId: string, change: Record<string, string> = {}): Promise<Response> {
  return member.post(`/p/${placeId}/table`, { ...TABLE, ...change }, `/p/${placeId}`);
}

async function bookingAt(placeId: string, member: TestMember): Promise<Row> {
  const [row] = await pool<Row[]>`
    select id, status, time, guest_name, partner_id from booking
    where place_id = ${placeId} and member_id = ${member.memberId} order by id desc limit 1`;
  return row ?? assert.fail('there is no booking');
}

function untilStatus(placeId: string, member: TestMember, status: string): Promise<Row> {
  return until(`the booking is ${status}`, async () => {
    const row = await bookingAt(placeId, member);
    return row.status === status ? row : undefined;
  });
}

async function pageOf(member: FormClient, placeId: string): Promise<string> {
  const response = await member.get(`/p/${placeId}`);
  assert.equal(response.headers.get('cache-control'), 'no-store');
  return (await response.text()).replaceAll(/\s+/g, ' ');
}

/** The values of the forms on the page that send to a path. */
function formOn(page: string, path: string): Record<string, string> {
  const [form = assert.fail(`no form for ${path}`)] =
    new RegExp(`<form[^>]*action="${path}"[^]*?</form>`).exec(page) ?? [];
  const fields = form.matchAll(/name="(\w+)"(?: type="\w+")?(?: value="([^"]*)")?/g);
  return Object.fromEntries(
    Array.from(fields, ([, name = '', value = '']): [string, string] => [name, value]),
  );
}

test('a member asks on the page of a place, accepts an offer, changes the table and cancels it', async () => {
  const [placeId, member] = [await venue('Warung Pantai'), await joinMember(service)];
  const before = await pageOf(member, placeId);
  assert.match(before, /Ask for this table/);
  // The answer of the form leads to this part of the page.
  assert.match(before, /<section id="table"/);
  const asked = await ask(member, placeId);
  assert.equal(asked.status, 303, await asked.text());
  const booking = await untilStatus(placeId, member, 'asking');
  const path = `/member/tables/${booking.id}`;
  assert.equal(asked.headers.get('location'), path);
  assert.deepEqual([booking.guest_name, booking.partner_id], ['Ana P.', HOUSE_PARTNER]);
  assert.match(
    await pageOf(member, placeId),
    /Friday 20 November, 19:30<\/strong>, 2 people.*The venue has been asked/,
  );

  const link = await linkInOutbox(service, booking.id);
  await tap(service, link, { answer: 'offer', offer_date: '2026-11-20', offer_time: '20:30' });
  const offered = await pageOf(member, placeId);
  assert.match(offered, /The venue offers another table.*Friday 20 November, 20:30/);
  const accept = formOn(offered, `${path}/accept`);
  assert.equal((await member.postRaw(`${path}/accept`, accept)).status, 303);
  assert.equal((await bookingAt(placeId, member)).status, 'confirmed');
  const confirmed = await pageOf(member, placeId);
  assert.match(confirmed, /20:30<\/strong>, 2 people <span class="badge good">Confirmed/);

  const change = { ...formOn(confirmed, `${path}/change`), time: '21:00', party_size: '3' };
  assert.equal((await member.postRaw(`${path}/change`, change)).status, 303);
  assert.match(
    await pageOf(member, placeId),
    /Your confirmed table, Friday 20 November, 20:30, stays until then/,
  );
  const again = await until('another link', async () => {
    const other = await linkInOutbox(service, booking.id);
    return other === link ? undefined : other;
  });
  await tap(service, again, { answer: 'yes' });
  assert.deepEqual(
    [(await bookingAt(placeId, member)).status, (await bookingAt(placeId, member)).time],
    ['confirmed', '21:00'],
  );

  const cancel = formOn(await pageOf(member, placeId), `${path}/cancel`);
  assert.equal((await member.postRaw(`${path}/cancel`, cancel)).status, 303);
  assert.equal((await bookingAt(placeId, member)).status, 'cancelled');
  assert.equal((await member.postRaw(`${path}/cancel`, cancel)).status, 303);
  const tables = (await (await member.get(path)).text()).replaceAll(/\s+/g, ' ');
  assert.match(tables, /Warung Pantai.*Cancelled/);
  assert.match(await (await member.get('/member/tables')).text(), /Warung Pantai/);
  assert.deepEqual(
    [...tables.matchAll(/<time [^>]*>[^<]+<\/time> <bdi>([^<]+)<\/bdi>/g)].map(([, words]) => words),
    [
      'You asked for the table.',
      'The venue was asked by message.',
      'The venue offered another table.',
      'You accepted the offer.',
      'You asked for another table.',
      'The venue was asked by message.',
      'The venue said yes.',
      'You cancelled.',
    ],
  );
});

test('a visitor is led to the sign-in and comes back to the same table', async () => {
  const placeId = await venue('Warung Kembali');
  const response = await service.request(`/p/${placeId}`, { headers: { accept: 'text/html' } });
  assert.equal(response.headers.get('cache-control'), 'no-cache');
  assert.doesNotMatch(await response.text(), /name="csrf"/);
  const stranger = new FormClient(service);
  const wanted = `/p/${placeId}/table?date=2026-11-21&time=20%3A00&party_size=5`;
  const away = await stranger.get(wanted);
  assert.equal(away.headers.get('location'), `/member/sign-in?next=${encodeURIComponent(wanted)}`);
  const member = await joinMember(service);
  const back = await member.get(wanted);
  assert.equal(back.headers.get('location'), `/p/${placeId}?date=2026-11-21&time=20%3A00&party_size=5#table`);
  const form = await (await member.get(back.headers.get('location') ?? '')).text();
  for (const value of ['2026-11-21', '20:00', '5']) assert.match(form, new RegExp(`value="${value}"`));
  assert.equal((await stranger.postRaw(`/p/${placeId}/table`, TABLE)).status, 401);
});

test('a request that cannot be sent is refused on the page, and nobody is asked', async () => {
  const [placeId, member] = [await venue('Warung Batas'), await joinMember(service)];
  const phone = await addVenue(service, { name: 'Warung Telepon', phone: '+6281234567891', method: 'phone' });
  const refusals = [
    [placeId, { date: '2026-11-01' }, 422, /already passed/],
    [placeId, { date: '2027-11-01' }, 422, /can be requested until/],
    [placeId, { party_size: '31' }, 422, /Enter 1 to 30 people/],
    [placeId, { time: '25:00' }, 422, /Choose a time/],
    [placeId, { notes: 'Call me: +62 812 3456 7890' }, 422, /receives only a name/],
    [phone, {}, 409, /takes no table requests here/],
  ] as const;
  for (const [id, change, status, words] of refusals) {
    const csrf = await member.token(`/p/${placeId}`);
    const response = await member.postRaw(`/p/${id}/table`, { csrf, ...TABLE, ...change });
    assert.equal(response.status, status);
    assert.match(await response.text(), words);
  }
  const rows = await pool`select from booking where member_id = ${member.memberId}`;
  assert.equal(rows.length, 0);
});

test('a member sees no table of another, on the page of the place and in the list of tables', async () => {
  const [placeId, owner] = [await venue('Warung Sendiri'), await joinMember(service)];
  assert.equal((await ask(owner, placeId)).status, 303);
  await untilStatus(placeId, owner, 'asking');
  const other = await joinMember(service);
  assert.equal((await listMemberTables(pool, owner.memberId, service.clock.now())).length, 1);
  assert.deepEqual(await listMemberTables(pool, other.memberId, service.clock.now()), []);
  assert.deepEqual(await listMemberTables(pool, other.memberId, service.clock.now(), { placeId }), []);
  assert.match(await pageOf(owner, placeId), /The venue has been asked/);
  assert.doesNotMatch(await pageOf(other, placeId), /The venue has been asked/);
});

test('each member has limits of their own, and cannot touch the table of another', async () => {
  const placeId = await venue('Warung Ramai');
  const [one, two] = [await joinMember(service), await joinMember(service)];
  assert.equal((await ask(one, placeId)).status, 303);
  assert.match(await (await ask(one, placeId)).text(), /already asked for this table/);
  assert.equal((await ask(one, placeId, { time: '20:00' })).status, 303);
  assert.match(await (await ask(one, placeId, { time: '20:30' })).text(), /gets no more requests/);
  // Another guest of the same name is another guest.
  assert.equal((await ask(two, placeId)).status, 303);
  const { id } = await bookingAt(placeId, one);
  const csrf = await two.token(`/p/${placeId}`);
  for (const path of ['cancel', 'accept', 'decline', 'change']) {
    const fields = { csrf, ...TABLE, offer: 'off_x' };
    const response = await two.postRaw(`/member/tables/${id}/${path}`, fields);
    assert.equal(response.status, 404, path);
  }
  assert.notEqual((await bookingAt(placeId, one)).status, 'cancelled');
});

test('the kill switch stops requests of members, who can still cancel', async () => {
  const [placeId, member] = [await venue('Warung Henti'), await joinMember(service)];
  assert.equal((await ask(member, placeId)).status, 303);
  const { id: staffId } = await addTestStaff(service, 'lead');
  await flipSwitch(service.app.deps, { on: true, reason: 'a test', staffId });
  try {
    assert.match(await (await ask(member, placeId, { time: '21:00' })).text(), /stopped at the moment/);
    const path = `/member/tables/${(await bookingAt(placeId, member)).id}/cancel`;
    const cancel = formOn(await pageOf(member, placeId), path);
    assert.equal((await member.postRaw(path, cancel)).status, 303);
    assert.equal((await bookingAt(placeId, member)).status, 'cancelled');
  } finally {
    await flipSwitch(service.app.deps, { on: false, reason: 'a test', staffId });
  }
});

test('the account of the service itself is in no list of partners', async () => {
  const listed = await listPartners(pool, { limit: 100 });
  assert.ok(listed.every(({ id }) => id !== HOUSE_PARTNER));
});
