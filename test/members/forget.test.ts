import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deleteExpired } from '../../src/retention/delete-expired.ts';
import { findMember } from '../../src/members/member.ts';
import { guestRatingOf } from '../../src/members/place-rating.ts';
import { AskingPartner, addVenue } from '../bookings/asking-partner.ts';
import { startReceiver } from '../callbacks/receiver.ts';
import { until } from '../harness/service/jobs.ts';
import { askMemberCode, joinMember, makeTable, type TestMember } from '../harness/people/member.ts';
import { startTestService } from '../harness/service/service.ts';
import { FormClient } from '../harness/people/staff.ts';
import { HOUR_MS } from '../../src/core/time.ts';
import { tablesWith } from './database-search.ts';

const receiver = await startReceiver();
const service = await startTestService({ settings: { EGRESS_ALLOW: receiver.pair } });
const { pool } = service.database;
const NAME = 'Zebedee Quux';

async function shownCode(member: TestMember): Promise<string> {
  const text = await (await member.post('/member/link/code', {}, '/member/link')).text();
  return /<strong>([0-9A-Z-]{14})<\/strong>/.exec(text)?.[1] ?? '';
}

test('forget me leaves no trace of who the member was, in any table', async () => {
  const member = await joinMember(service, NAME);
  const partner = await AskingPartner.add(service, `${receiver.url}/hook`);
  const placeId = await addVenue(service, { email: 'venue@venue.example' });
  const asked = { member_id: member.memberId, link_code: await shownCode(member), guest_name: undefined };
  const bookingId = await partner.request(placeId, asked);
  await until('the venue is being asked by name', async () => {
    const [row] =
      await pool`select from message where subject_id = ${bookingId} and body like ${`%${NAME}%`}`;
    return row !== undefined;
  });
  const reason = `${NAME} is ill, says "${NAME}"`;
  const off = await partner.request(placeId, { ...asked, link_code: undefined, time: '21:00' });
  await partner.call('cancel_booking', { booking_id: off, reason });
  const past = { member, placeId, partnerId: partner.partner.partnerId };
  const rated = await makeTable(service, past);
  await member.post(`/member/tables/${rated}/rate`, { stars: '5' }, '/member');
  await askMemberCode(service, new FormClient(service), member.email);
  await shownCode(member);
  const before = await tablesWith(pool, NAME, member.email);
  assert.deepEqual(before, ['booking', 'member', 'message', 'sign_in_code', 'webhook_delivery']);

  const done = await member.post('/member/forget', { sure: 'yes' });
  assert.equal(done.status, 200);
  assert.match(await done.text(), /Your account is erased/);
  assert.deepEqual(
    await tablesWith(pool, NAME, 'Zebedee', member.email, member.email.split('@')[0] ?? ''),
    [],
  );

  const [row] = await pool`select * from member where id = ${member.memberId}`;
  assert.deepEqual([row?.['email'], row?.['display_name']], [null, null]);
  const [rating] = await pool`select stars, member_id from place_rating where booking_id = ${rated}`;
  assert.deepEqual(rating, { stars: 5, member_id: null }, 'the stars still count');
  for (const table of ['member_link', 'member_link_code', 'member_session'])
    assert.equal(
      (await pool`select from ${pool(table)} where member_id = ${member.memberId}`).length,
      0,
      table,
    );
  assert.equal(await guestRatingOf(pool, placeId), null);
});

test('a forgotten member is signed out everywhere, and joins again as a new member', async () => {
  const member = await joinMember(service, 'Somebody');
  await member.post('/member/forget', { sure: 'yes' });
  assert.equal((await member.get('/member')).status, 303);
  const again = new FormClient(service);
  const { attempt, code } = await askMemberCode(service, again, member.email);
  await again.post('/member/sign-in/code', { attempt, code }, `/member/sign-in?attempt=${attempt}`);
  const [row] = await pool<{ id: string }[]>`select id from member where email = ${member.email}`;
  assert.ok(row !== undefined && row.id !== member.memberId);
});

test('nothing is forgotten without the second step', async () => {
  const member = await joinMember(service, 'Still Here');
  const page = await (await member.get('/member/forget')).text();
  assert.match(page, /cannot be undone/);
  const refused = await member.post('/member/forget', {});
  assert.equal(refused.status, 422);
  assert.match(await refused.text(), /Tick the box/);
  assert.match(await (await member.get('/member')).text(), /Hello, Still Here/);
});

test('a partner can ask for nothing more in the name of somebody who is forgotten', async () => {
  const member = await joinMember(service, 'Linked Once');
  const partner = await AskingPartner.add(service);
  const placeId = await addVenue(service, { email: 'other@venue.example' });
  const link_code = await shownCode(member);
  await partner.request(placeId, { member_id: member.memberId, link_code, guest_name: undefined });
  await member.post('/member/forget', { sure: 'yes' });
  await assert.rejects(
    partner.request(placeId, { member_id: member.memberId, guest_name: undefined, time: '20:30' }),
    /member_not_linked/,
  );
});

test('a table that is asked for while its member is being forgotten keeps no name', async () => {
  const member = await joinMember(service, 'In Between');
  const { partner } = await AskingPartner.add(service);
  const placeId = await addVenue(service);
  const forgetting = await pool.begin(async (sql) => {
    assert.ok(await findMember(sql, member.memberId));
    const answer = member.post('/member/forget', { sure: 'yes' });
    await until('it waits for the one who asks', async () => {
      const rows =
        await pool`select from pg_stat_activity where wait_event_type = 'Lock' and query like '%from member%'`;
      return rows.length > 0;
    });
    await makeTable(service, { member, placeId, partnerId: partner.partnerId });
    return { answer };
  });
  assert.equal((await forgetting.answer).status, 200);
  assert.deepEqual(await tablesWith(pool, 'In Between'), []);
});

test('link codes that ran out are forgotten', async () => {
  const member = await joinMember(service);
  await shownCode(member);
  service.clock.advance(25 * HOUR_MS);
  await deleteExpired(pool, service.clock.now());
  assert.equal((await pool`select from member_link_code where member_id = ${member.memberId}`).length, 0);
});
