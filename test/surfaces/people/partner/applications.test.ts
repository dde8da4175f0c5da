import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addTestPartner, type TestPartner } from '../../../harness/people/partner.ts';
import { FormClient, signInStaff } from '../../../harness/people/staff.ts';
import { until } from '../../../harness/service/jobs.ts';
import { startTestService } from '../../../harness/service/service.ts';

const service = await startTestService();
const { pool } = service.app.deps;

async function signIn({ email }: TestPartner): Promise<FormClient> {
  const person = new FormClient(service);
  await person.post('/partner/sign-in', { email });
  const link = await until('a sign-in link', async () => {
    const [row] = await pool<{ body: string }[]>`
      select body from message where recipient = ${email} and purpose = 'partner_sign_in' order by sequence desc limit 1`;
    return /\/partner\/sign-in\/[\w-]{43}/.exec(row?.body ?? '')?.[0];
  });
  await person.post(link, {});
  return person;
}

async function textOf(client: FormClient, path: string): Promise<string> {
  return (await client.get(path)).text();
}

async function lettersAbout({ email }: TestPartner, purpose: string): Promise<string[]> {
  const rows = await pool<{ body: string }[]>`
    select body from message where recipient = ${email} and purpose = ${purpose} order by sequence`;
  return rows.map(({ body }) => body);
}

async function waitingOnConsole(staff: FormClient): Promise<number> {
  const found = /Partners<\/span\s*>\s*<span class="count">(\d+)/.exec(
    await textOf(staff, '/console/agents'),
  );
  return Number(found?.[1] ?? 0);
}

test('a partner applies for table requests once, staff switch them on, and the application is granted', async () => {
  const account = await addTestPartner(service);
  const person = await signIn(account);
  const desk = await signInStaff(service, 'desk');
  const before = await waitingOnConsole(desk);
  const apply = (reason: string) => person.post('/partner/bookings', { reason }, '/partner/keys');
  assert.equal((await apply('no')).status, 422);
  assert.equal(
    (await apply('Dinner for hotel guests.')).headers.get('location'),
    '/partner/bookings?done=sent',
  );
  assert.equal((await apply('And again.')).headers.get('location'), '/partner/bookings?done=same');
  const waiting = await textOf(person, '/partner/bookings');
  assert.match(waiting, /Dinner for hotel guests\./);
  assert.match(waiting, /Waiting/);
  assert.doesNotMatch(waiting, /And again\./);
  assert.doesNotMatch(waiting, /What you want to book/, 'no second form while one waits');
  assert.equal(await waitingOnConsole(desk), before + 1);
  const path = `/console/partners/${account.partnerId}`;
  assert.match(await textOf(desk, path), /Applies for table requests/);
  await desk.post(path, { bookings_enabled: 'on', reason: 'The contract is signed.' });
  assert.equal(await waitingOnConsole(desk), before);
  assert.match(await textOf(person, '/partner/bookings'), /Table requests are switched on/);
  const [row] = await pool`
    select state, answer from partner_application where partner_id = ${account.partnerId}`;
  assert.deepEqual({ ...row }, { state: 'granted', answer: 'The contract is signed.' });
  assert.equal((await lettersAbout(account, 'partner_bookings')).length, 1);
});

test('a refused application changes nothing, is mailed with its reason, and may be sent again', async () => {
  const account = await addTestPartner(service);
  const person = await signIn(account);
  await person.post('/partner/bookings', { reason: 'Tables for friends.' });
  const desk = await signInStaff(service, 'desk');
  const path = `/console/partners/${account.partnerId}`;
  const refuse = () => desk.post(`${path}/bookings-refusal`, { reason: 'Send us the contract first.' }, path);
  assert.equal((await refuse()).status, 303);
  assert.equal((await refuse()).status, 409, 'it has been answered');
  const [letter = ''] = await lettersAbout(account, 'partner_application');
  assert.match(letter, /Send us the contract first\./);
  const shown = await textOf(person, '/partner/bookings');
  assert.match(shown, /Refused/);
  assert.match(shown, /Send us the contract first\./);
  assert.equal((await person.post('/partner/bookings', { reason: 'Here it is.' })).status, 303);
  assert.match(await textOf(person, '/partner/bookings'), /Waiting/);
});

test('a partner applies for a plan, and a lead gives it or another one', async () => {
  const account = await addTestPartner(service);
  const person = await signIn(account);
  const lead = await signInStaff(service, 'lead');
  const apply = (plan: string) => person.post('/partner/plan', { plan, reason: 'A million calls.' });
  assert.equal((await apply('free')).status, 422, 'it is the plan already');
  assert.equal((await apply('gold')).status, 422);
  await apply('platform');
  const change = (plan: string) =>
    lead.post(
      `/console/partners/${account.partnerId}/plan`,
      { plan, reason: 'As agreed.' },
      `/console/partners/${account.partnerId}`,
    );
  await change('partner');
  assert.match(await textOf(person, '/partner/plan'), /Refused/, 'another plan was given');
  await apply('platform');
  await change('platform');
  assert.match(await textOf(person, '/partner/plan'), /Granted/);
});

test('closing an account ends its applications', async () => {
  const account = await addTestPartner(service);
  const person = await signIn(account);
  const lead = await signInStaff(service, 'lead');
  const before = await waitingOnConsole(lead);
  await person.post('/partner/plan', { plan: 'platform', reason: 'A million calls.' });
  const path = `/console/partners/${account.partnerId}`;
  await lead.post(`${path}/revoke`, { reason: 'It was a test.' }, path);
  assert.equal(await waitingOnConsole(lead), before);
});

test('a revoked key fails at once, the partner is mailed, and creates the next key when it wants', async () => {
  const account = await addTestPartner(service);
  const person = await signIn(account);
  const revoke = () => person.post('/partner/keys/revocation', {}, '/partner/keys');
  assert.equal((await revoke()).headers.get('location'), '/partner/keys?done=revoked');
  assert.equal((await service.request('/api/partner/usage', { headers: account.headers })).status, 401);
  assert.equal((await revoke()).headers.get('location'), '/partner/keys?done=none');
  const letters = await lettersAbout(account, 'partner_key_revoked');
  assert.equal(letters.length, 1);
  assert.ok(letters[0]?.includes(`${account.apiKey.slice(0, 15)}…`));
  assert.match(await textOf(person, '/partner/keys'), /Create a key/);
  const created = await (await person.post('/partner/keys', {})).text();
  const key = /svc_partner_[0-9A-Za-z]{36}/.exec(created)?.[0] ?? '';
  const usage = await service.request('/api/partner/usage', { headers: { 'x-partner-key': key } });
  assert.equal(usage.status, 200);
});
