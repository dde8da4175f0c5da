import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import {
  assertSoundPage,
  noBrowser,
  openBrowser,
  screenshot,
  LOOKS,
  VIEWS,
  type Visit,
} from '../../harness/browser/browser.ts';
import { startOauthService } from '../../harness/clients/oauth.ts';
import { callWith, OauthClient } from '../../harness/clients/oauth-client.ts';
import { addTestPartner } from '../../harness/people/partner.ts';
import { signUpAgent } from '../../harness/service/service.ts';
import { codeIn, lastMessage } from '../../harness/people/submissions.ts';

const HOSTILE = 'Trip Planner <b>Pro</b> "\'&';
const service = await startOauthService();
/** Addresses with which the browser returned to the program on the person's own computer. */
const brought: string[] = [];
const callback = createServer((request, response) => {
  // Some programs redirect the browser to their website; the page must not block that.
  if (request.url?.startsWith('/callback') === true) {
    brought.push(request.url);
    response.writeHead(302, { location: '/done' }).end();
  } else response.end('You can close this window.');
});
await new Promise<void>((resolve) => callback.listen(0, '127.0.0.1', resolve));
after(() => {
  callback.closeAllConnections();
  callback.close();
});
const returnTo = `http://127.0.0.1:${(callback.address() as AddressInfo).port}/callback`;
const client = await OauthClient.register(service, { client_name: HOSTILE, redirect_uris: [returnTo] });

async function press(page: Page, name: string | RegExp): Promise<void> {
  await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name }).first().click()]);
}

async function see(visit: Visit, name: string, view: string): Promise<void> {
  await assertSoundPage(visit);
  await screenshot(visit.page, `oauth ${name} ${view}`);
}

for (const view of LOOKS)
  test(`a person connects a client and disconnects it again: ${view.name}`, { skip: noBrowser }, async () => {
    // Everything works without script; half of the visits prove it.
    const visit = await openBrowser(service.baseUrl, view, { script: view.scheme === 'light' });
    const { page } = visit;
    const email = `${view.name.replace(' ', '-')}@operator.example`;
    await signUpAgent(service, email);
    await page.goto(String(await client.authorizationUrl({ redirect_uri: returnTo })));
    assert.equal(await page.locator('h1').innerText(), `Connect ${HOSTILE}?`);
    await see(visit, 'asked', view.name);
    await page.getByLabel('Email', { exact: true }).fill(email);
    await press(page, 'Send me a code');
    await see(visit, 'code', view.name);
    const code = codeIn((await lastMessage(service, 'operator_code'))?.text ?? '');
    await page.getByLabel('Code', { exact: true }).fill(code === '111111' ? '222222' : '111111');
    await press(page, 'Sign in');
    assert.match(await page.locator('.fault').innerText(), /You have 4 tries left/);
    // The status of an answer that tells of a mistake is none of success, and the browser notes that.
    visit.faults.splice(0);
    await see(visit, 'wrong code', view.name);
    await page.getByLabel('Code', { exact: true }).fill(code);
    await press(page, 'Sign in');
    assert.match(
      await page.getByRole('status').innerText(),
      /When you approve, the API key svc_live_.*stops working everywhere\..* If you deny, nothing changes\./,
    );
    await see(visit, 'decision', view.name);
    await press(page, 'Approve');
    await page.waitForURL(/\/done$/);
    visit.faults.splice(0);

    const answer = new URL(brought.at(-1) ?? '', returnTo);
    const tokens = await client.exchange(answer, { redirectUri: returnTo });
    assert.equal((await callWith(service, tokens.access_token)).status, 200);

    await page.goto(`${service.baseUrl}/oauth/connections`);
    assert.equal(await page.locator('.connections h2').innerText(), HOSTILE);
    await see(visit, 'connections', view.name);
    await press(page, /^Disconnect/);
    await see(visit, 'disconnected', view.name);
    assert.equal((await callWith(service, tokens.access_token)).status, 401);
    await press(page, 'Sign out, or use another address');
    await see(visit, 'signed out', view.name);
  });

for (const view of LOOKS)
  test(`a partner connects a client with the concierge: ${view.name}`, { skip: noBrowser }, async () => {
    const visit = await openBrowser(service.baseUrl, view, { script: view.scheme === 'light' });
    const { page } = visit;
    const { email } = await addTestPartner(service, { proven: false });
    const resource = `${service.app.deps.config.partnerUrl}/api/concierge/mcp`;
    const connect = async (change: Record<string, string | null>) => {
      await page.goto(
        String(await client.authorizationUrl({ redirect_uri: returnTo, scope: null, ...change })),
      );
    };
    await connect({ resource });
    await see(visit, 'partner asked', view.name);
    await page.getByLabel('Email', { exact: true }).fill(email);
    await press(page, 'Send me a code');
    await page
      .getByLabel('Code', { exact: true })
      .fill(codeIn((await lastMessage(service, 'operator_code'))?.text ?? ''));
    await press(page, 'Sign in');
    assert.match(
      await page.getByRole('status').innerText(),
      /the key svc_partner_.*stops working everywhere/,
    );
    await see(visit, 'partner decision', view.name);
    await press(page, 'Approve');
    await page.waitForURL(/\/done$/);
    visit.faults.splice(0);
    const answer = new URL(brought.at(-1) ?? '', returnTo);
    await client.exchange(answer, { redirectUri: returnTo, resource });
    await connect({ resource });
    await see(visit, 'partner decision again', view.name);
    await page.goto(`${service.baseUrl}/oauth/connections`);
    assert.match(
      await page.locator('.connections').innerText(),
      /The concierge, which asks venues for tables/,
    );
    await see(visit, 'partner connections', view.name);
  });

test('a person who denies is brought back with that', { skip: noBrowser }, async () => {
  const visit = await openBrowser(service.baseUrl, VIEWS[2]);
  await visit.page.goto(String(await client.authorizationUrl({ redirect_uri: returnTo })));
  await press(visit.page, 'Deny, and go back');
  await visit.page.waitForURL(/\/done$/);
  assert.equal(new URL(brought.at(-1) ?? '', returnTo).searchParams.get('error'), 'access_denied');
});

test('a request that cannot be taken is explained to the person', { skip: noBrowser }, async () => {
  const visit = await openBrowser(service.baseUrl, VIEWS[0]);
  await visit.page.goto(
    String(await client.authorizationUrl({ redirect_uri: 'https://thief.example/callback' })),
  );
  visit.faults.splice(0);
  await see(visit, 'refused', 'phone light');
  await visit.page.goto(`${service.baseUrl}/oauth/connect/nothing`);
  visit.faults.splice(0);
  await see(visit, 'expired', 'phone light');
});
