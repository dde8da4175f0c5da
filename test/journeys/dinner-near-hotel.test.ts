import assert from 'node:assert/strict';
import { test } from 'node:test';
import { venueSays } from '../harness/service/venue-answer.ts';
import {
  assertSoundPage,
  noBrowser,
  openBrowser,
  screenshot,
  VIEWS,
  type Visit,
} from '../harness/browser/browser.ts';
import { codeIn, lastMessage } from '../harness/people/submissions.ts';
import { createTestDatabase } from '../harness/service/database.ts';
import { until } from '../harness/service/jobs.ts';
import { startTestService } from '../harness/service/service.ts';
import { importAt } from '../import/import-directory.ts';
import { sharedFile } from '../import/shared-data.ts';

const ACTIONS_MAX = 8;
const WISH = 'dinner near Hôtel de Paris';

const database = await createTestDatabase();
await importAt(database, sharedFile('osm/monaco.osm.pbf'), { autoDestinations: true });
// Every restaurant has claimed its page and takes requests, whichever of them the search puts first.
await database.pool`
  update place set booking_method = 'request', batch_minutes = 0 where vertical = 'restaurant'`;
await database.pool`
  insert into venue_claim (place_id, channel, contact, claimed_at)
  select id, 'mail', 'owner@venue.example', now() from place where vertical = 'restaurant' and closed_at is null`;
const service = await startTestService({ database, settings: { BASE_URL: 'http://127.0.0.1' } });

/** One way of using a page. Each call is one action: a form filled in and sent, or a link or button chosen. */
interface Hand {
  submit(field: string, text: string): Promise<void>;
  choose(target: string): Promise<void>;
}

function finger({ page }: Visit): Hand {
  return {
    async submit(field, text) {
      const input = page.locator(`main input[name="${field}"]`);
      await input.tap();
      await input.pressSequentially(text);
      await page.locator(`form:has(input[name="${field}"]) button.button:visible`).tap();
    },
    choose: (target) => page.locator(target).first().tap(),
  };
}

const TABS_MAX = 40;

function keyboard({ page }: Visit): Hand {
  const reach = async (target: string) => {
    await page.locator(target).first().waitFor();
    const isThere = `document.activeElement?.matches(${JSON.stringify(target)})`;
    for (let tabs = 0; !(await page.evaluate<boolean>(isThere)); tabs++) {
      assert.ok(tabs < TABS_MAX, `${target} is not reached by the Tab key`);
      await page.keyboard.press('Tab');
    }
  };
  return {
    async submit(field, text) {
      await reach(`main input[name="${field}"]`);
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
    },
    async choose(target) {
      await reach(target);
      await page.keyboard.press('Enter');
    },
  };
}

const ASK = 'form.table-form button.button';

for (const [view, handOf] of [
  [VIEWS[0], finger],
  [VIEWS[2], keyboard],
] as const)
  test(`a stranger has dinner near a hotel of Monaco, by ${handOf.name}`, { skip: noBrowser }, async () => {
    const visit = await openBrowser(service.url, view);
    const { page } = visit;
    const hand = handOf(visit);
    const email = `guest-by-${handOf.name}@member.example`;
    let actions = 0;
    const act = async (action: Promise<void>) => {
      await action;
      actions += 1;
    };
    await page.goto(service.url);
    await act(hand.submit('q', WISH));
    await page.locator('.understood', { hasText: 'Hôtel de Paris' }).waitFor();
    assert.match(await page.locator('.place').first().innerText(), /\d+ min walk/);
    await screenshot(page, `journey found ${view.name}`);
    await act(hand.choose('.place h3 a'));
    await page.locator(ASK).waitFor();
    assert.match(await page.locator('.walk').innerText(), /min walk .* from the point you searched/);
    await screenshot(page, `journey place ${view.name}`);
    await act(hand.choose(ASK));
    await act(hand.submit('email', email));
    await page.locator('input[name="code"]').waitFor();
    await act(hand.submit('code', codeIn((await lastMessage(service, 'member_code', email))?.text ?? '')));
    await page.locator('input[name="display_name"]').waitFor();
    await act(hand.submit('display_name', 'Ana P.'));
    await page.locator('main input[name="csrf"]').first().waitFor({ state: 'attached' });
    await act(hand.choose(ASK));
    await page.getByText('The venue has been asked').waitFor();
    await screenshot(page, `journey asked ${view.name}`);
    const booking = await until('the venue is asked', async () => {
      const [row] = await database.pool<{ id: string; revision: number }[]>`
        select b.id, b.revision from booking b join member m on m.id = b.member_id
        where m.email = ${email} and b.status = 'asking'`;
      return row;
    });
    await venueSays(service.app.deps, {
      bookingId: booking.id,
      revision: booking.revision,
      answer: 'yes',
      actor: 'venue',
    });
    // The open page shows the answer by itself.
    await page.getByText('The venue has said yes').waitFor();
    await screenshot(page, `journey confirmed ${view.name}`);
    assert.ok(actions <= ACTIONS_MAX, `${actions} actions`);
    await assertSoundPage(visit);
  });
