import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assertSoundPage,
  noBrowser,
  openBrowser,
  screenshot,
  VIEWS,
} from '../../../../harness/browser/browser.ts';
import { addTestStaff, signInBrowser, signInStaff } from '../../../../harness/people/staff.ts';
import { startTestService } from '../../../../harness/service/service.ts';
import { startPhoneProvider } from '../../../../twilio/phone-provider.ts';
import { StripeServer } from '../../../../wallet/stripe-server.ts';

const PATH = '/console/set-up';
const stripe = await StripeServer.open();
const phone = await startPhoneProvider();
const allowed = [stripe.settings['EGRESS_ALLOW'], phone.settings['EGRESS_ALLOW']].join();
const service = await startTestService({
  settings: { ...stripe.settings, ...phone.settings, EGRESS_ALLOW: allowed },
});
const lead = await signInStaff(service, 'lead');
const page = async () => (await (await lead.get(PATH)).text()).replaceAll(/\s+/g, ' ');

function deliver(type: string, object: Record<string, unknown>): Promise<Response> {
  const { payload, signature } = stripe.event(type, object, service.clock.now());
  return service.request('/webhooks/stripe', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
    body: payload,
  });
}

test('a lead lets the payment provider send an event and sees it arrive; nobody can pay for it', async () => {
  assert.match(await page(), /webhooks\/stripe: checkout\.session\.completed/);
  const sent = await lead.post(`${PATH}/test-payments`, {}, PATH);
  assert.equal(sent.headers.get('location'), `${PATH}?done=test_payments`);
  const session = stripe.sessions.at(-1);
  assert.ok(session);
  assert.deepEqual(stripe.expired, [session.id]);
  assert.match(await page(), /Nothing has arrived yet/);
  const object = { ...stripe.sessionObject(session, 'unpaid'), status: 'expired' };
  const heard = async () =>
    ((await (await deliver('checkout.session.expired', object)).json()) as { heard: string }).heard;
  assert.equal(await heard(), 'tested');
  assert.equal(await heard(), 'not_ours', 'a repeated event changes nothing');
  assert.match(await page(), /The event arrived/);
  assert.doesNotMatch(await page(), /Nothing has arrived yet/);
});

test('a key that the payment provider refuses is reported with what to do', async () => {
  stripe.failing = 401;
  const sent = await lead.post(`${PATH}/test-payments`, {}, PATH);
  stripe.failing = undefined;
  assert.match(await sent.text(), /Stripe refuses the key\. Check STRIPE_SECRET_KEY\./);
  assert.match(await page(), /Failed<\/span>/);
});

test('a lead makes a test call, hears that it works and sees its outcome', async () => {
  assert.equal((await lead.post(`${PATH}/test-call`, { to: '0361 123' }, PATH)).status, 422);
  const made = await lead.post(`${PATH}/test-call`, { to: '+62 361 123456' }, PATH);
  assert.equal(made.headers.get('location'), `${PATH}?done=test_call`);
  const [call] = phone.calls('+62361123456');
  assert.ok(call);
  const spoken = await phone.post(service, call.form.get('Url') ?? '', {});
  assert.match(spoken.text, /This is a test call of Waypost/);
  const statusUrl = call.form.get('StatusCallback') ?? '';
  assert.equal((await phone.post(service, statusUrl, { CallStatus: 'no-answer' }, 'forged')).status, 400);
  assert.match(await page(), /Nothing has arrived yet/);
  await phone.post(service, statusUrl, { CallStatus: 'no-answer' });
  assert.match(await page(), /Nobody answered/);
});

test('only a lead tests providers', async () => {
  const desk = await signInStaff(service, 'desk');
  for (const test of ['test-payments', 'test-call'])
    assert.equal((await desk.post(`${PATH}/${test}`, { to: '+62361123456' }, PATH)).status, 403);
  assert.equal(phone.calls('+62361123456').length, 1);
});

test('the outcome of a test appears by itself', { skip: noBrowser }, async () => {
  const visit = await openBrowser(service.url, VIEWS[0]);
  await signInBrowser(visit.page, service, await addTestStaff(service, 'lead'));
  await visit.page.goto(service.url + PATH);
  await visit.page.getByRole('button', { name: 'Send a test event' }).click();
  const waiting = visit.page.locator('li', { hasText: 'Payments' }).getByText('Nothing has arrived yet');
  await waiting.waitFor();
  const session = stripe.sessions.at(-1);
  assert.ok(session);
  await deliver('checkout.session.expired', {
    ...stripe.sessionObject(session, 'unpaid'),
    status: 'expired',
  });
  await waiting.waitFor({ state: 'detached' });
  await assertSoundPage(visit);
  await screenshot(visit.page, 'set-up providers');
});
