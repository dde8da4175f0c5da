import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergePlaces } from '../../src/directory/place/merge-places.ts';
import { guestRatingOf } from '../../src/members/place-rating.ts';
import { addMadeUpPlace } from '../directory/made-up-place.ts';
import { callTool } from '../harness/clients/call-tool.ts';
import { joinMember, makeTable, type TestMember } from '../harness/people/member.ts';
import { addTestPartner, PARTNER_MCP } from '../harness/people/partner.ts';
import { sharedService } from '../harness/service/shared-service.ts';
import { addTestStaff } from '../harness/people/staff.ts';
import { HOUR_MS } from '../../src/core/time.ts';

const service = await sharedService();
const { pool } = service.database;
const { partnerId } = await addTestPartner(service);
const members = await Promise.all(['Ana', 'Bo', 'Cy'].map((name) => joinMember(service, name)));
const [ana, bo, cy] = members as [TestMember, TestMember, TestMember];

function rate(member: TestMember, bookingId: string, stars: string): Promise<Response> {
  return member.post(`/member/tables/${bookingId}/rate`, { stars }, '/member');
}

function newPlace(name: string): Promise<string> {
  return addMadeUpPlace(pool, service.clock, { name });
}

interface Reviews {
  verified_guest: { average: number; count: number } | null;
}

function reviewsOf(placeId: string): Promise<Reviews> {
  return callTool<Reviews>(service, PARTNER_MCP, 'get_reviews', { place_id: placeId });
}

test('three guests make an average; two of them are told to nobody', async () => {
  const placeId = await newPlace('Rated by three');
  for (const [member, stars, expected] of [
    [ana, '5', null],
    [bo, '4', null],
    [cy, '4', { average: 4.3, count: 3 }],
  ] as const) {
    const done = await rate(member, await makeTable(service, { member, placeId, partnerId }), stars);
    assert.match(done.headers.get('location') ?? '', /^\/member\/tables\/bkg_\w+\?done=rate_table$/);
    assert.deepEqual((await reviewsOf(placeId)).verified_guest, expected);
  }
});

test('a rating can be changed, and stays one rating', async () => {
  const placeId = await newPlace('Rated again');
  const bookingId = await makeTable(service, { member: ana, placeId, partnerId });
  await rate(ana, bookingId, '2');
  await rate(ana, bookingId, '5');
  const rows = await pool`select stars from place_rating where booking_id = ${bookingId}`;
  assert.deepEqual([...rows], [{ stars: 5 }]);
});

test('a table of somebody else, one to come and one that was not confirmed cannot be rated', async () => {
  const placeId = await newPlace('Not rated');
  const tables = [
    await makeTable(service, { member: ana, placeId, partnerId, agoMs: -HOUR_MS }),
    await makeTable(service, { member: ana, placeId, partnerId, status: 'asking' }),
    await makeTable(service, { member: ana, placeId, partnerId, status: 'declined' }),
  ];
  for (const bookingId of tables) assert.equal((await rate(ana, bookingId, '5')).status, 422);
  const others = [await makeTable(service, { member: bo, placeId, partnerId }), 'bkg_nothing'];
  for (const bookingId of others) assert.equal((await rate(ana, bookingId, '5')).status, 404);
  for (const stars of ['', '0', '6', '4.5', 'five', '1e0']) {
    const own = await makeTable(service, { member: ana, placeId, partnerId });
    assert.equal((await rate(ana, own, stars)).status, 422, stars);
  }
  assert.equal((await pool`select from place_rating where place_id = ${placeId}`).length, 0);
});

test('the database itself refuses a rating by anybody but the guest', async () => {
  const placeId = await newPlace('Refused by the database');
  const bookingId = await makeTable(service, { member: bo, placeId, partnerId });
  await assert.rejects(
    pool`insert into place_rating (booking_id, place_id, member_id, stars, rated_at)
      values (${bookingId}, ${placeId}, ${ana.memberId}, 5, ${service.clock.now()})`,
    { constraint: 'place_rating_by_guest' },
  );
  await assert.rejects(
    pool`insert into place_rating (booking_id, place_id, member_id, stars, rated_at)
      values (${bookingId}, ${placeId}, ${bo.memberId}, 6, ${service.clock.now()})`,
    { constraint: 'place_rating_stars_range' },
  );
});

test('ratings follow a place that turns out to be another, and so do tables that are rated later', async () => {
  const [kept, merged] = [await newPlace('Kept'), await newPlace('Merged')];
  const tables = await Promise.all(
    members.map((member) => makeTable(service, { member, placeId: merged, partnerId })),
  );
  await rate(ana, tables[0] ?? '', '3');
  await rate(bo, tables[1] ?? '', '3');
  const { id: staffId } = await addTestStaff(service, 'lead');
  const merge = { placeId: kept, mergedId: merged, staffId };
  await pool.begin((sql) => mergePlaces(sql, service.clock.now(), merge));
  await rate(cy, tables[2] ?? '', '3');
  assert.deepEqual(await guestRatingOf(pool, kept), { average: 3, count: 3 });
});

test('a name, a link code and a rating leave one line each in the audit log, without the words', async () => {
  const member = await joinMember(service, 'Before');
  const placeId = await newPlace('Told of');
  const bookingId = await makeTable(service, { member, placeId, partnerId });
  await member.post('/member/name', { display_name: 'After' }, '/member');
  await member.post('/member/name', { display_name: 'call +62 812 3456 7890' }, '/member');
  await member.post('/member/link/code', {}, '/member/link');
  await rate(member, bookingId, '4');
  await rate(member, bookingId, '9');
  const lines = await pool<{ operation: string; subject: string; detail: object }[]>`
    select operation, subject, detail from audit_log where actor = ${member.memberId}
      and operation in ('set_display_name', 'make_link_code', 'rate_table') order by sequence`;
  assert.deepEqual(
    [...lines],
    [
      { operation: 'set_display_name', subject: member.memberId, detail: {} },
      { operation: 'make_link_code', subject: member.memberId, detail: {} },
      { operation: 'rate_table', subject: bookingId, detail: {} },
    ],
  );
});
