import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashPasswordsQuickly } from '../../../harness/people/quick-passwords.ts';
import { startTestService, type TestService } from '../../../harness/service/service.ts';
import { describeDevice } from '../../../../src/surfaces/people/console/sign-in/describe-device.ts';
import { addTestStaff, auditOf, codeAt, FormClient, signInStaff } from '../../../harness/people/staff.ts';

hashPasswordsQuickly();
const service = await startTestService();
const { pool } = service.app.deps;

function enter(client: FormClient, fields: Record<string, string>): Promise<Response> {
  return client.post('/console/sign-in', fields);
}

async function refusedBy(response: Response): Promise<string> {
  const text = await response.text();
  return /role="alert">([^<]*)/.exec(text)?.[1] ?? '';
}

async function opens(client: FormClient, path = '/console/account'): Promise<boolean> {
  return (await client.get(path)).status === 200;
}

test('a very long address leads to the sign-in without its query, so that the answer fits into a header', async () => {
  const { status, headers } = await new FormClient(service).get(
    `/console/set-up?q=${'%C3%A9'.repeat(2_000)}`,
  );
  assert.deepEqual([status, headers.get('location')], [303, '/console/sign-in?next=%2Fconsole%2Fset-up']);
});

test('password and code open the console, with a cookie that scripts and other sites do not get', async () => {
  const staff = await addTestStaff(service);
  const client = new FormClient(service);
  assert.equal(
    (await client.get('/console/account')).headers.get('location'),
    '/console/sign-in?next=%2Fconsole%2Faccount',
  );
  const response = await enter(client, {
    email: staff.email.toUpperCase(),
    password: staff.password,
    totp: staff.code(),
  });
  assert.equal(response.status, 303);
  assert.equal(response.headers.get('location'), '/console');
  const [cookie = ''] = response.headers.getSetCookie();
  assert.match(
    cookie,
    /^__Host-svc_staff=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
  assert.ok(await opens(client));
  const token = client.cookies.get('__Host-svc_staff') ?? '';
  const stored = await pool`select 1 from staff_session where position(${token}::bytea in token_hash) > 0`;
  assert.equal(stored.length, 0, 'the token itself is stored nowhere');
  const [audited] =
    await pool`select * from audit_log where actor = ${staff.id} and operation = 'staff_sign_in'`;
  assert.equal(audited?.['subject'], staff.id);
});

test('nobody is told which of email, password and code was wrong', async () => {
  const staff = await addTestStaff(service);
  const right = { email: staff.email, password: staff.password, totp: staff.code() };
  const told = new Set<string>();
  for (const wrong of [
    { email: 'nobody@staff.example' },
    { password: 'not the password' },
    { totp: '000000' },
    { totp: '' },
  ]) {
    const client = new FormClient(service);
    const response = await enter(client, { ...right, ...wrong });
    assert.equal(response.status, 401);
    told.add(await refusedBy(response));
    assert.equal(client.cookies.has('__Host-svc_staff'), false);
  }
  assert.equal(told.size, 1);
});

test('an attempt leaves one row of the audit log, which says whether the password was right, and who got in', async () => {
  const staff = await addTestStaff(service);
  const fields = { email: staff.email, password: staff.password };
  assert.equal(
    (await enter(new FormClient(service), { ...fields, password: 'wrong', totp: '' })).status,
    401,
  );
  assert.equal((await enter(new FormClient(service), { ...fields, totp: '000000' })).status, 401);
  assert.equal((await enter(new FormClient(service), { ...fields, totp: staff.code() })).status, 303);
  assert.deepEqual(await auditOf(pool, staff.id), [
    { actor: 'address:127.0.0.1', operation: 'staff_sign_in_refused', detail: { password_right: false } },
    { actor: 'address:127.0.0.1', operation: 'staff_sign_in_refused', detail: { password_right: true } },
    { actor: staff.id, operation: 'staff_sign_in', detail: { second_factor: 'totp', address: '127.0.0.1' } },
  ]);
});

test('a code opens once, also when it is sent twice at the same instant', async () => {
  const staff = await addTestStaff(service);
  const fields = { email: staff.email, password: staff.password, totp: staff.code() };
  const clients = [new FormClient(service), new FormClient(service)];
  const statuses = await Promise.all(clients.map(async (client) => (await enter(client, fields)).status));
  assert.deepEqual(statuses.sort(), [303, 401]);
  assert.equal((await enter(new FormClient(service), fields)).status, 401);
});

test('the first sign-in sets up the second factor, shows recovery codes once, and opens nothing before', async () => {
  const staff = await addTestStaff(service, 'reviewer', { secondFactor: false });
  const client = new FormClient(service);
  assert.equal((await enter(client, { email: staff.email, password: staff.password, totp: '' })).status, 303);
  assert.equal((await client.get('/console/account')).headers.get('location'), '/console/enrol');
  const page = await (await client.get('/console/enrol')).text();
  const secret = /data-totp-secret="([A-Z2-7]{32})"/.exec(page)?.[1] ?? '';
  assert.match(page, /<svg [^>]*aria-label="QR code/);
  assert.ok((await (await client.get('/console/enrol')).text()).includes(secret), 'the same at every look');
  assert.equal((await client.post('/console/enrol', { totp: '123456' })).status, 422);
  const before = client.cookies.get('__Host-svc_staff');
  const done = await client.post('/console/enrol', { totp: codeAt(secret, service.clock.now()) });
  const codes = [...(await done.text()).matchAll(/<code>(\w{5}-\w{5})<\/code>/g)].map(
    ([, code = '']) => code,
  );
  assert.equal(codes.length, 10);
  assert.notEqual(client.cookies.get('__Host-svc_staff'), before, 'the session is another one');
  assert.ok(await opens(client));
  const [row] = await pool<{ totp_secret: Buffer }[]>`select totp_secret from staff where id = ${staff.id}`;
  assert.equal(row?.totp_secret.includes(Buffer.from(secret)), false, 'the secret is stored encrypted');

  const again = new FormClient(service);
  const [first = ''] = codes;
  const recovered = {
    email: staff.email,
    password: staff.password,
    totp: first.toUpperCase().replace('-', ' '),
  };
  assert.equal((await enter(again, recovered)).status, 303);
  assert.ok(await opens(again));
  assert.equal((await enter(new FormClient(service), recovered)).status, 401, 'a recovery code opens once');
});

test('a password that the service made must be changed before anything else', async () => {
  const staff = await addTestStaff(service, 'reviewer', { secondFactor: false });
  await pool`update staff set must_change_password = true where id = ${staff.id}`;
  const client = new FormClient(service);
  await enter(client, { email: staff.email, password: staff.password, totp: '' });
  assert.equal((await client.get('/console/enrol')).headers.get('location'), '/console/password');
  const change = (fields: Record<string, string>) =>
    client.post('/console/password', { current: staff.password, ...fields });
  assert.equal((await change({ next: 'short', repeated: 'short' })).status, 422);
  assert.equal((await change({ next: staff.password, repeated: staff.password })).status, 422);
  assert.equal((await change({ next: 'a longer password', repeated: 'another password' })).status, 422);
  const next = 'quite another password';
  const changed = await change({ next, repeated: next });
  assert.equal(changed.headers.get('location'), '/console/enrol');
  assert.equal(
    (await enter(new FormClient(service), { email: staff.email, password: staff.password, totp: '' })).status,
    401,
  );
});

test('signing out ends this session, signing out everywhere ends all of them, at once', async () => {
  const staff = await addTestStaff(service);
  const [here, there, third] = [
    await signInStaff(service, staff),
    await signInStaff(service, staff),
    await signInStaff(service, staff),
  ];
  const kept = new Map(here.cookies);
  const out = await here.post('/console/sign-out', {}, '/console/account');
  assert.equal(out.headers.get('location'), '/console/sign-in?out');
  assert.equal(here.cookies.has('__Host-svc_staff'), false);
  for (const [name, value] of kept) here.cookies.set(name, value);
  assert.equal(await opens(here), false, 'the cookie of a session that ended opens nothing');
  assert.ok(await opens(there));
  await there.post('/console/sign-out', { everywhere: 'yes' }, '/console/account');
  assert.equal(await opens(third), false);
});

test('a session ends after an hour without a request, and after twelve hours in any case', async () => {
  const idle = await signInStaff(service);
  service.clock.advance(61 * 60_000);
  assert.equal(await opens(idle), false);
  const busy = await signInStaff(service);
  for (let hour = 0; hour < 11; hour++) {
    service.clock.advance(59 * 60_000);
    assert.ok(await opens(busy), `after ${hour + 1} hours`);
  }
  service.clock.advance(59 * 60_000);
  assert.ok(await opens(busy));
  service.clock.advance(30 * 60_000);
  assert.equal(await opens(busy), false);
});

test('a form without its token, with that of another browser, or from another site is refused', async () => {
  const staff = await addTestStaff(service);
  const client = new FormClient(service);
  const fields = { email: staff.email, password: staff.password, totp: staff.code() };
  const stranger = await new FormClient(service).token('/console/sign-in');
  for (const csrf of ['', 'x', stranger]) {
    await client.get('/console/sign-in');
    assert.equal((await client.postRaw('/console/sign-in', { ...fields, csrf })).status, 403);
  }
  const before = await client.token('/console/sign-in');
  const foreign = await crossSite(client, before, fields);
  assert.equal(foreign.status, 403);
  assert.equal((await client.postRaw('/console/sign-in', { ...fields, csrf: before })).status, 303);
  const late = await client.postRaw('/console/sign-out', { csrf: before });
  assert.equal(late.status, 403, 'a token from before the sign-in is worth nothing after it');
  assert.ok(await opens(client));
});

test('the database itself refuses a session that opens the console without a second factor', async () => {
  const staff = await addTestStaff(service, 'lead', { secondFactor: false });
  const now = service.clock.now();
  const end = new Date(now.getTime() + 60_000);
  await assert.rejects(
    pool`insert into staff_session (token_hash, staff_id, second_factor, address, user_agent, created_at, last_seen_at, expires_at)
         values (decode(repeat('00', 32), 'hex'), ${staff.id}, true, '', '', ${now}, ${now}, ${end})`,
    /second factor/,
  );
});

function crossSite(client: FormClient, csrf: string, fields: Record<string, string>): Promise<Response> {
  const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return (service satisfies TestService).request('/console/sign-in', {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie, 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'cross-site' },
    body: new URLSearchParams({ ...fields, csrf }).toString(),
  });
}

test('a session is told by the device that it is on', () => {
  const like = '(KHTML, like Gecko)';
  for (const [sent, words] of [
    [
      `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 ${like} Chrome/140.0 Safari/537.36`,
      'Chrome on Linux',
    ],
    [`Mozilla/5.0 (Windows NT 10.0) ${like} Chrome/140.0 Safari/537.36 Edg/140.0`, 'Edge on Windows'],
    [
      `Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) ${like} Version/18.0 Safari/604.1`,
      'Safari on iPhone',
    ],
    ['Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0', 'Firefox on Android'],
    ['curl/8.5.0', 'curl/8.5.0'],
    ['', 'unknown program'],
  ] as const)
    assert.equal(describeDevice(sent), words);
});
