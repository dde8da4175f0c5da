import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { hashPasswordsQuickly } from '../../../harness/people/quick-passwords.ts';
import { startTestService, USER_AGENT } from '../../../harness/service/service.ts';
import { FormClient, signInStaff } from '../../../harness/people/staff.ts';

hashPasswordsQuickly();
const service = await startTestService();
const { pool } = service.app.deps;
const lead = await signInStaff(service, 'lead');

function passwordOf(page: string): string {
  return /data-password>([^<]+)</.exec(page)?.[1] ?? '';
}

async function signIn(email: string, password: string): Promise<FormClient> {
  const client = new FormClient(service);
  await client.post('/console/sign-in', { email, password, totp: '' });
  return client;
}

test('a lead adds somebody, who gets a password for one sign-in and sets up the rest', async () => {
  const email = 'new.person@staff.example';
  const page = await (await lead.post('/console/staff', { email: email.toUpperCase(), role: 'desk' })).text();
  const client = await signIn(email, passwordOf(page));
  assert.equal((await client.get('/console')).headers.get('location'), '/console/password');
  assert.equal((await lead.post('/console/staff', { email, role: 'lead' })).status, 409, 'once only');
  const [row] = await pool`select role from staff where email = ${email}`;
  assert.equal(row?.['role'], 'desk');
});

test('invalid data of a person is refused with the field at fault', async () => {
  for (const fields of [
    { email: 'nobody', role: 'desk' },
    { email: '', role: 'desk' },
    { email: 'a@b.example', role: 'king' },
  ])
    assert.equal((await lead.post('/console/staff', fields)).status, 422);
  const again = await (await lead.post('/console/staff', { email: 'nobody', role: 'lead' })).text();
  assert.match(again, /value="nobody"/);
  assert.match(again, /<option value="lead"\s+selected>/, 'what was chosen stays chosen');
});

test('a new start ends all sessions, the old password and the old second factor', async () => {
  const person = await signInStaff(service, 'reviewer');
  const path = `/console/staff/${person.staff.id}/reset`;
  const page = await (await lead.post(path, {}, '/console/staff')).text();
  assert.equal((await person.get('/console')).status, 303);
  const stale = await signIn(person.staff.email, person.staff.password);
  assert.match((await stale.get('/console')).headers.get('location') ?? '', /sign-in/);
  const fresh = await signIn(person.staff.email, passwordOf(page));
  assert.equal((await fresh.get('/console')).headers.get('location'), '/console/password');
});

test('a person whose access ended cannot sign in until it is given back', async () => {
  const person = await signInStaff(service, 'reviewer');
  const { id, email, password } = person.staff;
  await lead.post(`/console/staff/${id}/disable`, {}, '/console/staff');
  const right = () => ({ email, password, totp: person.staff.code() });
  assert.equal((await new FormClient(service).post('/console/sign-in', right())).status, 401);
  await lead.post(`/console/staff/${id}/enable`, {}, '/console/staff');
  assert.equal((await new FormClient(service).post('/console/sign-in', right())).status, 303);
});

test('a form of a person whose access ended meanwhile changes nothing', async () => {
  const other = await signInStaff(service, 'lead');
  const csrf = await other.token('/console/staff');
  const body = new URLSearchParams({ csrf, email: 'later@staff.example', role: 'lead' }).toString();
  const call = request(`${service.url}/console/staff`, {
    method: 'POST',
    headers: {
      host: 'waypost.example',
      'user-agent': USER_AGENT,
      accept: 'text/html',
      cookie: [...other.cookies].map((pair) => pair.join('=')).join('; '),
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': body.length,
    },
  });
  await new Promise((sent) => call.write(body.slice(0, -1), sent));
  await lead.post(`/console/staff/${other.staff.id}/disable`, {}, '/console/staff');
  call.end(body.slice(-1));
  const [answer] = (await once(call, 'response')) as [IncomingMessage];
  answer.resume();
  assert.equal(answer.statusCode, 401);
  assert.equal((await pool`select from staff where email = 'later@staff.example'`).count, 0);
});

test('a lead cannot end their own access, so that somebody is always left', async () => {
  for (const move of ['disable', 'reset'])
    assert.equal(
      (await lead.post(`/console/staff/${lead.staff.id}/${move}`, {}, '/console/staff')).status,
      409,
    );
  assert.equal((await lead.get('/console')).status, 200);
});

test('each change that a lead makes to an account leaves one audit row, and a form that changes nothing leaves none', async () => {
  const person = await signInStaff(service, 'reviewer');
  const { id } = person.staff;
  const moves = ['disable', 'disable', 'reset', 'enable', 'enable', 'reset'];
  const statuses = [];
  for (const move of moves)
    statuses.push((await lead.post(`/console/staff/${id}/${move}`, {}, '/console/staff')).status);
  assert.deepEqual(statuses, [303, 409, 409, 303, 409, 200]);
  const rows = await pool<{ operation: string; actor: string }[]>`
    select operation, actor from audit_log where subject = ${id} and actor <> ${id} order by sequence`;
  assert.deepEqual(
    rows.map(({ operation, actor }) => [operation, actor]),
    ['staff_disable', 'staff_enable', 'staff_reset'].map((operation) => [operation, lead.staff.id]),
  );
});

test('the audit log is read by person, by kind and by subject, page by page', async () => {
  const now = service.clock.now();
  await pool`
    insert into audit_log (at, actor, operation, request_id, subject)
    select ${now}, 'stf_test', 'test_line', 'req_' || n, 'sub_' || n from generate_series(1, 150) n`;
  const first = await (await lead.get('/console/audit?operation=test_line')).text();
  assert.equal([...first.matchAll(/<tr>\s*<th scope="row">Test line/g)].length, 100);
  const next = /rel="next"\s+href="([^"]+)"/.exec(first)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const second = await (await lead.get(next)).text();
  assert.equal([...second.matchAll(/<tr>\s*<th scope="row">Test line/g)].length, 50);
  const one = await (await lead.get('/console/audit?actor=stf_test&subject=sub_7')).text();
  assert.equal([...one.matchAll(/<th scope="row">/g)].length, 1);
});
