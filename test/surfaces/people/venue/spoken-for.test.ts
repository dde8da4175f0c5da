import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LOOKS, noBrowser, openBrowser, screenshot, TWO_LOOKS } from '../../../harness/browser/browser.ts';
import { addMadeUpPlace } from '../../../directory/made-up-place.ts';
import { approve, lastMessage } from '../../../harness/people/submissions.ts';
import { agent, claim, HOSTILE, invitedPlace, pool, press, see, service, staffId } from './visits.ts';

for (const view of LOOKS.filter(({ scheme }) => scheme === 'light')) {
  test(
    `a business says on its page whether an operator acts for it on ${view.name}`,
    { skip: noBrowser },
    async () => {
      const name = `Vila ${view.name}`;
      const published = { name: `Old ${name}`, email: 'vila@vila.example' };
      const placeId = await addMadeUpPlace(pool, service.clock, published);
      const sent = await agent.business({
        relationship: 'authorized_agent',
        name,
        email: 'operator@elsewhere.example',
        description: HOSTILE,
      });
      await approve(service, staffId, sent, { placeId });
      const link = /\/venue\/confirm\/[\w-]+/.exec(
        (await lastMessage(service, 'business_confirmation'))?.text ?? '',
      )?.[0];
      const french = { accept: 'text/html', 'accept-language': 'fr' };
      const inFrench = await (await service.request(link ?? '', { headers: french })).text();
      assert.match(inFrench, /<html lang="fr">[^]*Test Operator agit-il pour vous ?\?/);
      const visit = await openBrowser(service.url, view, { script: false });
      await visit.page.goto(service.url + (link ?? ''));
      for (const code of ['it', 'en']) {
        await visit.page.locator('select[name=language]').selectOption(code);
        await Promise.all([
          visit.page.waitForEvent('load'),
          visit.page.locator('.language-choice button').click(),
        ]);
        assert.equal(new URL(visit.page.url()).pathname, link, 'it leads back to the question');
        assert.equal(await visit.page.locator('html').getAttribute('lang'), code);
      }
      await screenshot(visit.page, `venue confirm ${view.name}`);
      await press(visit.page, 'Yes, it acts for us');
      await visit.page.getByText('the listing is confirmed').waitFor();
      await screenshot(visit.page, `venue confirmed ${view.name}`);
      assert.equal((await agent.standing(sent.id))['live'], true);
    },
  );
}

for (const view of TWO_LOOKS) {
  test(
    `a venue decides whether who spoke in its name acts for it on ${view.name}`,
    { skip: noBrowser },
    async () => {
      const said = { hours: 'Mo-Su 10:00-22:00', description: HOSTILE, phone: '+62361999000' };
      const place = await invitedPlace(said);
      const visit = await openBrowser(service.url, view, { script: false });
      const { page } = visit;
      await claim(visit, place, view.name);
      await page.getByRole('heading', { name: 'Test Operator claims to be the owner' }).waitFor();
      await page.getByText(said.phone, { exact: true }).waitFor();
      const sourceOfHours = async () =>
        (await agent.get<{ hours: { source: string } }>(`/api/agent/business/${place.id}`)).body.hours.source;
      assert.equal(await sourceOfHours(), 'reviewer');
      await press(page, 'Yes, it acts for us');
      await page.getByText('now counts as your own information').waitFor();
      assert.equal(await sourceOfHours(), 'owner');
      await see(visit, 'representative', view.name);
      await page.goto(`${service.url}/venue/contacts`);
      await see(visit, 'contacts', view.name);
      await page.getByLabel('Telephone').fill('0361 1');
      await press(page, 'Save contacts');
      await page.getByText('Write it with its country code').waitFor();
      visit.faults.length = 0;
      await see(visit, 'contacts wrong', view.name);
      await page.getByLabel('Telephone').fill('+62 361 555 777');
      await press(page, 'Save contacts');
      await page.getByText('Contacts: saved.').waitFor();
      await press(page, 'Change: it does not act for us');
      await page.getByText('You said no').waitFor();
      const denied = await agent.get<{ hours: unknown }>(`/api/agent/business/${place.id}`);
      assert.equal(denied.body.hours, null, 'nothing of it is left');
    },
  );
}
