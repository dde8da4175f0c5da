import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLinked, makeLinkCode, redeemLinkCode } from '../../src/members/member-link.ts';
import { joinMember, type TestMember } from '../harness/people/member.ts';
import { addTestPartner } from '../harness/people/partner.ts';
import { startTestService } from '../harness/service/service.ts';
import { HOUR_MS } from '../../src/core/time.ts';

const service = await startTestService();
const { pool } = service.database;
const member = await joinMember(service);

/** The code that the page shows when the member asks for one. */
async function shownCode(one: TestMember): Promise<string> {
  const page = await one.post('/member/link/code', {}, '/member/link');
  assert.equal(page.status, 200);
  return /<strong>([0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4})<\/strong>/.exec(await page.text())?.[1] ?? '';
}

function redeem(partnerId: string, code: string, memberId = member.memberId): Promise<boolean> {
  const now = service.clock.now();
  return pool.begin((sql) => redeemLinkCode(sql, { memberId, partnerId, code, now }));
}

test('a code that the member gave to a partner links the two, and works once', async () => {
  const [one, two] = [await addTestPartner(service), await addTestPartner(service)];
  const code = await shownCode(member);
  assert.ok(!(await isLinked(pool, member.memberId, one.partnerId)));
  assert.ok(await redeem(one.partnerId, ` ${code.toLowerCase().replaceAll('-', ' ')} `));
  assert.ok(await isLinked(pool, member.memberId, one.partnerId));
  assert.ok(!(await redeem(one.partnerId, code)), 'not again by the same partner');
  assert.ok(!(await redeem(two.partnerId, code)), 'nor by another');
  assert.ok(!(await isLinked(pool, member.memberId, two.partnerId)));
});

test('a wrong code, one of somebody else, an old one and one that was replaced link nobody', async () => {
  const { partnerId } = await addTestPartner(service);
  const stranger = await joinMember(service);
  const replaced = await shownCode(member);
  const code = await shownCode(member);
  for (const [given, memberId] of [
    ['', member.memberId],
    ['AAAA-AAAA-AAAA', member.memberId],
    [replaced, member.memberId],
    [code, stranger.memberId],
    [code, 'mem_nobody'],
  ] as const)
    assert.ok(!(await redeem(partnerId, given, memberId)), given);
  service.clock.advance(24 * HOUR_MS);
  assert.ok(!(await redeem(partnerId, code)), 'a day later it is too old');
  assert.ok(!(await isLinked(pool, member.memberId, partnerId)));
});

test('of two partners that bring one code at the same time, one is linked', async () => {
  const partners = await Promise.all(Array.from({ length: 6 }, () => addTestPartner(service)));
  const { code } = await makeLinkCode(pool, { memberId: member.memberId, now: service.clock.now() });
  const linked = await Promise.all(partners.map(({ partnerId }) => redeem(partnerId, code)));
  assert.equal(linked.filter(Boolean).length, 1);
});

test('a code that could not be used because its transaction failed can be used again', async () => {
  const { partnerId } = await addTestPartner(service);
  const code = await shownCode(member);
  const now = service.clock.now();
  await assert.rejects(
    pool.begin(async (sql) => {
      assert.ok(await redeemLinkCode(sql, { memberId: member.memberId, partnerId, code, now }));
      throw new Error('the venue takes no tables');
    }),
  );
  assert.ok(await redeem(partnerId, code));
});

test('the page lists who is linked, and unlinks; codes stand in no address and not in the database', async () => {
  const one = await joinMember(service);
  const { partnerId } = await addTestPartner(service);
  const code = await shownCode(one);
  const [row] = await pool<{ text: string }[]>`
    select c::text as text from member_link_code c where member_id = ${one.memberId}`;
  assert.ok(row !== undefined && !row.text.includes(code) && !row.text.includes(code.replaceAll('-', '')));
  await redeem(partnerId, code, one.memberId);
  assert.match(await (await one.get('/member/link')).text(), /Test Partner/);
  const gone = await one.post('/member/link/unlink', { partner_id: partnerId }, '/member/link');
  assert.match(await gone.text(), /is unlinked/);
  assert.ok(!(await isLinked(pool, one.memberId, partnerId)));
  assert.match(
    await (await one.post('/member/link/unlink', { partner_id: partnerId }, '/member/link')).text(),
    /was already unlinked/,
  );
  const audited = await pool`
    select from audit_log where actor = ${one.memberId} and operation = 'unlink_partner'`;
  assert.equal(audited.length, 1);
});
