import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../../harness/service/service.ts';
import { addTestStaff, auditOf, FormClient, signInStaff } from '../../../harness/people/staff.ts';

const service = await startTestService();
const { pool } = service.app.deps;

function enter(client: FormClient, fields: Record<string, string>): Promise<Response> {
  return client.post('/console/sign-in', fields);
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
  service.clock.advance(15 * 60_000);
  const renewed = await codes(second, second.staff.code());
  assert.equal([...(await renewed.text()).matchAll(/<code>\w{5}-\w{5}<\/code>/g)].length, 10);
  const done = await password(second, second.staff.password);
  assert.equal(done.headers.get('location'), '/console/account?done=password');
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

test('after five failures an account is closed for a quarter of an hour, known or not, even with the right code', async () => {
  const staff = await addTestStaff(service);
  const other = await startedAfresh();
  for (const email of [staff.email, 'nobody-at-all@staff.example']) {
    for (let attempt = 0; attempt < 5; attempt++)
      assert.equal(
        (await enter(new FormClient(service), { email, password: 'wrong', totp: '' })).status,
        401,
      );
    const closed = await enter(new FormClient(service), {
      email,
      password: staff.password,
      totp: staff.code(),
    });
    assert.equal(closed.status, 429);
    assert.ok(Number(closed.headers.get('retry-after')) > 0);
  }
  service.clock.advance(15 * 60_000);
  const right = { email: staff.email, password: staff.password, totp: staff.code() };
  assert.equal((await enter(new FormClient(service), right)).status, 303);
  await other();
});

test('many guesses at the same instant are counted one by one', async () => {
  const staff = await addTestStaff(service);
  const other = await startedAfresh();
  const client = new FormClient(service);
  const csrf = await client.token('/console/sign-in');
  const guesses = Array.from({ length: 12 }, () =>
    client.postRaw('/console/sign-in', { csrf, email: staff.email, password: 'wrong', totp: '' }),
  );
  const statuses = (await Promise.all(guesses)).map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 401).length, 5);
  assert.equal(statuses.filter((status) => status === 429).length, 7);
  await other();
});

test('an address from which thirty attempts fail is closed for all accounts', async () => {
  const other = await startedAfresh();
  // Of people who exist: to compare with a password that nobody has takes 0.4 s.
  for (let person = 0; person < 6; person++) {
    const { email } = await addTestStaff(service);
    for (let attempt = 0; attempt < 5; attempt++) {
      const refused = await enter(new FormClient(service), { email, password: 'x', totp: '' });
      assert.equal(refused.status, 401);
    }
  }
  const staff = await addTestStaff(service);
  const right = { email: staff.email, password: staff.password, totp: staff.code() };
  assert.equal((await enter(new FormClient(service), right)).status, 429);
  await other();
});

/** All tests come from one address: those that fill its count begin and end with none. */
async function startedAfresh(): Promise<() => Promise<void>> {
  const forget = async () => {
    await pool`delete from sign_in_attempt`;
  };
  await forget();
  return forget;
}
