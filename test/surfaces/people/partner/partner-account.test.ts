import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addVenue, AskingPartner } from '../../../bookings/asking-partner.ts';
import { startReceiver } from '../../../callbacks/receiver.ts';
import {
  assertSoundPage,
  LOOKS,
  noBrowser,
  openBrowser,
  screenshot,
  VIEWS,
} from '../../../harness/browser/browser.ts';
import { Keyboard } from '../../../harness/browser/keyboard.ts';
import { addTestPartner } from '../../../harness/people/partner.ts';
import { FormClient } from '../../../harness/people/staff.ts';
import { until } from '../../../harness/service/jobs.ts';
import { startTestService } from '../../../harness/service/service.ts';

const receiver = await startReceiver();
const service = await startTestService({ settings: { EGRESS_ALLOW: receiver.pair } });
const { pool } = service.app.deps;

/** Pressed keys and typed texts of the whole journey of a new partner. */
const ACTIONS_MAX = 120;

function linkTo(email: string): Promise<string> {
  return until(`a sign-in link for ${email}`, async () => {
    const [row] = await pool<{ body: string }[]>`
      select body from message where recipient = ${email} and purpose = 'partner_sign_in'
      order by sequence desc limit 1`;
    return /\/partner\/sign-in\/[\w-]{43}/.exec(row?.body ?? '')?.[0];
  });
}

async function signIn(email: string): Promise<FormClient> {
  const person = new FormClient(service);
  await person.post('/partner/sign-in', { email });
  await person.post(await linkTo(email), {});
  return person;
}

async function usageStatus(key: string): Promise<number> {
  return (await service.request('/api/partner/usage', { headers: { 'x-partner-key': key } })).status;
}

test(
  'a partner signs up, tests a webhook, reads and repeats a delivery and rotates its key, by keyboard',
  { skip: noBrowser },
  async (t) => {
    const email = 'reisen@partner.example';
    const visit = await openBrowser(service.url, VIEWS[2]);
    const { page } = visit;
    const keys = new Keyboard(page);
    await page.goto(`${service.url}/partner/sign-in`);
    await keys.open('Become a partner');
    await keys.type('Email', email);
    await keys.type('Your name or company', 'Reisen AG');
    await keys.open();
    await page.getByRole('heading', { name: 'Check your mailbox' }).waitFor();
    await page.goto(service.url + (await linkTo(email)));
    await keys.open('Sign in');
    await keys.open('Keys');
    await keys.open('Create a key');
    const keyShown = async () => {
      await page.getByText('Copy it now.').waitFor();
      return /svc_partner_[0-9A-Za-z]{36}/.exec(await page.locator('main').innerText())?.[0] ?? '';
    };
    const first = await keyShown();
    assert.match(await page.locator('main').innerText(), new RegExp(`X-Partner-Key: ${first}"`));
    assert.equal(await usageStatus(first), 200);
    await keys.open('Webhook');
    await keys.type('Address of your receiver', `${receiver.url}/moves`);
    await keys.open();
    await page.getByRole('heading', { name: 'The secret of your webhook' }).waitFor();
    assert.match(await page.locator('main').innerText(), /whsec_[\w+/=]{40,}/);
    await keys.open('Webhook');
    await keys.open('Send a test event');
    await page.getByRole('heading', { name: 'Test event' }).waitFor();
    const accepted = async (attempts: number) => {
      await until(`${attempts} attempts`, () => receiver.received.length === attempts);
      await until('the answer is recorded', async () => {
        await page.reload();
        return (await page.locator('main').innerText()).includes('HTTP 200');
      });
    };
    await accepted(1);
    const id = page.url().split('/').at(-1) ?? '';
    assert.equal((JSON.parse(receiver.received[0]?.body ?? '{}') as { id?: string }).id, id);
    assert.ok((await page.locator('main pre').innerText()).includes(`"id": "${id}"`));
    await screenshot(page, 'partner delivery');
    await keys.open('Send it again');
    await accepted(2);
    assert.equal(receiver.received[1]?.body, receiver.received[0]?.body, 'the same body again');
    await keys.open('Keys');
    await keys.open('Replace the key');
    const second = await keyShown();
    assert.deepEqual([await usageStatus(first), await usageStatus(second)], [401, 200]);
    assert.deepEqual(visit.faults, []);
    t.diagnostic(`${keys.actions} actions`);
    assert.ok(keys.actions <= ACTIONS_MAX, `${keys.actions} actions`);
  },
);

test('a sign-up with a known address creates nothing and tells nothing', async () => {
  const { email, partnerId, apiKey } = await addTestPartner(service);
  const stranger = new FormClient(service);
  const answer = async (address: string) =>
    (
      await (
        await stranger.post('/partner/sign-up', { email: address, name: 'Stranger', use_case: '' })
      ).text()
    ).replaceAll(address, '');
  assert.equal(
    (await answer(email)).replaceAll(/"[\w-]{30,}"/g, ''),
    (await answer('new@partner.example')).replaceAll(/"[\w-]{30,}"/g, ''),
  );
  const rows = await pool<
    { id: string; name: string }[]
  >`select id, name from partner where email = ${email}`;
  assert.deepEqual([...rows], [{ id: partnerId, name: 'Test Partner' }]);
  assert.equal(await usageStatus(apiKey), 200);
  assert.equal((await stranger.post('/partner/sign-up', { email: 'no address', name: '' })).status, 422);
});

test('bookings and deliveries are shown to their own partner only', async () => {
  const asking = await AskingPartner.add(service, `${receiver.url}/own`);
  const booking = await asking.request(await addVenue(service, { email: 'venue@venue.example' }));
  await asking.untilStatus(booking, 'asking').catch(() => undefined);
  const own = await signIn(asking.partner.email);
  assert.match(await (await own.get('/partner/bookings')).text(), /Warung Senja/);
  const { status } = await asking.status(booking);
  for (const [state, isShown] of [
    [status, true],
    ['declined', false],
    ['nonsense', true],
  ] as const)
    assert.equal(
      (await (await own.get(`/partner/bookings?status=${state}`)).text()).includes('Warung Senja'),
      isShown,
      state,
    );
  const page = await (await own.get(`/partner/bookings/${booking}`)).text();
  assert.match(page, /Request received/);
  const [delivery] = await pool<{ id: string }[]>`
    select id from webhook_delivery where partner_id = ${asking.partner.partnerId} order by number limit 1`;
  assert.ok(delivery);
  assert.equal((await own.get(`/partner/webhook/deliveries/${delivery.id}`)).status, 200);
  const other = await signIn((await addTestPartner(service)).email);
  for (const path of [`/partner/bookings/${booking}`, `/partner/webhook/deliveries/${delivery.id}`])
    assert.equal((await other.get(path)).status, 404, path);
  const refused = await other.post(`/partner/webhook/deliveries/${delivery.id}`, {}, '/partner/webhook');
  assert.equal(refused.status, 404);
  for (const path of ['/partner/keys', '/partner/webhook', '/partner/bookings'])
    assert.equal((await new FormClient(service).get(path)).headers.get('location'), '/partner/sign-in');
});

test('an address that we would never call is refused at its field, and a removed webhook gets nothing', async () => {
  const { email, partnerId } = await addTestPartner(service);
  const person = await signIn(email);
  const refused = await person.post('/partner/webhook', { url: 'https://169.254.1.1/' });
  assert.equal(refused.status, 422);
  assert.equal((await person.post('/partner/webhook/test', {}, '/partner/webhook')).status, 409);
  await person.post('/partner/webhook', { url: `${receiver.url}/gone` });
  assert.equal((await person.post('/partner/webhook/removal', {}, '/partner/webhook')).status, 303);
  assert.equal((await pool`select 1 from webhook_endpoint where partner_id = ${partnerId}`).length, 0);
});

for (const view of LOOKS)
  test(`the pages of a partner are sound on ${view.name}`, { skip: noBrowser }, async () => {
    const { email } = await addTestPartner(service);
    const visit = await openBrowser(service.url, view);
    const { page } = visit;
    await page.goto(`${service.url}/partner/sign-up`);
    await assertSoundPage(visit);
    await screenshot(page, `partner sign-up ${view.name}`);
    const { cookies } = await signIn(email);
    const url = service.url.replace('http:', 'https:');
    await page.context().addCookies([...cookies].map(([name, value]) => ({ name, value, url })));
    for (const name of ['keys', 'webhook', 'bookings']) {
      await page.goto(`${service.url}/partner/${name}`);
      await assertSoundPage(visit);
      await screenshot(page, `partner ${name} ${view.name}`);
    }
  });
