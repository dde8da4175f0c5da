import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callTool } from '../../../harness/clients/call-tool.ts';
import { until } from '../../../harness/service/jobs.ts';
import { CONCIERGE_MCP } from '../../../bookings/asking-partner.ts';
import { addTestPartner } from '../../../harness/people/partner.ts';
import { startTestService } from '../../../harness/service/service.ts';
import { FormClient } from '../../../harness/people/staff.ts';

const service = await startTestService({ settings: { TEST_PAYMENTS: 'on' } });
const { pool } = service.app.deps;

async function linkTo(email: string, after = 0): Promise<string> {
  return until(`a sign-in link for ${email}`, async () => {
    const rows = await pool<{ body: string }[]>`
      select body from message where recipient = ${email} and purpose = 'partner_sign_in' order by sequence`;
    return rows.length > after && /\/partner\/sign-in\/[\w-]{43}/.exec(rows.at(-1)?.body ?? '')?.[0];
  });
}

async function lettersTo(email: string, purpose: string): Promise<string[]> {
  const rows = await pool<{ body: string }[]>`
    select body from message where recipient = ${email} and purpose = ${purpose} order by sequence`;
  return rows.map(({ body }) => body);
}

async function usage(apiKey: string): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await service.request('/api/partner/usage', { headers: { 'x-partner-key': apiKey } });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
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

test('the first sign-in proves the mailbox: the key from sign-up ends, a new one is shown, and it lives on', async () => {
  const { email, partnerId, apiKey, headers } = await addTestPartner(service, { proven: false });
  await callTool(service, CONCIERGE_MCP, 'set_webhook', { url: 'https://93.184.215.14/moves' }, headers);
  const person = new FormClient(service);
  await person.post('/partner/sign-in', { email });
  const link = await linkTo(email);
  const [mail] = await lettersTo(email, 'partner_sign_in');
  assert.match(mail ?? '', /This mailbox is not verified yet/);
  const before = await (await person.get(link)).text();
  const prefix = apiKey.slice(0, 15);
  assert.ok(before.includes(`${prefix}…`) && before.includes('stops working at once'));
  assert.equal((await usage(apiKey)).status, 200, 'opening the link changes nothing');

  const signedIn = await person.post(link, {});
  assert.equal(signedIn.status, 200);
  assert.equal(signedIn.headers.get('cache-control'), 'no-store');
  const shown = /svc_partner_[0-9A-Za-z]{36}/.exec(await signedIn.text())?.[0] ?? '';
  const ended = await usage(apiKey);
  assert.deepEqual([ended.status, ended.body['code']], [401, 'key_revoked']);
  assert.match(String(ended.body['detail']), /the mailbox of the account was verified after/);
  assert.match(String(ended.body['detail']), /POST \/api\/partner\/signup/);
  assert.equal((await usage(shown)).body['partner_id'], partnerId);
  const [told] = await lettersTo(email, 'partner_key_ended');
  assert.ok(told?.includes(`${prefix}…`) && !told.includes(shown));
  const webhooks = await pool`select from webhook_endpoint where partner_id = ${partnerId}`;
  assert.equal(webhooks.count, 0, 'a stranger would hear of every booking');
  assert.ok((await (await person.get('/partner')).text()).includes(partnerId), 'the person is signed in');

  await person.post('/partner/sign-in', { email });
  assert.equal((await person.post(await linkTo(email, 1), {})).headers.get('location'), '/partner');
  assert.equal((await usage(shown)).status, 200);
});

test('a key that was only mailed proves the mailbox when it is used, and no sign-in ends it then', async () => {
  const { email, apiKey } = await addTestPartner(service, { proven: false });
  await service.request('/api/partner/signup', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, name: 'The person' }),
  });
  const [mail] = await lettersTo(email, 'partner_key');
  const mailed = /svc_partner_[0-9A-Za-z]{36}/.exec(mail ?? '')?.[0] ?? '';
  assert.equal((await usage(mailed)).status, 200);
  assert.match(String((await usage(apiKey)).body['detail']), /the mailbox of the account was verified/);
  const [told = '', ...more] = await lettersTo(email, 'partner_key_ended');
  assert.ok(told.includes(`The key ${apiKey.slice(0, 15)}`), told);
  assert.match(told, /The key that was mailed to you is now the only key/);
  assert.deepEqual(more, [], 'once');
  await signIn(email);
  assert.equal((await usage(mailed)).status, 200);
});

test('a link ends after half an hour, and a session when the person signs out', async () => {
  const { email, partnerId } = await addTestPartner(service);
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
  const lines = await pool<{ operation: string }[]>`
    select operation from audit_log where actor = ${partnerId} order by sequence`;
  assert.deepEqual(
    lines.map(({ operation }) => operation),
    ['partner_sign_in', 'partner_sign_out'],
  );
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
  const save = (fields: Record<string, string>) =>
    person.post('/partner/pay-per-call', fields, '/partner/plan');
  const saved = await save({ pay_per_call: 'on', spend_limit_usd: '20' });
  assert.equal(saved.headers.get('location'), '/partner/plan?done=saved');
  const usage = await service.request('/api/partner/usage', { headers });
  const { overage } = (await usage.json()) as { overage: Record<string, unknown> };
  assert.deepEqual([overage['pay_per_call'], overage['spend_limit_cents']], [true, 2000]);
  const again = await save({ pay_per_call: 'on', spend_limit_usd: '20.00' });
  assert.equal(again.headers.get('location'), '/partner/plan?done=same');
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
