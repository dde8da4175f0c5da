import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../harness/jobs.ts';
import { addTestPartner } from '../../../harness/partner.ts';
import { startTestService } from '../../../harness/service.ts';
import { FormClient } from '../../../harness/staff.ts';

const service = await startTestService();
const { pool } = service.app.deps;

async function linkTo(email: string, after = 0): Promise<string> {
  return until(`a sign-in link for ${email}`, async () => {
    const rows = await pool<{ body: string }[]>`
      select body from message where recipient = ${email} and purpose = 'partner_sign_in' order by sequence`;
    return rows.length > after && /\/partner\/sign-in\/[\w-]{43}/.exec(rows.at(-1)?.body ?? '')?.[0];
  });
}

async function signIn(email: string): Promise<FormClient> {
  const person = new FormClient(service);
  await person.post('/partner/sign-in', { email });
  const signedIn = await person.post(await linkTo(email), {});
  assert.equal(signedIn.headers.get('location'), '/partner');
  return person;
}

test('a partner signs in by a mailed link that works once and does nothing when it is only opened', async () => {
  const { email, partnerId } = await addTestPartner(service);
  const person = new FormClient(service);
  assert.equal((await person.get('/partner')).headers.get('location'), '/partner/sign-in');
  await person.post('/partner/sign-in', { email: email.toUpperCase() });
  const link = await linkTo(email);
  for (let i = 0; i < 2; i++) assert.equal((await person.get(link)).status, 200);
  assert.equal((await person.get('/partner')).status, 303);
  assert.equal((await person.postRaw(link, {})).status, 403, 'a form of another site is refused');
  assert.equal((await person.post(link, {})).status, 303);
  const page = await person.get('/partner');
  assert.equal(page.headers.get('cache-control'), 'no-store');
  assert.ok((await page.text()).includes(partnerId));
  assert.equal((await person.get(link)).status, 410);
  assert.equal((await new FormClient(service).get('/partner')).status, 303);
});

test('a link ends after half an hour, and a session when the person signs out', async () => {
  const { email } = await addTestPartner(service);
  const person = new FormClient(service);
  await person.post('/partner/sign-in', { email });
  const link = await linkTo(email);
  service.clock.advance(30 * 60_000);
  assert.equal((await person.get(link)).status, 410);
  await person.post('/partner/sign-in', { email });
  await person.post(await linkTo(email, 1), {});
  assert.equal((await person.get('/partner')).status, 200);
  await person.post('/partner/sign-out', {}, '/partner');
  assert.equal((await person.get('/partner')).status, 303);
});

test('the answer to an address is the same whether or not it is known, and five links an hour are enough', async () => {
  const { email } = await addTestPartner(service);
  const person = new FormClient(service);
  const answerTo = async (address: string) => {
    const response = await person.post('/partner/sign-in', { email: address });
    return [
      response.status,
      (await response.text()).replaceAll(address, 'X').replaceAll(/value="[^"]*"/g, ''),
    ];
  };
  const known = await answerTo(email);
  assert.deepEqual(await answerTo('nobody@nowhere.example'), known);
  for (let i = 0; i < 6; i++) assert.deepEqual(await answerTo(email), known);
  await linkTo(email, 4);
  await until('all of the jobs are done', async () => {
    const [left] = await pool<{ count: number }[]>`
      select count(*)::int as count from graphile_worker.jobs where task_identifier = 'send_partner_link'`;
    return left?.count === 0;
  });
  const sent = await pool`select from message where recipient = ${email} and purpose = 'partner_sign_in'`;
  assert.equal(sent.count, 5);
  assert.equal((await person.post('/partner/sign-in', { email: 'no address' })).status, 422);
});

test('a person switches pay-per-call on with a spend limit; the partner is told and the audit log says so', async () => {
  const { email, partnerId, headers } = await addTestPartner(service);
  const person = await signIn(email);
  const save = (fields: Record<string, string>) => person.post('/partner/pay-per-call', fields, '/partner');
  const saved = await save({ pay_per_call: 'on', spend_limit_usd: '20' });
  assert.equal(saved.headers.get('location'), '/partner?done=saved');
  const usage = await service.request('/api/partner/usage', { headers });
  const { overage } = (await usage.json()) as { overage: Record<string, unknown> };
  assert.deepEqual([overage['pay_per_call'], overage['spend_limit_cents']], [true, 2000]);
  const again = await save({ pay_per_call: 'on', spend_limit_usd: '20.00' });
  assert.equal(again.headers.get('location'), '/partner?done=same');
  const wrong = await save({ pay_per_call: 'on', spend_limit_usd: 'much' });
  assert.equal(wrong.status, 422);
  assert.match(await wrong.text(), /aria-invalid="true"/);
  const told =
    await pool`select from message where subject_id = ${partnerId} and purpose = 'partner_pay_per_call'`;
  assert.equal(told.count, 1);
  const [line] = await pool<{ actor: string }[]>`
    select actor from audit_log where subject = ${partnerId} and operation = 'partner_pay_per_call'`;
  assert.equal(line?.actor, partnerId);
});

test('a partner whose account is closed is signed out and gets no link', async () => {
  const { email, partnerId } = await addTestPartner(service);
  const person = await signIn(email);
  await pool`delete from partner_session where partner_id = ${partnerId}`;
  assert.equal((await person.get('/partner')).status, 303);
  assert.equal(
    (await person.post('/partner/pay-per-call', { pay_per_call: 'on' }, '/partner/sign-in')).status,
    303,
  );
});
