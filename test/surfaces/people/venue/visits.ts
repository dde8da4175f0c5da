import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { assertSoundPage, screenshot, type Visit } from '../../../harness/browser/browser.ts';
import { startTestService } from '../../../harness/service/service.ts';
import {
  addReviewer,
  approve,
  codeIn,
  lastMessage,
  SubmittingAgent,
} from '../../../harness/people/submissions.ts';

// Over plain http, as on a machine of one's own, cookies need no secure connection.
export const service = await startTestService({
  demoPlaces: 300,
  settings: { BASE_URL: 'http://localhost:3000' },
});
export const { deps } = service.app;
export const { pool } = deps;
export const agent = await SubmittingAgent.signUp(service);
export const staffId = await addReviewer(service);
export const HOSTILE = `Ikan bakar <script>alert(1)</script> "'&`;
let made = 0;

/** A mapped place with two published contacts, and an owner's submission about it that was approved. */
export async function invitedPlace(
  said: Record<string, unknown> = {},
): Promise<{ id: string; name: string }> {
  made += 1;
  const name = `Warung ${['Mentari', 'Samudra', 'Pelangi', 'Rembulan'][made] ?? made} Jaya`;
  const [place] = await pool<{ id: string }[]>`
    insert into place (id, destination_id, name, vertical, category, country, city, lat, lng, email, phone, source, source_ref)
    select ${deps.newId('plc')}, id, ${name}, 'restaurant', 'restaurant', 'ID', 'Bali', lat + ${made / 50}, lng,
      ${`halo${made}@warung.example`}, ${`+6236155500${made}`}, 'osm', ${`node/9${made}`}
    from destination where slug = 'bali' returning id`;
  assert.ok(place);
  await deps.places.follow();
  const sent = await agent.business({ relationship: 'owner', name, vertical: 'restaurant', ...said });
  await approve(service, staffId, sent);
  return { id: place.id, name };
}

export async function press(page: Page, name: string | RegExp): Promise<void> {
  await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name }).first().click()]);
}

export async function see(visit: Visit, name: string, view: string): Promise<void> {
  await assertSoundPage(visit);
  await screenshot(visit.page, `venue ${name} ${view}`);
}

export async function claim(visit: Visit, place: { id: string; name: string }, view: string): Promise<void> {
  const { page } = visit;
  await page.goto(`${service.url}/p/${place.id}`);
  await Promise.all([
    page.waitForEvent('load'),
    page.getByRole('link', { name: 'Look after this listing' }).click(),
  ]);
  await see(visit, 'claim', view);
  await press(page, 'Send me a code');
  await page.getByText('A code is on its way to').waitFor();
  const code = codeIn((await lastMessage(service, 'claim_code'))?.text ?? '');
  await page.getByLabel('Code', { exact: true }).fill(code === '111111' ? '222222' : '111111');
  await press(page, 'Claim the listing');
  assert.match(await page.getByText('This is not the code that we sent.').innerText(), /4 tries left/);
  // A browser reports the refusal of the form as an error of the page; the page itself is sound.
  visit.faults.length = 0;
  await see(visit, 'claim wrong', view);
  await page.getByLabel('Code', { exact: true }).fill(`${code.slice(0, 3)} ${code.slice(3)}`);
  await press(page, 'Claim the listing');
  assert.equal(new URL(page.url()).pathname, '/venue');
  assert.equal(await page.locator('h1').innerText(), place.name);
  await see(visit, 'claimed', view);
}
