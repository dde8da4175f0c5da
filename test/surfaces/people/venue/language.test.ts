import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VENUE_LANGUAGES } from '../../../../src/bookings/language/venue-language.ts';
import {
  readAreaCatalogue,
  type AreaKey,
} from '../../../../src/surfaces/people/venue/language/area-language.ts';
import { escapeHtml } from '../../../../src/core/text/html.ts';
import { HOUR_MS } from '../../../../src/core/time.ts';
import { addVenue, AskingPartner } from '../../../bookings/asking-partner.ts';
import { barriersIn } from '../../../harness/browser/barriers.ts';
import {
  assertSoundPage,
  LOOKS,
  noBrowser,
  openBrowser,
  screenshot,
} from '../../../harness/browser/browser.ts';
import { FormClient } from '../../../harness/people/staff.ts';
import { signInVenue } from '../../../harness/people/venue.ts';
import { startTestService } from '../../../harness/service/service.ts';

const service = await startTestService({ settings: { BASE_URL: 'http://localhost:3000' } });
service.clock.advance(14 * HOUR_MS);
const partner = await AskingPartner.add(service);
/** The translated pages, each with a sentence that it always shows. */
const PAGES = [
  ['/venue', 'preview.note'],
  ['/venue/tables', 'requests.title'],
  ['/venue/rules', 'rules.everyDay'],
  ['/venue/hours', 'hours.format'],
  ['/venue/menu', 'menu.addSection'],
  ['/venue/about', 'about.save'],
  ['/venue/contacts', 'contacts.empty'],
  ['/venue/booking', 'way.not_through'],
  ['/venue/photo', 'photo.none'],
  ['/venue/position', 'position.title'],
  ['/venue/terms', 'terms.none'],
] as const;
const placeId = await addVenue(service, { phone: '+62817300001', gather: 0 });
/** Forms with errors, each with one that its page then shows. */
const REFUSED = [
  ['/venue/menu', { currency: '1', 's0i0-price': '5' }, 'fault.sectionName'],
  ['/venue/hours', { mon: 'open', 'mon-from': '11:00' }, 'fault.days'],
  ['/venue/hours', { as: 'text', text: 'now and then' }, 'fault.hoursText'],
  ['/venue/about', { about: 'long '.repeat(1_000) }, 'fault.check'],
  ['/venue/contacts', { phone: '0361 1', email: 'halo', website: 'warung' }, 'fault.phone'],
  ['/venue/booking', { method: 'venue_system', url: '', gather: '0' }, 'fault.url'],
  ['/venue/position', { address: 'Jl. Raya 1', lat: 'here', lng: '999' }, 'fault.check'],
  [
    '/venue/terms',
    { deposit: 'some', deposit_per: 'person', minimum_spend_per: 'table', dress_code: '', currency: 'EUR' },
    'fault.sum',
  ],
  ['/venue/rules', { kind: 'closed', from: '2020-01-01', until: '' }, 'fault.fromToday'],
] as const;
const unclaimed = await addVenue(service, { email: 'unclaimed@venue.example' });
await service.database.pool`update place set languages = '{id,en}' where id = ${placeId}`;
const venue = await signInVenue(service, placeId);
await partner.request(placeId, { notes: 'By the window' });

test('the area is in the language of the browser, otherwise in that of the venue', async () => {
  const langOf = async (accepted: string) => {
    const text = await (await venue.get('/venue', { 'accept-language': accepted })).text();
    return /<html lang="([^"]+)"/.exec(text)?.[1];
  };
  assert.equal(await langOf('fr-CH, de;q=0.5'), 'fr');
  assert.equal(await langOf('xx, pt-BR;q=0.5'), 'pt');
  assert.equal(await langOf('zh-TW'), 'zh-Hant');
  assert.equal(await langOf('*'), 'id');
});

test('a chosen language is remembered, leads back, and is never one that we do not have', async () => {
  const chosen = await venue.post('/venue/language', { language: 'he', back: '/venue/tables' }, '/venue');
  assert.equal(chosen.headers.get('location'), '/venue/tables');
  const text = await (await venue.get('/venue/tables', { 'accept-language': 'de' })).text();
  assert.match(text, /<html lang="he" dir="rtl"/);
  for (const [language, back] of [
    ['xx', '/venue'],
    ['de', '//evil.example'],
    ['de', 'https://evil.example/venue'],
  ] as const)
    assert.equal((await venue.post('/venue/language', { language, back }, '/venue')).status, 422);
  await venue.post('/venue/language', { language: 'en', back: '/venue' }, '/venue');
});

/** Fails if a page shows an English sentence of the catalogue, or lacks the one of the language. */
async function assertTranslated(code: string, page: Response, key: AreaKey): Promise<void> {
  const [main = ''] = /<main.*<\/body>/s.exec(await page.text()) ?? [];
  const own = readAreaCatalogue(code);
  const left = SENTENCES.filter(([id, text]) => own[id] !== text && main.includes(escapeHtml(text)));
  assert.deepEqual(left, [], `${code} ${page.url}`);
  for (const one of [key, 'footer.terms'] as const)
    assert.ok(main.includes(escapeHtml(own[one])), `${code} ${page.url} lacks ${one}`);
}

const SENTENCES = (Object.entries(readAreaCatalogue('en')) as [AreaKey, string][]).filter(
  ([, text]) => text.includes(' ') && !text.includes('{'),
);

test('no sentence and no error of a translated page stays English', async () => {
  for (const code of VENUE_LANGUAGES.keys()) {
    if (code === 'en') continue;
    await venue.post('/venue/language', { language: code, back: '/venue' }, '/venue');
    for (const [path, key] of PAGES) await assertTranslated(code, await venue.get(path), key);
    for (const [path, fields, key] of REFUSED) {
      const refused = await venue.post(path, fields, path);
      assert.equal(refused.status, 422, `${code} ${path}`);
      await assertTranslated(code, refused, key);
    }
  }
});

test('who claims a listing reads the page, the notice and the error in their language', async () => {
  const path = `/venue/claim/${unclaimed}`;
  for (const code of VENUE_LANGUAGES.keys()) {
    if (code === 'en') continue;
    const visitor = new FormClient(service);
    const headers = { 'accept-language': code };
    await assertTranslated(code, await visitor.get(path, headers), 'claim.first');
    const chosen = await visitor.post('/venue/language', { language: code, back: path }, path);
    assert.equal(chosen.headers.get('location'), path);
    const page = await (await visitor.get(path)).text();
    const via = /name="via" value="([^"]+)"/.exec(page)?.[1] ?? '';
    const wrong = await visitor.post(path, { via, code: '000000' }, path);
    assert.equal(wrong.status, 422);
    await assertTranslated(code, wrong, 'fault.noCode');
  }
});

test('an address that is no page, a refused form and a wrong link are explained in the language of the reader', async () => {
  for (const code of VENUE_LANGUAGES.keys()) {
    if (code === 'en') continue;
    const visitor = new FormClient(service);
    const headers = { accept: 'text/html', 'accept-language': code };
    const own = readAreaCatalogue(code);
    for (const path of ['/venue/confirm/guess', '/venue/nothing', '/v/guess']) {
      const page = await visitor.get(path, headers);
      assert.equal(page.status, 404, path);
      await assertTranslated(code, page.clone(), 'error.lostTitle');
      assert.ok((await page.text()).includes(escapeHtml(own['error.next'])), `${code} ${path}`);
    }
    const refused = await service.request(`/venue/claim/${unclaimed}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'code=1',
    });
    assert.equal(refused.status, 403);
    await assertTranslated(code, refused.clone(), 'error.refusedTitle');
    assert.match(
      await refused.text(),
      /This form was not opened in this browser/,
      'not the reason of another page',
    );
  }
  const english = await service.request('/venue/nothing', { headers: { accept: 'text/html' } });
  assert.match(await english.text(), /There is no page at this address/);
});

test('the message with a code is in the language in which it was asked for, and a reader changes it', async () => {
  const path = `/venue/claim/${unclaimed}`;
  const visitor = new FormClient(service);
  await visitor.post('/venue/language', { language: 'de', back: path }, path);
  const via = /name="via" value="([^"]+)"/.exec(await (await visitor.get(path)).text())?.[1] ?? '';
  await visitor.post(`${path}/code`, { via }, path);
  const [message] = await service.database.pool<{ subject: string; body: string }[]>`
    select subject, body from message where purpose = 'claim_code' and subject_id = ${unclaimed}`;
  assert.equal(message?.subject, 'Waypost: Warung Senja übernehmen');
  assert.match(message.body, /Ihr Code: \d{3} ?\d{3}\nGeben Sie ihn auf der Seite ein/);
  assert.match(message.body, new RegExp(`/venue/claim/${unclaimed}`));
  assert.doesNotMatch(message.body, /Your code|Somebody/);
});

test('the pages run from right to left and in long words, without faults', { skip: noBrowser }, async () => {
  for (const view of LOOKS)
    for (const code of ['ar', 'de']) {
      const visit = await openBrowser(service.url, view);
      await venue.post('/venue/language', { language: code, back: '/venue' }, '/venue');
      await visit.context.addCookies(
        [...venue.cookies].map(([name, value]) => ({ name, value, url: service.url })),
      );
      for (const [path] of PAGES) {
        await visit.page.goto(service.url + path);
        await assertSoundPage(visit);
        if (code === 'ar') assert.deepEqual(await barriersIn(visit.page), [], path);
        await screenshot(visit.page, `venue ${code}${path.replaceAll('/', ' ')} ${view.name}`);
      }
    }
});
