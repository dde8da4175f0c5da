import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listMessages, openMessage } from '../../../../src/messages/list-messages.ts';
import {
  assertSoundPage,
  noBrowser,
  openBrowser,
  screenshot,
  LOOKS,
  VIEWS,
} from '../../../harness/browser/browser.ts';
import { until } from '../../../harness/service/jobs.ts';
import { signUpAgent, startTestService } from '../../../harness/service/service.ts';
import { HOUR_MS } from '../../../../src/core/time.ts';

// The service must know that it runs over plain http, so that browsers return its cookies.
const service = await startTestService({ settings: { BASE_URL: 'http://127.0.0.1', TEST_PAYMENTS: 'on' } });
const { pool } = service.database;

function post(path: string, body: unknown, apiKey?: string): Promise<Response> {
  const headers = {
    'content-type': 'application/json',
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
  };
  return service.request(path, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function me(
  apiKey: string,
): Promise<{ status: number; plan: string; limit: number; verified: boolean }> {
  const response = await service.request('/api/agent/me', { headers: { authorization: `Bearer ${apiKey}` } });
  const { plan, quota, email_verified } = (await response.json()) as {
    plan?: { name: string };
    quota?: { limit: number };
    email_verified?: boolean;
  };
  return {
    status: response.status,
    plan: plan?.name ?? '',
    limit: quota?.limit ?? 0,
    verified: email_verified === true,
  };
}

async function emailOf(agentId: string): Promise<string> {
  const [row] = await pool<
    { email: string }[]
  >`select operator_email as email from agent where id = ${agentId}`;
  return row?.email ?? '';
}

/** Asks for a link and reads it in the outbox. */
async function linkFor(agentId: string, nth = 1): Promise<string> {
  const answer = await post('/api/agent/recover', { operator_email: (await emailOf(agentId)).toUpperCase() });
  assert.equal(answer.status, 202);
  const [message] = await until('the mail is in the outbox', async () => {
    const found = await listMessages(service.app.deps, { subjectId: agentId });
    return found.length === nth && found;
  });
  assert.equal(message?.purpose, 'key_recovery');
  const { text } = (await openMessage(pool, service.app.deps, message.id)) ?? { text: '' };
  const link = /http:\/\/127\.0\.0\.1(\/recover\/[\w-]{43})$/m.exec(text)?.[1];
  assert.ok(link, text);
  return link;
}

async function checkoutFor(apiKey: string, plan: string): Promise<string> {
  const response = await post('/api/agent/me/plan', { plan }, apiKey);
  assert.equal(response.status, 201);
  const { checkout_url } = (await response.json()) as { checkout_url: string };
  return new URL(checkout_url).pathname;
}

test('asking for recovery answers the same for an address that nobody has, and sends nothing', async () => {
  const { agentId } = await signUpAgent(service);
  const known = await post('/api/agent/recover', { operator_email: await emailOf(agentId) });
  const unknown = await post('/api/agent/recover', { operator_email: 'nobody@nowhere.example' });
  assert.equal(unknown.status, 202);
  assert.deepEqual(await unknown.json(), await known.json());
  assert.equal((await post('/api/agent/recover', { operator_email: 'not an address' })).status, 422);
  await until('the known one is sent', async () => {
    return (await listMessages(service.app.deps, { subjectId: agentId })).length === 1;
  });
  assert.deepEqual(await listMessages(service.app.deps, { to: 'nobody@nowhere.example' }), []);
});

test('no more than three links an hour go to one mailbox', async () => {
  const { agentId } = await signUpAgent(service);
  for (let sent = 1; sent <= 3; sent++) await linkFor(agentId, sent);
  await post('/api/agent/recover', { operator_email: await emailOf(agentId) });
  await until('the job is done', async () => {
    const [job] = await pool`select 1 from graphile_worker.jobs where task_identifier = 'send_recovery_link'`;
    return job === undefined;
  });
  assert.equal((await listMessages(service.app.deps, { subjectId: agentId })).length, 3);
});

test('a form without its token changes nothing', async () => {
  const { agentId, apiKey } = await signUpAgent(service);
  const paths = [await linkFor(agentId), await checkoutFor(apiKey, 'starter')];
  for (const path of paths) {
    const response = await service.request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'csrf=guessed',
    });
    assert.equal(response.status, 403, path);
    assert.equal((await post(path, {})).status, 415, path);
  }
  const { status, plan } = await me(apiKey);
  assert.deepEqual([status, plan], [200, 'free']);
});

test('links that never were, and those that are too old, say so', async () => {
  const { agentId, apiKey } = await signUpAgent(service);
  const [link, checkout] = [await linkFor(agentId), await checkoutFor(apiKey, 'growth')];
  const ask = (path: string) => service.request(path, { headers: { accept: 'text/html' } });
  assert.equal((await ask(`/recover/${'x'.repeat(43)}`)).status, 410);
  assert.equal((await ask('/recover/x')).status, 410);
  assert.equal((await ask('/pay/pay_00000000000000000000000000')).status, 404);
  service.clock.advance(HOUR_MS);
  assert.equal((await ask(link)).status, 410);
  assert.equal((await ask(checkout)).status, 200);
  service.clock.advance(23 * HOUR_MS);
  const closed = await ask(checkout);
  assert.equal(closed.status, 410);
  assert.match(await closed.text(), /Nothing was paid/);
  service.clock.advance(-24 * HOUR_MS);
});

for (const view of LOOKS)
  test(`an operator gets a new key and pays for a plan, ${view.name}`, { skip: noBrowser }, async () => {
    const { agentId, apiKey } = await signUpAgent(service);
    const visit = await openBrowser(service.url, view);
    const { page } = visit;
    const link = await linkFor(agentId);
    await page.goto(service.url + link);
    await page.reload();
    assert.equal((await me(apiKey)).status, 200, 'opening the page changes nothing');
    await assertSoundPage(visit);
    await screenshot(page, `recover ${view.name}`);
    await page.getByRole('button', { name: 'Replace the key' }).click();
    const fresh = (await page.locator('figure.code pre').innerText()).trim();
    assert.match(fresh, /^svc_live_[0-9A-Za-z]{36}$/);
    await assertSoundPage(visit);
    await screenshot(page, `new key ${view.name}`);
    assert.equal((await me(apiKey)).status, 401);
    assert.deepEqual(await me(fresh), { status: 200, plan: 'free', limit: 100, verified: true });
    await page.goto(service.url + link);
    assert.match(await page.locator('main').innerText(), /This link was already used/);
    visit.faults.length = 0;

    await page.goto(service.url + (await checkoutFor(fresh, 'growth')));
    assert.match(await page.locator('main').innerText(), /19\.99 USD/);
    await assertSoundPage(visit);
    await screenshot(page, `pay ${view.name}`);
    await page.getByRole('button', { name: 'Pay 19.99 USD' }).click();
    await page.getByRole('heading', { name: 'The plan is paid' }).waitFor();
    await assertSoundPage(visit);
    await screenshot(page, `paid ${view.name}`);
    assert.deepEqual(await me(fresh), { status: 200, plan: 'growth', limit: 20_000, verified: true });
  });

test('the forms work without script', { skip: noBrowser }, async () => {
  const { apiKey } = await signUpAgent(service);
  const { page } = await openBrowser(service.url, VIEWS[0], { script: false });
  await page.goto(service.url + (await checkoutFor(apiKey, 'scale')));
  await page.getByRole('button', { name: 'Pay 50.00 USD' }).click();
  await page.getByRole('heading', { name: 'The plan is paid' }).waitFor();
  assert.deepEqual((await me(apiKey)).limit, 200_000);
});
