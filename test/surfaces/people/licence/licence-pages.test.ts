import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import sharp from 'sharp';
import { licensedFileOf, previewFileOf } from '../../../../src/photos/photo-storage.ts';
import {
  assertSoundPage,
  type Visit,
  noBrowser,
  openBrowser,
  screenshot,
  LOOKS,
  VIEWS,
} from '../../../harness/browser/browser.ts';
import { barriersIn } from '../../../harness/browser/barriers.ts';
import { startTestService } from '../../../harness/service/service.ts';
import { addTestStaff, signInBrowser, signInStaff } from '../../../harness/people/staff.ts';
import { makeBuyer, type Buyer } from '../../../licensing/buyer.ts';
import { addMadePhoto } from '../../../licensing/made-photo.ts';
import { DAY_MS } from '../../../../src/core/time.ts';

// The service must know that it runs over plain http, so that browsers return its cookies.
const service = await startTestService({ settings: { BASE_URL: 'http://127.0.0.1', TEST_PAYMENTS: 'on' } });
const { pool } = service.database;
const { clock } = service;
const picture = await sharp({
  create: { width: 960, height: 720, channels: 3, background: { r: 210, g: 140, b: 60 } },
})
  .jpeg()
  .toBuffer();

async function offer(): Promise<string> {
  const photoId = await addMadePhoto(pool, clock, { file: picture, prices: { web: 900 } });
  const { photoStorage } = service.app.deps;
  await photoStorage.put(licensedFileOf(photoId), picture, 'image/jpeg');
  await photoStorage.put(previewFileOf(photoId, 480), picture, 'image/jpeg');
  await pool`update photo set has_files = true where id = ${photoId}`;
  return photoId;
}

async function topUp(buyer: Buyer, cents = 2_000): Promise<string> {
  const { body } = await buyer.post('/api/agent/photos/topup', { amount_cents: cents });
  return new URL(String(body['checkout_url'])).pathname;
}

async function license(buyer: Buyer): Promise<string> {
  const { status, body } = await buyer.license(await offer(), 'web', 900, 'k');
  assert.equal(status, 201, JSON.stringify(body));
  return String(body['license_id']);
}

for (const view of LOOKS)
  test(
    `a person tops up a wallet, and anybody checks what was licensed, ${view.name}`,
    { skip: noBrowser },
    async () => {
      const buyer = await makeBuyer(service);
      const visit = await openBrowser(service.url, view);
      const { page } = visit;
      await page.goto(service.url + (await topUp(buyer)));
      await assertSoundPage(visit);
      await screenshot(page, `top up ${view.name}`);
      const text = await page.locator('main').innerText();
      for (const said of [
        'Test Agent',
        '20.00 USD of test credit',
        '50.00 USD',
        '15 Nov 2026, 12:00 UTC',
        'no money moves',
      ])
        assert.ok(text.includes(said), said);
      assert.equal((await buyer.wallet()).body['test_credit_cents'], 0, 'opening the page pays nothing');
      await page.getByRole('button', { name: 'Add 20.00 USD of test credit' }).click();
      await page.getByRole('heading', { name: 'The wallet is topped up' }).waitFor();
      await assertSoundPage(visit);
      const { body } = await buyer.wallet();
      assert.deepEqual(
        [body['test_credit_cents'], body['balance_cents'], body['pending_topups']],
        [2_000, 0, []],
      );

      const id = await license(buyer);
      await page.goto(`${service.url}/licenses/${id}`);
      await assertSoundPage(visit);
      assert.deepEqual(await barriersIn(page), [], page.url());
      assert.match(await page.locator('main').innerText(), /gives no right to use the photo/);
      assert.equal(await page.evaluate('document.querySelector("figure img").naturalWidth'), 960);
      const right = join(tmpdir(), `${id}.jpg`);
      await writeFile(right, picture);
      await page.getByLabel('Choose or drop the file').setInputFiles(right);
      await page.getByText('This is the licensed file.').waitFor();
      await screenshot(page, `certificate ${view.name}`);
      await page
        .getByLabel('Choose or drop the file')
        .setInputFiles({
          name: 'other.jpg',
          mimeType: 'image/jpeg',
          buffer: Buffer.concat([picture, Buffer.from('!')]),
        });
      await page.getByText('This is not the licensed file, or it was changed.').waitFor();
      await page.getByRole('button', { name: 'Compare' }).click();
      await page.getByText('No match').waitFor();
      await assertSoundPage(visit);
      await visit.context.close();
    },
  );

test('without script the hash is pasted, and what is no hash is told', async () => {
  const buyer = await makeBuyer(service, 2_000);
  const id = await license(buyer);
  const ask = async (sha256: string) =>
    (await service.request(`/licenses/${id}?sha256=${encodeURIComponent(sha256)}`)).text();
  const { body } = await buyer.post('/api/agent/photos/link', { license_id: id });
  const right = String(body['sha256']);
  assert.match(await ask(` ${right.toUpperCase()}\n`), /This is the licensed file\./);
  assert.match(await ask('0'.repeat(64)), /This is not the licensed file/);
  assert.match(await ask('<b>x'), /A SHA-256 has 64 characters/);
  assert.doesNotMatch(await ask('<b>x'), /<b>x/);
  const page = await (await service.request(`/licenses/${id}`)).text();
  assert.match(page, /This licence is valid\./);
  assert.doesNotMatch(page, /9\.00|900 cents/, 'what was paid is nobody else’s business');
  for (const wrong of ['lic_01kdtqb00071qz6sbs7e2vkqza', 'x'])
    assert.equal((await service.request(`/licenses/${wrong}`)).status, 404);
});

test('a top-up is refused outside its bounds, paid once, and closes after a day', async () => {
  const buyer = await makeBuyer(service);
  for (const amount_cents of [499, 50_001, 1000.5, 'ten', null, undefined]) {
    const { status, body } = await buyer.post('/api/agent/photos/topup', { amount_cents });
    assert.equal(status, 422);
    assert.equal((body['errors'] as { pointer: string }[])[0]?.pointer, '/amount_cents');
  }
  const { FormClient } = await import('../../../harness/people/staff.ts');
  const path = await topUp(buyer, 50_000);
  assert.equal((await buyer.wallet()).body['pending_topups'] instanceof Array, true);
  const person = new FormClient(service);
  const csrf = await person.token(path);
  assert.equal((await person.postRaw(path, { csrf: 'guessed' })).status, 403);
  const paid = await Promise.all(Array.from({ length: 10 }, () => person.postRaw(path, { csrf })));
  assert.ok(paid.every(({ status }) => status === 303));
  assert.equal((await buyer.wallet()).body['test_credit_cents'], 50_000);
  const late = await topUp(buyer, 500);
  clock.advance(DAY_MS);
  const closed = await person.get(late);
  assert.equal(closed.status, 410);
  assert.match(await closed.text(), /Nothing was paid/);
  assert.equal((await person.get(path)).status, 200, 'a paid one keeps its receipt');
  assert.deepEqual((await buyer.wallet()).body['pending_topups'], []);
  clock.advance(-DAY_MS);
});

/** On a phone a table must not widen the page, cut off a value, or print a price smaller than the rest. */
async function assertReadOnPhone(visit: Visit): Promise<void> {
  const { page } = visit;
  const [{ width, height }, , wide] = VIEWS;
  await page.setViewportSize({ width, height });
  await assertSoundPage(visit);
  const cells = await page.evaluate<
    { text: string; label?: string; left: number; right: number; size: string }[]
  >(
    `[...document.querySelectorAll('tbody :is(th, td)')].map((cell) => {
      const words = document.createRange();
      words.selectNodeContents(cell);
      const { left, right } = words.getBoundingClientRect();
      return { text: cell.innerText.trim(), label: cell.dataset.label, left, right, size: getComputedStyle(cell).fontSize };
    })`,
  );
  assert.ok(cells.length >= 6);
  for (const { text, left, right } of cells)
    assert.ok(text !== '' && left >= 0 && right <= width, `"${text}" cannot be read: ${left} to ${right}`);
  for (const { text, size } of cells.filter(({ label }) => label === 'price'))
    assert.ok(/^\d+\.\d\d USD$/.test(text) && Number.parseFloat(size) >= 15, `${text} is told in ${size}`);
  await screenshot(page, 'console licences phone');
  await page.setViewportSize({ width: wide.width, height: wide.height });
}

test('a lead refunds a licence in the console; others only look', { skip: noBrowser }, async () => {
  const buyer = await makeBuyer(service, 2_000);
  const id = await license(buyer);
  const reviewer = await signInStaff(service, 'reviewer');
  assert.match(await (await reviewer.get(`/console/licences/${id}`)).text(), /A lead can refund it/);
  const refused = await reviewer.post(`/console/licences/${id}/refund`, { reason: 'I want to.' }, '/console');
  assert.equal(refused.status, 403);
  const lead = await addTestStaff(service, 'lead');
  const [, , desktop] = VIEWS;
  const visit = await openBrowser(service.url, desktop);
  const { page } = visit;
  await signInBrowser(page, service, lead);
  await page.getByRole('link', { name: 'Licences' }).click();
  await assertSoundPage(visit);
  await screenshot(page, 'console licences');
  await assertReadOnPhone(visit);
  await page.getByRole('link', { name: id }).click();
  await page.getByLabel('Reason').fill('The file was of the wrong place.');
  await screenshot(page, 'console licence');
  await page.getByRole('button', { name: 'Refund' }).click();
  await page.getByText('The licence is refunded: the price was returned').waitFor();
  assert.equal((await buyer.wallet()).body['balance_cents'], 2_000);
  assert.match(await (await service.request(`/licenses/${id}`)).text(), /was refunded/);
  const [audited] = await pool<{ actor: string; detail: { cents: number; reason: string } }[]>`
    select actor, detail from audit_log where operation = 'refund_licence' and subject = ${id}`;
  assert.deepEqual([audited?.actor, audited?.detail.cents], [lead.id, 900]);
  await visit.context.close();
});
