import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TABLE_TERMS, TERM_NAMES } from '../../../../src/bookings/terms/table-terms.ts';
import { termSentences } from '../../../../src/bookings/terms/term-words.ts';
import { statedTerms } from '../../../../src/bookings/booking-server/system-terms.ts';
import { VENUE_LANGUAGES } from '../../../../src/bookings/language/venue-language.ts';
import { HOUR_MS } from '../../../../src/core/time.ts';
import { addVenue, AskingPartner, linkInOutbox, tap } from '../../../bookings/asking-partner.ts';
import {
  assertSoundPage,
  LOOKS,
  noBrowser,
  openBrowser,
  screenshot,
} from '../../../harness/browser/browser.ts';
import { callTool } from '../../../harness/clients/call-tool.ts';
import { PARTNER_MCP } from '../../../harness/people/partner.ts';
import { signInVenue } from '../../../harness/people/venue.ts';
import { startTestService } from '../../../harness/service/service.ts';

const PATH = '/venue/terms';
const service = await startTestService({
  settings: { BASE_URL: 'http://localhost:3000', BOOKING_READS_PER_MINUTE: '100000' },
});
service.clock.advance(14 * HOUR_MS);
const { pool } = service.database;
const partner = await AskingPartner.add(service);
const TABLE = { date: '2026-11-20', time: '19:30', party_size: 4, guest_name: 'Guest Example' };
let phones = 240_000;

async function newVenue() {
  const placeId = await addVenue(service, { phone: `+62817${++phones}`, gather: 0, languages: ['id'] });
  return { placeId, venue: await signInVenue(service, placeId) };
}

type Terms = Readonly<Record<string, { value: unknown; source: string; stated_at: string } | null>>;

const EMPTY = {
  ...Object.fromEntries(TERM_NAMES.map((name) => [name, ''])),
  deposit_per: 'person',
  minimum_spend_per: 'table',
  currency: '',
};
const ALL = {
  ...EMPTY,
  deposit: '20.50',
  minimum_spend: '100',
  service_charge_pct: '10',
  cancellation_hours: '24',
  hold_minutes: '15',
  children_from_age: '0',
  dress_code: 'smart_casual',
  currency: 'eur',
};

async function termsOf(placeId: string): Promise<Terms> {
  const { guest_name: _, ...table } = TABLE;
  const { table_terms } = await partner.call<{ table_terms: Terms }>('check_availability', {
    place_id: placeId,
    ...table,
  });
  return table_terms;
}

const valuesOf = (terms: Terms) =>
  Object.fromEntries(Object.entries(terms).map(([name, term]) => [name, term && term.value]));
const NOTHING = Object.fromEntries(TERM_NAMES.map((name) => [name, null]));
const VALUES = {
  deposit: { amount_minor: 2050, currency: 'EUR', per: 'person' },
  minimum_spend: { amount_minor: 10_000, currency: 'EUR', per: 'table' },
  service_charge_pct: 10,
  cancellation_hours: 24,
  hold_minutes: 15,
  children_from_age: 0,
  dress_code: 'smart_casual',
};

test('a term is null until the venue states it, and then has its value, source and day on every surface', async () => {
  const { placeId, venue } = await newVenue();
  assert.deepEqual(await termsOf(placeId), NOTHING);
  assert.equal((await venue.post(PATH, ALL, PATH)).status, 303);
  const terms = await termsOf(placeId);
  assert.deepEqual(valuesOf(terms), VALUES);
  const at = service.clock.now().toISOString();
  for (const term of Object.values(terms)) assert.deepEqual([term?.source, term?.stated_at], ['venue', at]);
  const { table_terms } = await callTool<{ table_terms: Terms }>(
    service,
    PARTNER_MCP,
    'place_details',
    { place_id: placeId },
    partner.partner.headers,
  );
  assert.deepEqual(table_terms, terms);
  const page = await (await service.request(`/p/${placeId}`)).text();
  assert.match(page, /Deposit: €20\.50 per person\.<\/li>[^]*Dress code: smart casual\./);
  assert.match(await (await venue.get(PATH)).text(), /value="20\.50"[^]*value="EUR"/);
  await venue.post(PATH, { ...EMPTY, service_charge_pct: '0' }, PATH);
  assert.deepEqual(valuesOf(await termsOf(placeId)), { ...NOTHING, service_charge_pct: 0 });
  assert.match(await (await service.request(`/p/${placeId}`)).text(), /No service charge is added/);
});

test('a booking keeps the terms of its request; the venue reads them in its language', async () => {
  const { placeId, venue } = await newVenue();
  await venue.post(PATH, ALL, PATH);
  const id = await partner.request(placeId, TABLE);
  const link = await linkInOutbox(service, id, 'mail');
  await venue.post(PATH, { ...ALL, deposit: '99' }, PATH);
  await tap(service, link, { answer: 'yes' });
  const { table_terms } = (await partner.untilStatus(id, 'confirmed')) as unknown as { table_terms: Terms };
  assert.deepEqual(valuesOf(table_terms), VALUES);
  const shown = await (await service.request(link)).text();
  assert.match(shown, /Tamu mengetahui ketentuan Anda[^]*Uang muka: [^<]*20,5[^<]* per orang\./);
  await partner.call('modify_booking', { booking_id: id, party_size: 5 });
  assert.deepEqual(
    ((await partner.status(id)) as unknown as { table_terms: Terms }).table_terms,
    table_terms,
  );
});

test('values that are no terms are refused beside their field, and the database refuses them too', async () => {
  const { placeId, venue } = await newVenue();
  for (const change of [
    { deposit: '20 EUR', currency: 'EUR' },
    { deposit: '20' },
    { deposit: '20', currency: 'QQQ' },
    { deposit: '20.55', currency: 'JPY' },
    { deposit: '-1', currency: 'EUR' },
    { minimum_spend: '1,000.00', currency: 'EUR' },
    { service_charge_pct: '51' },
    { service_charge_pct: '12.5' },
    { cancellation_hours: '0' },
    { hold_minutes: '241' },
    { children_from_age: '19' },
    { dress_code: 'pyjamas' },
  ])
    assert.equal((await venue.post(PATH, { ...EMPTY, ...change }, PATH)).status, 422, JSON.stringify(change));
  assert.deepEqual(await termsOf(placeId), NOTHING);
  for (const [term, value] of [
    ['deposit', '20'],
    ['deposit', '{"amount_minor": 2.5, "currency": "EUR", "per": "person"}'],
    ['deposit', '{"amount_minor": 2, "currency": "EUR", "per": "person", "more": 1}'],
    ['hold_minutes', '"15"'],
    ['dress_code', 'null'],
  ] as const)
    await assert.rejects(
      pool`insert into table_term values (${placeId}, ${term}, 'venue', ${value}::text::jsonb, now())`,
      { constraint: 'table_term_value_form' },
      value,
    );
});

test('a stranger and another venue change nothing', async () => {
  const [own, other] = [await newVenue(), await newVenue()];
  await own.venue.post(PATH, ALL, PATH);
  assert.equal((await service.request(PATH, { redirect: 'manual' })).status, 401);
  await other.venue.post(PATH, EMPTY, PATH);
  assert.deepEqual(valuesOf(await termsOf(own.placeId)), VALUES);
});

test('the terms of a venue system are exact, or left out', () => {
  const terms = (deposit: unknown) =>
    statedTerms({ booking_id: 'b', status: 'CONFIRMED', payment_information: { deposit } });
  const price = { price_micros: '20500000', currency_code: 'EUR' };
  assert.deepEqual(
    terms({ deposit: price, deposit_type: 'PER_PERSON', min_advance_cancellation_sec: '86400' }),
    { deposit: { amount_minor: 2050, currency: 'EUR', per: 'person' }, cancellation_hours: 24 },
  );
  assert.deepEqual(terms({ deposit: { ...price, currency_code: 'JPY', price_micros: 3_000_000_000 } }), {
    deposit: { amount_minor: 3000, currency: 'JPY', per: 'table' },
  });
  assert.deepEqual(terms({ deposit: { ...price, currency_code: 'JPY' } }), {}, 'a part of a yen');
  assert.deepEqual(terms({ deposit: price, min_advance_cancellation_sec: '5400' }), {
    deposit: { amount_minor: 2050, currency: 'EUR', per: 'table' },
  });
  for (const deposit of [
    {},
    { deposit: {} },
    { deposit: price, deposit_type: 'PER_MOON' },
    'twenty euros',
    null,
  ])
    assert.deepEqual(terms(deposit), {});
});

test('every language has a sentence for every term', () => {
  const stated = Object.fromEntries(
    Object.entries(VALUES).map(([name, value]) => [
      name,
      { value: value === 0 ? 6 : value, source: 'venue', stated_at: '' },
    ]),
  );
  for (const language of VENUE_LANGUAGES.values()) {
    const sentences = termSentences(stated, language);
    assert.equal(sentences.length, Object.keys(TABLE_TERMS).length, language.code);
    assert.equal(new Set(sentences).size, sentences.length, language.code);
    for (const number of ['20', '100', '10', '24', '15', '6'])
      assert.ok(
        sentences.some((one) => one.includes(number)),
        `${language.code} ${number}`,
      );
  }
});

test('looked at: terms', { skip: noBrowser }, async () => {
  const { placeId, venue } = await newVenue();
  await venue.post(PATH, ALL, PATH);
  const link = await linkInOutbox(service, await partner.request(placeId, TABLE), 'mail');
  const [name = '', value = ''] = [...venue.cookies][0] ?? [];
  for (const view of LOOKS) {
    const visit = await openBrowser(service.url, view);
    await visit.context.addCookies([{ name, value, url: service.url }]);
    for (const [shown, path, words] of [
      ['form', PATH, 'Save these terms'],
      ['tap', link, 'Tamu mengetahui'],
      ['place', `/p/${placeId}`, 'Deposit: €20.50'],
    ] as const) {
      await visit.page.goto(`${service.url}${path}`);
      await visit.page.getByText(words).first().waitFor();
      await assertSoundPage(visit);
      await screenshot(visit.page, `terms ${shown} ${view.name}`);
    }
  }
});
