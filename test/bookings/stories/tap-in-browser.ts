import type { Page } from 'playwright-core';
import { noBrowser, openBrowser, VIEWS } from '../../harness/browser/browser.ts';
import type { TestService } from '../../harness/service/service.ts';
import { tap } from '../asking-partner.ts';

export type TapAnswer =
  { answer: 'yes' | 'no' | 'stop' | 'undo' } | { answer: 'offer'; offer_date: string; offer_time: string };

/** Answers as somebody with a phone in one hand does; where there is no browser, as the forms on the page do. */
export async function tapper(
  service: TestService,
): Promise<(link: string, given: TapAnswer) => Promise<void>> {
  if (noBrowser !== false)
    return async (link, given) => {
      if (given.answer === 'undo') await tap(service, link, {}, '/undo');
      else await tap(service, link, given);
    };
  const { page } = await openBrowser(service.url, VIEWS[0]);
  return async (link, given) => {
    await page.goto(service.url + link);
    await press(page, given);
    await page.waitForLoadState();
  };
}

async function press(page: Page, given: TapAnswer): Promise<void> {
  switch (given.answer) {
    case 'yes':
      return page.getByRole('button', { name: /^Yes/ }).click();
    case 'no':
      return page.getByRole('button', { name: /^No/ }).click();
    case 'undo':
      return page.getByRole('button', { name: /undo/ }).click();
    case 'stop':
      await page.getByText('Please stop asking us').click();
      return page.getByRole('button', { name: 'Stop asking us' }).click();
    case 'offer':
      await page.getByText('Offer another time').click();
      await page.getByLabel('Another day').fill(given.offer_date);
      await page.getByLabel('Time', { exact: true }).fill(given.offer_time);
      return page.getByRole('button', { name: 'Offer this' }).click();
  }
}
