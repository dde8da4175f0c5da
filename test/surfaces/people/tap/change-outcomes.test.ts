import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  VENUE_LANGUAGES,
  venueLanguage,
  type VenueLanguage,
} from '../../../../src/bookings/language/venue-language.ts';
import { sentenceAbout } from '../../../../src/bookings/table-words.ts';
import { HOUR_MS } from '../../../../src/core/time.ts';
import {
  addVenue,
  AskingPartner,
  linkInOutbox,
  tap,
  untilResting,
} from '../../../bookings/asking-partner.ts';
import {
  assertSoundPage,
  LOOKS,
  noBrowser,
  openBrowser,
  screenshot,
} from '../../../harness/browser/browser.ts';
import { signInStaff } from '../../../harness/people/staff.ts';
import { signInVenue } from '../../../harness/people/venue.ts';
import { passTime, until } from '../../../harness/service/jobs.ts';
import { startTestService } from '../../../harness/service/service.ts';
import { LONG } from '../../../harness/tier.ts';
import { startPhoneProvider } from '../../../twilio/phone-provider.ts';

const HELD = { date: '2026-11-20', time: '19:30', partySize: 4 };
const CHANGED = { ...HELD, date: '2026-11-21' };
const HELD_WORDS = 'a table for 4 on Friday 20 November at 19:30';

describe('texts for a venue after a requested change', async () => {
  const service = await startTestService({
    settings: { BOOKING_READS_PER_MINUTE: '100000', BOOKING_WRITES_PER_MINUTE: '100000' },
  });
  // Ten in the morning where the venues are.
  service.clock.advance(14 * HOUR_MS);
  const partner = await AskingPartner.add(service);
  let phones = 3000;

  interface Changing {
    id: string;
    placeId: string;
    /** To the page about the change. */
    link: string;
    read: () => Promise<string>;
  }

  /** A confirmed table, and a venue that is asked whether it can be the day after. */
  async function changing(
    spoken: { country: string; languages: string[] } = ENGLISH_VENUE,
  ): Promise<Changing> {
    const placeId = await addVenue(service, { phone: `+628170${++phones}`, ...spoken });
    const id = await partner.request(placeId);
    const first = await linkInOutbox(service, id);
    await tap(service, first, { answer: 'yes' });
    await partner.untilStatus(id, 'confirmed');
    await partner.call('modify_booking', { booking_id: id, date: CHANGED.date });
    const link = await until('the question about the change', async () => {
      const newest = await linkInOutbox(service, id);
      return newest !== first && newest;
    });
    await until('it is noted', async () =>
      (await partner.status(id)).timeline.some(({ event }) => event === 'change_asked'),
    );
    const read = async () =>
      (await (await service.request(link, { headers: { accept: 'text/html' } })).text()).replaceAll(
        /\s+/g,
        ' ',
      );
    return { id, placeId, link, read };
  }
  const ENGLISH_VENUE = { country: 'ID', languages: ['en'] };

  /** The page's sentence about a no, in a language. */
  function assertDeclined(page: string, language: VenueLanguage): void {
    const stays = sentenceAbout(HELD, language, 'page.staysAsItWas');
    const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll("'", '&#39;');
    assert.ok(page.includes(escaped(`${stays} ${language.text('outcome.changeDeclined.text')}`)), page);
    assert.ok(!page.includes(escaped(language.text('outcome.booked.text'))));
  }

  test('the page says of a no in every language that the table stays as it was', async () => {
    const { link, read, placeId } = await changing();
    await tap(service, link, { answer: 'no' });
    for (const code of VENUE_LANGUAGES.keys()) {
      await service.database.pool`update place set languages = ${[code]} where id = ${placeId}`;
      assertDeclined(await read(), venueLanguage({ country: 'ID', languages: [code] }));
    }
  });

  for (const code of LONG ? VENUE_LANGUAGES.keys() : ['ja'])
    test(`its no leaves the table as it was, and the page says so (${code})`, async () => {
      const spoken = { country: 'ID', languages: [code] };
      const language: VenueLanguage = venueLanguage(spoken);
      assert.equal(language.code, code);
      const { link, read, id } = await changing(spoken);
      await tap(service, link, { answer: 'no' });
      assertDeclined(await read(), language);
      assert.equal((await partner.status(id)).reason, 'change_declined');
    });

  test('in English the page says: The table stays as it was. The guest has been told no.', async () => {
    const { link, read } = await changing();
    await tap(service, link, { answer: 'no' });
    const page = await read();
    assert.ok(page.includes(`The table stays as it was: ${HELD_WORDS}. The guest has been told no.`), page);
    assert.doesNotMatch(page, /is booked|said yes/);
    // The same words stand there once it can no longer be taken back.
    service.clock.advance(3 * 60_000);
    assert.match(await read(), /The guest has been told no\./);
  });

  test('looked at: a change that was declined', { skip: noBrowser }, async () => {
    const { link } = await changing();
    await tap(service, link, { answer: 'no' });
    for (const view of LOOKS) {
      const visit = await openBrowser(service.url, view);
      await visit.page.goto(service.url + link);
      await visit.page.getByText('The guest has been told no.').waitFor();
      await assertSoundPage(visit);
      await screenshot(visit.page, `tap change declined ${view.name}`);
    }
  });

  test('its yes changes the table, and the page says that the one from before is free', async () => {
    const { link, read } = await changing();
    await tap(service, link, { answer: 'yes' });
    assert.match(await read(), /the table is changed.*the one from before is free again/);
  });

  test('a venue that wants no more requests keeps the table, and is not told that there is none', async () => {
    const { link, read } = await changing();
    await tap(service, link, { answer: 'stop' });
    const page = await read();
    assert.match(page, /The table stays as it was.*The guest has been told no\. We will not ask you again\./);
    assert.doesNotMatch(page, /there is no table\. We/);
  });

  test('the venue area and the desk say the same of a no', async () => {
    const { id, placeId } = await changing();
    const venue = await signInVenue(service, placeId);
    const said = await venue.post(
      '/venue/tables/answer',
      { booking: id, revision: '2', answer: 'no' },
      '/venue/tables',
    );
    const page = (await (await venue.get(said.headers.get('location') ?? '')).text()).replaceAll(/\s+/g, ' ');
    assert.match(page, /You said no to the change, and the table stays as it was/);
    assert.doesNotMatch(page, /You said yes/);

    const other = await partner.request(await addVenue(service));
    const desk = await signInStaff(service, 'desk');
    const listed = async () => (await (await desk.get('/console/desk')).text()).includes(other);
    await until('the desk is to call', listed);
    await desk.post(`/console/desk/${other}`, { answer: 'yes' }, '/console/desk');
    await partner.call('modify_booking', { booking_id: other, date: CHANGED.date });
    await until('the desk is to call about the change', listed);
    const answered = await desk.post(`/console/desk/${other}`, { answer: 'no' }, '/console/desk');
    const shown = await (await desk.get(answered.headers.get('location') ?? '')).text();
    assert.match(shown, /The venue said no: the table stays as it was\. The partner is notified\./);
  });

  test('a change that nobody answers leaves the table, and the page does not thank for a yes', async () => {
    const { id, read } = await changing();
    await untilResting(service, id);
    await passTime(service, 48 * HOUR_MS);
    await partner.untilStatus(id, 'confirmed');
    const page = await read();
    assert.match(
      page,
      /The table stays as it was: .*Nothing came of the change, and the guest has been told so\./,
    );
    assert.doesNotMatch(page, /said yes/);
  });
});

test('a venue that says no to a change on the phone hears that the table stays as it was', async () => {
  const phones = await startPhoneProvider();
  const service = await startTestService({ settings: phones.settings });
  service.clock.advance(14 * HOUR_MS);
  const partner = await AskingPartner.add(service);
  const phone = '+6281755501';
  const id = await partner.request(await addVenue(service, { phone, method: 'phone' }));
  const press = async (nth: number, key: string) => {
    const call = await until('a call', () => phones.calls(phone)[nth]);
    const url = call.form.get('Url') ?? '';
    return phones.post(service, `${url}/key`, { CallSid: call.sid, Digits: key });
  };
  await press(0, '1');
  await partner.untilStatus(id, 'confirmed');
  await partner.call('modify_booking', { booking_id: id, date: CHANGED.date });
  const { text } = await press(1, '2');
  assert.match(text, /The table stays as it was, and the guest is told no/);
  assert.doesNotMatch(text, /there is no table/);
});
