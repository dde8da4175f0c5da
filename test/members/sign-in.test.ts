import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askMemberCode, joinMember } from '../harness/people/member.ts';
import { startTestService } from '../harness/service/service.ts';
import { FormClient } from '../harness/people/staff.ts';
import { lastMessage } from '../harness/people/submissions.ts';
import { HOUR_MS } from '../../src/core/time.ts';

const service = await startTestService();
const { pool } = service.database;

function enter(client: FormClient, attempt: string, code: string): Promise<Response> {
  return client.post('/member/sign-in/code', { attempt, code }, `/member/sign-in?attempt=${attempt}`);
}

function otherThan(code: string): string {
  return code === '111111' ? '222222' : '111111';
}

test('a person who enters the mailed code joins, gives a name, and is signed in', async () => {
  const member = await joinMember(service, 'Ana P.');
  assert.match(member.memberId, /^mem_[0-9a-z]{26}$/);
  const page = await member.get('/member');
  assert.equal(page.status, 200);
  assert.equal(page.headers.get('cache-control'), 'no-store');
  const text = await page.text();
  assert.match(text, /Hello, Ana P\./);
  assert.ok(text.includes(member.email) && text.includes(member.memberId));
  const message = await lastMessage(service, 'member_code');
  assert.match(message?.text ?? '', /as a member/);
  assert.doesNotMatch(message?.subject ?? '', /\d{6}/);
});

test('the same mailbox is the same member, in any browser, and signing out ends only that session', async () => {
  const member = await joinMember(service);
  const other = new FormClient(service);
  const { attempt, code } = await askMemberCode(service, other, member.email.toUpperCase().toLowerCase());
  assert.equal((await enter(other, attempt, code)).status, 303);
  assert.match(await (await other.get('/member')).text(), new RegExp(member.memberId));
  await other.post('/member/sign-out', {}, '/member');
  assert.equal((await other.get('/member')).status, 303);
  assert.equal((await member.get('/member')).status, 200);
});

test('until a name is chosen nobody is signed in, and a name holds no contact', async () => {
  const client = new FormClient(service);
  const { attempt, code } = await askMemberCode(service, client, 'nameless@member.example');
  await enter(client, attempt, code);
  assert.equal(
    (await client.get('/member/link')).headers.get('location'),
    '/member/sign-in?next=%2Fmember%2Flink',
  );
  const carried = '/member/sign-in/name?next=%2Fmember%2Flink';
  for (const name of [
    '',
    ' ',
    'x'.repeat(81),
    'Ana +62 812 345 6789',
    'ana@mail.example',
    'www.ana.example',
  ]) {
    const refused = await client.post(carried, { display_name: name }, '/member/sign-in');
    assert.equal(refused.status, 422, name);
  }
  const [row] = await pool`select display_name from member where email = 'nameless@member.example'`;
  assert.equal(row?.['display_name'], null);
  const named = await client.post(carried, { display_name: '  Ana \t P. ' }, '/member/sign-in');
  assert.equal(named.headers.get('location'), '/member/link');
  assert.match(await (await client.get('/member')).text(), /Hello, Ana P\./);
});

test('a wrong code is counted, the fifth ends the code and locks whoever entered it for an hour', async () => {
  const client = new FormClient(service);
  const email = 'locked@member.example';
  const { attempt, code } = await askMemberCode(service, client, email);
  for (let left = 4; left >= 1; left--) {
    const wrong = await enter(client, attempt, otherThan(code));
    assert.equal(wrong.status, 422);
    assert.match(await wrong.text(), new RegExp(`You have ${left} ${left === 1 ? 'try' : 'tries'} left`));
  }
  assert.match(await (await enter(client, attempt, otherThan(code))).text(), /has expired/);
  assert.equal((await enter(client, attempt, code)).status, 422, 'the right one is too late');
  const again = await client.post('/member/sign-in/email', { email }, '/member/sign-in');
  assert.equal(again.status, 429);
  assert.equal(again.headers.get('retry-after'), '3600');
  service.clock.advance(HOUR_MS);
  const fresh = await askMemberCode(service, client, email);
  assert.equal((await enter(client, fresh.attempt, fresh.code)).status, 303);
});

test('a code works once and for ten minutes, and one for operators opens nothing here', async () => {
  const client = new FormClient(service);
  const late = await askMemberCode(service, client, 'late@member.example');
  service.clock.advance(10 * 60_000);
  assert.equal((await enter(client, late.attempt, late.code)).status, 422);
  const once = await askMemberCode(service, client, 'once@member.example');
  assert.equal((await enter(client, once.attempt, once.code)).status, 303);
  const thief = new FormClient(service);
  const csrf = await thief.token('/member/sign-in');
  const fields = { csrf, attempt: once.attempt, code: once.code };
  assert.equal((await thief.postRaw('/member/sign-in/code', fields)).status, 422);
  assert.equal(
    (await enter(client, once.attempt, once.code)).status,
    422,
    'nor twice where it was asked for',
  );
  await pool`
    update sign_in_code set id = 'osi' || substr(id, 4), used_at = null where id = ${once.attempt}`;
  const operator = { ...fields, attempt: once.attempt.replace('msi', 'osi') };
  assert.equal((await thief.postRaw('/member/sign-in/code', operator)).status, 422);
  assert.equal((await enter(client, operator.attempt, once.code)).status, 422);
});

test('nobody is led to another host after signing in', async () => {
  const member = await joinMember(service);
  for (const next of [
    '//evil.example/',
    '/\\evil.example',
    'https://evil.example',
    '/a b',
    '/\t/evil.example',
  ]) {
    const answer = await member.get(`/member/sign-in?next=${encodeURIComponent(next)}`);
    assert.equal(answer.headers.get('location'), '/member', next);
  }
  const answer = await member.get(`/member/sign-in?next=${encodeURIComponent('/photos/mine?x=1')}`);
  assert.equal(answer.headers.get('location'), '/photos/mine?x=1');
});

test('a form without its token, or of somebody who is not signed in, does nothing', async () => {
  const member = await joinMember(service);
  const before = await pool`select * from member where id = ${member.memberId}`;
  for (const path of [
    '/member/name',
    '/member/tables/bkg_x/rate',
    '/member/tables/bkg_x/cancel',
    '/member/link/code',
    '/member/link/unlink',
    '/member/forget',
  ]) {
    const fields = { display_name: 'Other', stars: '5', sure: 'yes' };
    assert.equal((await member.postRaw(path, fields)).status, 403, path);
    assert.equal((await new FormClient(service).postRaw(path, fields)).status, 401, path);
  }
  assert.deepEqual(await pool`select * from member where id = ${member.memberId}`, before);
  assert.equal((await member.postRaw('/member/sign-out', {})).status, 403);
});

test('joining, signing in and signing out leave one line each in the audit log, without the mailbox', async () => {
  const member = await joinMember(service);
  await member.post('/member/sign-out', {}, '/member');
  const { attempt, code } = await askMemberCode(service, member, member.email);
  await enter(member, attempt, otherThan(code));
  await enter(member, attempt, code);
  const lines = await pool<{ operation: string; subject: string; detail: object }[]>`
    select operation, subject, detail from audit_log where actor = ${member.memberId} order by sequence`;
  const subject = member.memberId;
  assert.deepEqual(
    lines.map((line) => ({ ...line })),
    [
      { operation: 'member_sign_in', subject, detail: { joined: true } },
      { operation: 'choose_member_name', subject, detail: {} },
      { operation: 'member_sign_out', subject, detail: {} },
      { operation: 'member_sign_in', subject, detail: { joined: false } },
    ],
  );
  const sent = await pool`
    select from audit_log where operation = 'send_member_code' and subject = ${attempt}`;
  assert.equal(sent.count, 1);
  const named = await pool`select from audit_log a where position(${member.email} in a::text) > 0`;
  assert.equal(named.count, 0);
});
