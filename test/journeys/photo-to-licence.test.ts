import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import exifr from 'exifr';
import type { Page } from 'playwright-core';
import { addMadeUpPlace } from '../directory/made-up-place.ts';
import {
  assertSoundPage,
  noBrowser,
  openBrowser,
  screenshot,
  LOOKS,
  VIEWS,
  type Visit,
} from '../harness/browser/browser.ts';
import { LONG } from '../harness/tier.ts';
import { until } from '../harness/service/jobs.ts';
import { signUpAgent, startTestService } from '../harness/service/service.ts';
import { addTestStaff, signInBrowser } from '../harness/people/staff.ts';
import { codeIn, lastMessage } from '../harness/people/submissions.ts';
import { Buyer } from '../licensing/buyer.ts';
import { fillWallet } from '../licensing/made-photo.ts';
import { flat, phonePhoto, SVG_WITH_SCRIPT } from '../photos/made-pictures.ts';

const service = await startTestService({ settings: { BASE_URL: 'http://127.0.0.1', TEST_PAYMENTS: 'on' } });
const { pool } = service.database;
const placeId = await addMadeUpPlace(pool, service.clock, { name: 'Warung Senja' });

let looked = 0;
/**
 * Looks at the page as phone and desktop, light and dark, and holds each to what holds for every page. `npm test` takes
 * them in turn, one for each page.
 */
async function look(visit: Visit, step: string): Promise<void> {
  const { page, faults } = visit;
  // The browser tells of refused files, which are meant to be refused here.
  faults.splice(0, Infinity, ...faults.filter((fault) => !/status of 422/.test(fault)));
  const turn = looked++ % LOOKS.length;
  for (const view of LONG ? LOOKS : LOOKS.slice(turn, turn + 1)) {
    await page.setViewportSize({ width: view.width, height: view.height });
    await page.emulateMedia({ colorScheme: view.scheme });
    await assertSoundPage(visit);
    await screenshot(page, `photos ${step} ${view.name}`);
  }
}

async function join(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByRole('button', { name: 'Send me a code' }).click();
  await page.getByRole('heading', { name: 'Enter the code' }).waitFor();
  const code = codeIn((await lastMessage(service, 'member_code'))?.text ?? '');
  await page.getByLabel('Code', { exact: true }).fill(code);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Ayu P.');
  await page.getByRole('button', { name: 'Join' }).click();
}

async function waitForState(state: string, photos: number): Promise<void> {
  await until(`${photos} in state ${state}`, async () => {
    const [row] = await pool<{ photos: number }[]>`
      select count(*)::int as photos from photo where state = ${state}`;
    return row?.photos === photos;
  });
}

// The browser sends several at once, and any may arrive first: all were taken in the same month.
const upload = await phonePhoto(1, 'coast');
const hills = await flat(1000, 600)
  .jpeg()
  .withExif({ IFD2: { DateTimeOriginal: '2026:09:20 08:12:00' } })
  .toBuffer();

/** From the page of a place to three photos that wait for a person. */
async function sendPhotos(visit: Visit): Promise<void> {
  const { page } = visit;
  await page.goto(`${service.url}/p/${placeId}`);
  await page.getByRole('link', { name: 'Add your photos of this place' }).click();
  await join(page, 'ayu@member.example');
  await page.getByRole('heading', { name: 'Warung Senja' }).waitFor();
  await page.getByRole('link', { name: 'Another place' }).click();
  await page.getByLabel('Name of the place').fill('warung senja');
  await page.getByRole('button', { name: 'Find' }).click();
  await look(visit, 'choose the place');
  await page.getByRole('link', { name: 'Warung Senja' }).click();
  await page.getByLabel('Photos of').setInputFiles([
    { name: 'beach.jpg', mimeType: 'image/jpeg', buffer: upload },
    { name: 'same-beach.jpg', mimeType: 'image/jpeg', buffer: await phonePhoto(1, 'city') },
    { name: 'hills.jpg', mimeType: 'image/jpeg', buffer: hills },
    { name: 'logo.svg', mimeType: 'image/svg+xml', buffer: SVG_WITH_SCRIPT },
  ]);
  await page.getByRole('button', { name: 'Upload' }).click();
  await page.getByRole('link', { name: 'See my photos' }).waitFor();
  assert.equal(await page.getByText('Arrived. A person will look at it.').count(), 3);
  assert.equal(await page.getByText('drawing or a document').count(), 1);
  await waitForState('to_check', 3);
  await look(visit, 'uploaded');
  await page.getByRole('link', { name: 'See my photos' }).click();
  await look(visit, 'mine');
}

/** A person approves the first by keyboard alone and refuses the second. */
async function check(): Promise<void> {
  const staff = await addTestStaff(service, 'reviewer');
  const visit = await openBrowser(service.url, VIEWS[2]);
  const { page } = visit;
  await signInBrowser(page, service, staff);
  await page.keyboard.press('g');
  await page.keyboard.press('f');
  await page.getByRole('heading', { name: 'Photos' }).waitFor();
  await look(visit, 'console waiting');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Warung Senja' }).waitFor();
  await look(visit, 'console check');
  await page.keyboard.press('a');
  await page.keyboard.press('Enter');
  await page.getByText('is approved').waitFor();
  await page.keyboard.press('3');
  await page.keyboard.press('Enter');
  await page.getByText('is rejected').waitFor();
  await waitForState('approved', 1);
  await waitForState('rejected', 1);
}

async function goLive(visit: Visit): Promise<string> {
  const { page } = visit;
  const [row] = await pool<{ id: string }[]>`select id from photo where state = 'approved'`;
  const id = row?.id ?? '';
  await page.goto(`${service.url}/photos/mine/${id}`);
  await page.getByLabel('Social').fill('5');
  await page.getByLabel('Web').fill('9.00');
  await page.getByLabel('Licences in a drop').fill('5');
  await page.getByRole('button', { name: 'Save prices' }).click();
  await page.getByText('Prices and drop size are saved.').waitFor();
  await look(visit, 'offer');
  await page.getByRole('button', { name: 'Go live' }).click();
  await page.getByText('The drop is running.').waitFor();
  await look(visit, 'live');
  return id;
}

/** The agent asks for money; a person pays in the browser. */
async function topUp({ page }: Visit, buyer: Buyer): Promise<void> {
  const asked = await buyer.post('/api/agent/photos/topup', { amount_cents: 2_000 });
  assert.equal(asked.status, 201, JSON.stringify(asked.body));
  await page.goto(service.url + new URL(asked.body['checkout_url'] as string).pathname);
  await page.getByRole('button', { name: /test credit/ }).click();
  await page.getByRole('heading', { name: 'The wallet is topped up' }).waitFor();
}

test('browse, upload, check, go live, quote, top up, license, download', { skip: noBrowser }, async () => {
  const visit = await openBrowser(service.url, VIEWS[0]);
  await sendPhotos(visit);
  await check();
  const photoId = await goLive(visit);
  await visit.page.goto(`${service.url}/p/${placeId}`);
  await visit.page.getByText('Photo: Ayu P. via Waypost').first().waitFor();
  await look(visit, 'on the place');

  const { agentId, apiKey } = await signUpAgent(service);
  const buyer = new Buyer(service, agentId, apiKey);
  const found = await buyer.get('/api/agent/photos/search?city=bali&use=web');
  const [first] = found.body['photos'] as { photo_id: string; month: string }[];
  assert.deepEqual([first?.photo_id, first?.month], [photoId, '2026-09']);
  const quote = await buyer.quote(photoId, 'web');
  assert.equal(quote.body['price_cents'], 900);
  assert.equal((await buyer.license(photoId, 'web', 900)).status, 402);
  await topUp(visit, buyer);
  const tested = await buyer.license(photoId, 'web', 900, 'one');
  assert.deepEqual([tested.status, tested.body['code']], [402, 'insufficient_funds']);
  assert.match(String(tested.body['detail']), /real photographer/);
  await fillWallet(pool, service.clock, agentId, 2_000);
  const licence = await buyer.license(photoId, 'web', 900, 'one');
  assert.equal(licence.status, 201, JSON.stringify(licence.body));
  const { download, certificate_url } = licence.body as unknown as {
    download: { url: string };
    certificate_url: string;
  };
  const file = await service.request(new URL(download.url).pathname);
  assert.equal(file.status, 200);
  const bytes = Buffer.from(await file.arrayBuffer());
  assert.equal(await exifr.parse(bytes, true), undefined, 'nothing of the camera is left');
  const part = await service.request(new URL(download.url).pathname, { headers: { range: 'bytes=0-99' } });
  assert.equal(part.status, 206);
  assert.ok(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(0, 100)));
  await visit.page.goto(service.url + new URL(certificate_url).pathname);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  assert.ok(
    (await visit.page.content()).includes(sha256),
    'the certificate names the hash of this very file',
  );

  await visit.page.goto(`${service.url}/photos/mine/earnings`);
  await visit.page.getByRole('row', { name: /Web/ }).waitFor();
  await look(visit, 'earnings');
  await visit.page.getByText('The same as a table').click();
  await visit.page.getByRole('row', { name: /^November 2026 7\.20 USD$/ }).waitFor();
  assert.match(await visit.page.locator('.figures').innerText(), /7\.20 USD/);
  const csv = await visit.page.request.get(`${service.url}/photos/mine/earnings.csv`);
  assert.match(await csv.text(), /^date,license_id,.*\r\n.*,web,900,720,USD,false\r\n$/s);
});

test('without a script a phone sends several photos in one form', { skip: noBrowser }, async () => {
  const visit = await openBrowser(service.url, VIEWS[1], { script: false });
  const { page } = visit;
  await page.goto(`${service.url}/photos/mine/upload?place=${placeId}`);
  await join(page, 'noscript@member.example');
  await page.getByLabel('Photos of').setInputFiles([
    { name: 'a.jpg', mimeType: 'image/jpeg', buffer: await flat(1001, 600).jpeg().toBuffer() },
    { name: 'b.jpg', mimeType: 'image/jpeg', buffer: await flat(1002, 600).jpeg().toBuffer() },
  ]);
  await page.getByRole('button', { name: 'Upload' }).click();
  await page.getByText('2 photos arrived.').waitFor();
  await assertSoundPage(visit);
});
