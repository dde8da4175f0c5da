import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR_MS } from '../../../../src/core/time.ts';
import { addVenue, AskingPartner } from '../../../bookings/asking-partner.ts';
import { noBrowser, openBrowser, VIEWS } from '../../../harness/browser/browser.ts';
import { Keyboard } from '../../../harness/browser/keyboard.ts';
import { codeIn, lastMessage } from '../../../harness/people/submissions.ts';
import { startTestService } from '../../../harness/service/service.ts';

const service = await startTestService({ settings: { BASE_URL: 'http://localhost:3000' } });
service.clock.advance(14 * HOUR_MS);
const partner = await AskingPartner.add(service);

/** Pressed keys and typed texts of the whole journey. */
const ACTIONS_MAX = 150;

const LIST = [
  'Grill',
  'Ikan bakar … 85.000',
  'with three sambals',
  '',
  'Drinks',
  'Es kelapa … Rp 20.000',
].join('\n');

test(
  'with the keyboard alone a venue claims its listing, sets hours, pin and menu, and answers a request',
  { skip: noBrowser },
  async (t) => {
    const placeId = await addVenue(service, { email: 'halo@warung.example', gather: 0 });
    await service.app.deps.places.follow();
    const visit = await openBrowser(service.url, VIEWS[0]);
    const { page } = visit;
    const keys = new Keyboard(page);

    await page.goto(`${service.url}/venue`);
    await keys.type('Name of your place', 'Warung Senja');
    await keys.open();
    await keys.open('Claim this listing');
    await keys.open('Send me a code');
    await keys.type('Code', codeIn((await lastMessage(service, 'claim_code'))?.text ?? ''));
    await keys.open();
    await page.getByText('You now manage this listing').waitFor();

    await keys.open('Hours');
    await keys.typeTime('from', '1100AM');
    await keys.typeTime('to', '1000PM');
    await keys.reach('Use Monday for every day');
    await keys.press('Enter');
    await page.locator('#tue:focus').waitFor();
    await keys.press('Tab');
    await keys.open();
    await page.getByText('Hours: saved').waitFor();

    await keys.open('Position');
    await keys.type('Latitude', '-8.4001');
    await keys.open();
    await page.getByText(/Position: saved|We have your new position/).waitFor();

    await page.goto(`${service.url}/venue`);
    await keys.open('Menu');
    await keys.type('Your list', LIST);
    await keys.reach('Read the list');
    await keys.press('Enter');
    await page.getByText('Read: 2 entries').waitFor();
    assert.equal(await page.locator(':focus').inputValue(), 'Grill', 'it goes on at what was read');
    assert.equal(await page.getByLabel('Currency').inputValue(), 'IDR');
    await keys.open();
    await page.getByText('Menu: saved').waitFor();

    const booking = await partner.request(placeId);
    await partner.untilStatus(booking, 'asking');
    await page.getByRole('button', { name: 'Yes', exact: true }).waitFor();
    await keys.open('Yes');
    assert.equal((await partner.status(booking)).status, 'confirmed');

    const [place] = await service.database.pool<{ hours: { text: string } | null; menu: unknown }[]>`
      select p.hours, m.sections as menu from place p join menu m on m.place_id = p.id where p.id = ${placeId}`;
    assert.match(place?.hours?.text ?? '', /11:00-22:00/);
    assert.deepEqual(place?.menu, [
      { name: 'Grill', items: [{ name: 'Ikan bakar', price: '85.000', description: 'with three sambals' }] },
      { name: 'Drinks', items: [{ name: 'Es kelapa', price: '20.000', description: null }] },
    ]);
    assert.deepEqual(visit.faults, []);
    t.diagnostic(`${keys.actions} actions`);
    assert.ok(keys.actions <= ACTIONS_MAX, `${keys.actions} actions`);
  },
);
