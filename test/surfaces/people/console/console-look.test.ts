import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assertSoundPage,
  noBrowser,
  openBrowser,
  screenshot,
  LOOKS,
  TWO_LOOKS,
  VIEWS,
} from '../../../harness/browser/browser.ts';
import { barriersIn } from '../../../harness/browser/barriers.ts';
import { signUpAgent, startTestService } from '../../../harness/service/service.ts';
import { addTestStaff, signInBrowser, submitBusiness } from '../../../harness/people/staff.ts';
import { HOUR_MS } from '../../../../src/core/time.ts';

const service = await startTestService({ demoPlaces: 3000 });
const { pool } = service.app.deps;
const HOSTILE = `<script>alert(1)</script>"'&\u202Etxt.exe`;

const { agentId, apiKey } = await signUpAgent(service);
const [place] = await pool<{ id: string; name: string; lat: number; lng: number; phone: string }[]>`
  select p.id, p.name, p.lat, p.lng, p.phone from place p join destination d on d.id = p.destination_id
  where d.slug = 'bali' and p.phone is not null and p.closed_at is null limit 1`;
assert.ok(place);
const submissionId = await submitBusiness(service, apiKey, {
  relationship: 'owner',
  name: `${place.name} Baru`,
  lat: place.lat + 0.0005,
  lng: place.lng + 0.0004,
  phone: '+6281234567890',
  description: `Grilled fish on the beach, best of the island. ${HOSTILE}`,
  hours: { 'mon-sat': '11:00-22:00', sun: 'closed' },
  external_ref: 'one',
});
service.clock.advance(HOUR_MS * 30);
for (const [name, relationship] of [
  ['Kopi Tujuh', 'third_party'],
  ['Rumah Selancar', 'authorized_agent'],
] as const)
  await submitBusiness(service, apiKey, { name, relationship });
const matchedId = await submitBusiness(service, apiKey, {
  name: place.name,
  lat: place.lat,
  lng: place.lng,
  phone: '+6281234567891',
  description: 'Another description than the one that stands.',
  external_ref: 'same',
});
const promoted = await service.request('/api/agent/promo', {
  method: 'POST',
  headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
  body: JSON.stringify({
    external_ref: 'one',
    title: 'Two for one on Mondays',
    kind: 'special',
    discount_pct: 50,
  }),
});
const { promo_id: promoId } = (await promoted.json()) as { promo_id: string };
assert.equal(promoted.status, 201);
service.clock.advance(HOUR_MS * 5);
const lead = await addTestStaff(service, 'lead');

const PAGES = [
  ['overview', '/console'],
  ['review', '/console/review'],
  ['submission', `/console/review/${submissionId}`],
  ['matched', `/console/review/${matchedId}`],
  ['promotion', `/console/review/${promoId}`],
  ['places', `/console/places?q=${encodeURIComponent(place.name)}`],
  ['place', `/console/places/${place.id}`],
  ['agents', '/console/agents'],
  ['agent', `/console/agents/${agentId}`],
  ['desk', '/console/desk'],
  ['positions', '/console/positions'],
  ['outbox', '/console/outbox'],
  ['deliveries', '/console/deliveries'],
  ['set-up', '/console/set-up'],
  ['health', '/console/health'],
  ['kept-data', '/console/health/kept-data'],
  ['audit', '/console/audit'],
  ['staff', '/console/staff'],
  ['account', '/console/account'],
] as const;

for (const view of LOOKS) {
  test(`every page of the console is sound on ${view.name}`, { skip: noBrowser }, async () => {
    const visit = await openBrowser(service.url, view);
    await visit.page.goto(`${service.url}/console/sign-in`);
    await assertSoundPage(visit);
    await screenshot(visit.page, `console sign-in ${view.name}`);
    await signInBrowser(visit.page, service, lead);
    for (const [name, path] of PAGES) {
      await visit.page.goto(service.url + path);
      await assertSoundPage(visit);
      assert.deepEqual(await barriersIn(visit.page), [], path);
      await screenshot(visit.page, `console ${name} ${view.name}`);
    }
  });
}

test(
  'the second factor is set up from a phone with the picture or the key',
  { skip: noBrowser },
  async () => {
    const person = await addTestStaff(service, 'reviewer', { secondFactor: false });
    const { codeAt } = await import('../../../harness/people/staff.ts');
    for (const view of TWO_LOOKS.toReversed()) {
      const visit = await openBrowser(service.url, view);
      const { page } = visit;
      await page.goto(`${service.url}/console`);
      await page.getByLabel('Email').fill(person.email);
      await page.getByLabel('Password').fill(person.password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'Set up your second factor' }).waitFor();
      await assertSoundPage(visit);
      await screenshot(page, `console enrol ${view.name}`);
      if (view !== VIEWS[0]) continue;
      const secret = (await page.locator('[data-totp-secret]').getAttribute('data-totp-secret')) ?? '';
      await page.getByRole('textbox', { name: 'Code' }).fill(codeAt(secret, service.clock.now()));
      await page.getByRole('button', { name: 'Confirm' }).click();
      await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
      assert.equal(await page.locator('.codes li').count(), 10);
      await visit.context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.getByRole('button', { name: 'Copy the codes' }).click();
      await page.getByText('Copied.').waitFor();
      const copied = await page.evaluate('navigator.clipboard.readText()');
      assert.match(String(copied), /^(\w{5}-\w{5}\n){9}\w{5}-\w{5}$/);
      await page.evaluate('globalThis.print = () => { document.body.dataset.printed = "yes"; }');
      await page.getByRole('button', { name: 'Print the codes' }).click();
      assert.equal(await page.locator('body').getAttribute('data-printed'), 'yes');
      await page.emulateMedia({ media: 'print' });
      assert.equal(await page.locator('.codes').isVisible(), true);
      assert.equal(await page.locator('.button').first().isVisible(), false, 'paper has no buttons');
      await screenshot(page, 'console recovery codes on paper');
      await page.emulateMedia({ media: 'screen' });
      await screenshot(page, `console recovery codes ${view.name}`);
      await page.getByRole('link', { name: 'open the console' }).click();
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
    }
  },
);

test(
  'a submission that is a known place is shown side by side with what is live',
  { skip: noBrowser },
  async () => {
    const { page } = await openBrowser(service.url, VIEWS[2]);
    await signInBrowser(page, service, lead);
    await page.goto(`${service.url}/console/review/${matchedId}`);
    const phone = page.locator('.diff tr', { hasText: 'Phone' });
    assert.match(await phone.innerText(), /Changed/);
    assert.deepEqual(await phone.locator('td').allInnerTexts(), [place.phone, '+6281234567891']);
    const [chosen] = await page
      .locator('#approval-place_id')
      .evaluateAll((nodes) => nodes.map((node) => (node as unknown as { value: string }).value));
    assert.equal(chosen, place.id, 'an approval changes the place that was found');
  },
);

for (const view of LOOKS) {
  test(
    `two records stand side by side before they are merged, on ${view.name}`,
    { skip: noBrowser },
    async () => {
      const [other] = await pool<{ id: string; name: string }[]>`
      select id, name from place where id <> ${place.id} and badge = 'mapped' and closed_at is null limit 1`;
      assert.ok(other);
      const visit = await openBrowser(service.url, view);
      await signInBrowser(visit.page, service, lead);
      await visit.page.goto(`${service.url}/console/places/${place.id}`);
      await visit.page.getByText('Merge a duplicate').click();
      await visit.page.getByLabel('The other record').fill(other.name);
      await visit.page.getByRole('button', { name: 'Find it' }).click();
      await visit.page.getByRole('heading', { name: 'Which one is the duplicate?' }).waitFor();
      await assertSoundPage(visit);
      await screenshot(visit.page, `console merge choice ${view.name}`);
      const row = visit.page.locator('tr', { has: visit.page.locator(`a[href$="${other.id}"]`) });
      await row.getByRole('button', { name: 'Compare' }).click();
      await visit.page.getByRole('heading', { name: 'Merge two records' }).waitFor();
      await visit.page.getByText('Are you sure that they are one place?').waitFor();
      await assertSoundPage(visit);
      await screenshot(visit.page, `console merge ${view.name}`);
    },
  );
}
