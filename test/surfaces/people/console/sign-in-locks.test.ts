import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE_MS } from '../../../../src/core/time.ts';
import {
  assertSoundPage,
  noBrowser,
  openBrowser,
  screenshot,
  TWO_LOOKS,
} from '../../../harness/browser/browser.ts';
import { hashPasswordsQuickly } from '../../../harness/people/quick-passwords.ts';
import { startTestService } from '../../../harness/service/service.ts';
import { addTestStaff, auditOf, FormClient, signInStaff } from '../../../harness/people/staff.ts';
import { longTest } from '../../../harness/tier.ts';

hashPasswordsQuickly();
const service = await startTestService({ settings: { TRUSTED_PROXIES: '127.0.0.1' } });
const { pool } = service.app.deps;

const opened = new FormClient(service);
const csrf = await opened.token('/console/sign-in');

/** Tries to sign in with a browser that has opened the page and done nothing else, from an address. */
async function enter(fields: Record<string, string>, address = '198.51.100.1'): Promise<Response> {
  const client = new FormClient(service);
  for (const [name, value] of opened.cookies) client.cookies.set(name, value);
  const form = { csrf, password: 'wrong', totp: '', ...fields };
  return client.postRaw('/console/sign-in', form, { 'x-forwarded-for': address });
}

async function fail(times: number, email: string, addressOf: (i: number) => string): Promise<void> {
  for (let i = 0; i < times; i++) assert.equal((await enter({ email }, addressOf(i))).status, 401);
}

test('a wrong password or code within a session stays counted, and the lock holds for the right one too', async () => {
  const other = await startedAfresh();
  const next = 'quite another password';
  const password = (client: FormClient, current: string) =>
    client.post('/console/password', { current, next, repeated: next }, '/console/account');
  const codes = (client: FormClient, totp: string) =>
    client.post('/console/recovery-codes', { totp }, '/console/account');

  const guesser = await signInStaff(service);
  for (let attempt = 0; attempt < 5; attempt++) assert.equal((await password(guesser, 'wrong')).status, 422);
  const locked = await password(guesser, guesser.staff.password);
  assert.deepEqual([locked.status, Number(locked.headers.get('retry-after')) > 0], [429, true]);
  assert.equal((await codes(guesser, guesser.staff.code())).status, 422, 'they are counted together');

  const second = await signInStaff(service);
  for (let attempt = 0; attempt < 5; attempt++) assert.equal((await codes(second, '000000')).status, 422);
  assert.equal((await codes(second, second.staff.code())).status, 422);
  service.clock.advance(15 * MINUTE_MS);
  const renewed = await codes(second, second.staff.code());
  assert.equal([...(await renewed.text()).matchAll(/<code>\w{5}-\w{5}<\/code>/g)].length, 10);
  const done = await password(second, second.staff.password);
  assert.equal(done.headers.get('location'), '/console/account?done=staff_password_changed');
  for (const [client, operations] of [
    [guesser, ['staff_sign_in']],
    [second, ['staff_sign_in', 'staff_recovery_codes_renewed', 'staff_password_changed']],
  ] as const) {
    const lines = await auditOf(pool, client.staff.id);
    assert.deepEqual(
      lines.map(({ operation }) => operation),
      operations,
    );
    assert.ok(lines.every(({ actor }) => actor === client.staff.id));
  }
  await other();
});

test('after five failures from an address an account is closed to it for a quarter of an hour, known or not', async () => {
  const staff = await addTestStaff(service);
  const other = await startedAfresh();
  for (const email of [staff.email, 'nobody-at-all@staff.example']) {
    await fail(5, email, () => '198.51.100.1');
    for (const totp of ['', '000000', 'aaaaa-aaaaa']) {
      const closed = await enter({ email, password: staff.password, totp });
      assert.equal(closed.status, 429);
      assert.ok(Number(closed.headers.get('retry-after')) > 0);
      assert.match(await closed.text(), /enter your password with the current code of your authenticator/);
    }
    assert.equal((await enter({ email }, '198.51.100.2')).status, 401, 'it is open to others');
  }
  service.clock.advance(15 * MINUTE_MS);
  assert.equal((await enter({ email: staff.email })).status, 401);
  await other();
});

test('each further lock within a day is twice as long', async () => {
  const { email } = await addTestStaff(service);
  const other = await startedAfresh();
  for (const minutes of [15, 30, 60, 120, 240, 240]) {
    await fail(5, email, () => '198.51.100.1');
    service.clock.advance((minutes - 1) * MINUTE_MS);
    assert.equal((await enter({ email })).status, 429, `${minutes} minutes`);
    service.clock.advance(MINUTE_MS);
  }
  await other();
});

test('the holder of the second factor can sign in, however many strangers failed at the account or from the same address', async () => {
  const staff = await addTestStaff(service, 'lead');
  const other = await startedAfresh();
  await fail(20, staff.email, (i) => `203.0.113.${Math.floor(i / 4)}`);
  for (const address of ['203.0.113.0', '192.0.2.200'])
    assert.equal((await enter({ email: staff.email, password: staff.password }, address)).status, 429);
  const right = () => ({ email: staff.email, password: staff.password, totp: staff.code() });
  assert.equal((await enter(right(), '192.0.2.200')).status, 303);
  assert.equal((await enter(right(), '203.0.113.0')).status, 303);
  assert.equal((await enter({ email: staff.email }, '192.0.2.201')).status, 429, 'others stay closed out');
  const client = await signInStaff(service, staff);
  const renewed = await client.post('/console/recovery-codes', { totp: staff.code() }, '/console/account');
  const recovery = /<code>(\w{5}-\w{5})<\/code>/.exec(await renewed.text())?.[1] ?? '';
  assert.equal((await enter({ ...right(), totp: recovery }, '203.0.113.0')).status, 303);
  assert.equal(
    (await enter({ ...right(), totp: recovery }, '203.0.113.0')).status,
    429,
    'a used one is none',
  );
  await other();
});

test('a code may come with three wrong passwords, and ten from an address; nobody else is closed out', async () => {
  const staff = await addTestStaff(service, 'lead');
  const other = await startedAfresh();
  await fail(20, staff.email, (i) => `203.0.113.${Math.floor(i / 4)}`);
  const right = (totp = staff.code()) => ({ email: staff.email, password: staff.password, totp });
  const wrong = (totp?: string) => ({ ...right(totp), password: 'wrong' });
  const found = staff.code();
  const counted = async () =>
    (await pool`select from audit_log where operation = 'staff_sign_in_refused' and subject = ${staff.id}`)
      .count;
  const before = await counted();
  // Somebody found a code by trying, and tries passwords with it from wherever: the fourth is not looked at any more.
  for (let i = 0; i < 5; i++) {
    assert.equal((await enter(wrong(found), `198.51.100.${i}`)).status, 429);
    assert.equal((await counted()) - before, Math.min(i + 1, 3));
  }
  assert.equal((await enter(right(found), '192.0.2.9')).status, 429, 'this code is none any more');
  assert.equal((await enter(right(), '192.0.2.9')).status, 303, 'the next one opens');
  for (let i = 0; i < 12; i++) assert.equal((await enter(wrong(), '198.51.100.66')).status, 429);
  assert.equal((await counted()) - before, 3 + 10);
  assert.equal((await enter(right(), '198.51.100.66')).status, 429, 'the address is closed');
  assert.equal((await enter(right(), '192.0.2.9')).status, 303, 'and no other');
  await other();
});

test('where the door is closed, a right code with a wrong password is told what a wrong code is', async () => {
  const staff = await addTestStaff(service, 'lead');
  const other = await startedAfresh();
  await fail(20, staff.email, (i) => `203.0.113.${Math.floor(i / 4)}`);
  const told = async (totp: string) => {
    const answer = await enter({ email: staff.email, totp }, '198.51.100.77');
    const text = (await answer.text()).replaceAll(/value="[^"]*"|nonce="[^"]*"/g, '');
    return { status: answer.status, wait: answer.headers.get('retry-after'), text };
  };
  const code = staff.code();
  const wrong = await told(code === '000000' ? '000001' : '000000');
  assert.equal(wrong.status, 429);
  assert.deepEqual(await told(code), wrong);
  await other();
});

longTest(
  'from one address a hundred attempts in an hour are looked at while the door is closed',
  async () => {
    const staff = await addTestStaff(service, 'lead');
    const other = await startedAfresh();
    await fail(20, staff.email, (i) => `203.0.113.${Math.floor(i / 4)}`);
    const guess = () => enter({ email: staff.email, totp: '000000' }, '198.51.100.88');
    const answers = await Promise.all(Array.from({ length: 100 }, guess));
    for (const answer of answers)
      assert.match(await answer.text(), /enter your password with the current code of your authenticator/);
    const right = () => ({ email: staff.email, password: staff.password, totp: staff.code() });
    const full = await enter(right(), '198.51.100.88');
    assert.equal(full.status, 429);
    assert.ok(Number(full.headers.get('retry-after')) > 3_000);
    assert.match(
      await full.text(),
      /From another network, for example with a mobile phone, you can sign\s+in/,
    );
    assert.equal((await enter(right(), '198.51.100.89')).status, 303);
    service.clock.advance(60 * MINUTE_MS);
    assert.equal((await enter(right(), '198.51.100.88')).status, 303);
    await other();
  },
);

test('many guesses at the same instant are counted one by one', async () => {
  const staff = await addTestStaff(service);
  const other = await startedAfresh();
  const guesses = Array.from({ length: 12 }, () => enter({ email: staff.email }));
  const statuses = (await Promise.all(guesses)).map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 401).length, 5);
  assert.equal(statuses.filter((status) => status === 429).length, 7);
  await other();
});

longTest(
  'an address from which thirty attempts fail is closed for all accounts, but for whoever holds a second factor',
  async () => {
    const other = await startedAfresh();
    for (let person = 0; person < 6; person++) {
      const { email } = await addTestStaff(service);
      await fail(5, email, () => '198.51.100.1');
    }
    const staff = await addTestStaff(service);
    const right = { email: staff.email, password: staff.password };
    assert.equal((await enter(right)).status, 429);
    assert.equal((await enter({ ...right, totp: staff.code() })).status, 303);
    await other();
  },
);

test('a network of IPv6 is one address, and so is an address of IPv4 in every spelling', async () => {
  const other = await startedAfresh();
  for (const spellings of [
    [
      '2001:db8:1:2::1',
      '2001:db8:1:2:ffff::2',
      '2001:DB8:1:2:3:4:5:6',
      '2001:db8:1:2:0::',
      '2001:db8:1:2::9',
    ],
    ['192.0.2.7', '::ffff:192.0.2.7', '::FFFF:c000:207', '0:0:0:0:0:ffff:192.0.2.7', '::ffff:c000:0207'],
  ]) {
    const { email } = await addTestStaff(service);
    await fail(5, email, (i) => spellings[i] ?? '');
    for (const address of spellings) assert.equal((await enter({ email }, address)).status, 429, address);
  }
  await other();
});

for (const view of TWO_LOOKS) {
  test(
    `a door that is closed says how to get in all the same on ${view.name}`,
    { skip: noBrowser },
    async () => {
      const other = await startedAfresh();
      const staff = await addTestStaff(service, 'lead');
      await fail(20, staff.email, (i) => `203.0.113.${i}`);
      const visit = await openBrowser(service.url, view);
      const { page } = visit;
      const enterAs = async (totp: string) => {
        await page.getByLabel('Email').fill(staff.email);
        await page.getByLabel('Password').fill(staff.password);
        await page.getByLabel('Code').fill(totp);
        await page.getByRole('button', { name: 'Sign in' }).click();
      };
      await page.goto(`${service.url}/console/sign-in`);
      await enterAs('');
      await page.getByText('Signing in without the right code is closed until').waitFor();
      // A browser reports the refusal of the form as an error of the page; the page itself is sound.
      visit.faults.length = 0;
      await assertSoundPage(visit);
      await screenshot(page, `console sign-in closed ${view.name}`);
      await enterAs(staff.code());
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      await other();
    },
  );
}

/** All tests come from few addresses: those that fill their count begin and end with none. */
async function startedAfresh(): Promise<() => Promise<void>> {
  const forget = async () => {
    await pool`delete from sign_in_attempt`;
  };
  await forget();
  return forget;
}
