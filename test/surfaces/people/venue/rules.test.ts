import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileHours } from '../../../../src/directory/hours/compile/compile-hours.ts';
import { DAY_MS, HOUR_MS } from '../../../../src/core/time.ts';
import { addVenue, AskingPartner, linkInOutbox, tap } from '../../../bookings/asking-partner.ts';
import { callTool } from '../../../harness/clients/call-tool.ts';
import {
  assertSoundPage,
  LOOKS,
  noBrowser,
  openBrowser,
  screenshot,
} from '../../../harness/browser/browser.ts';
import { PARTNER_MCP } from '../../../harness/people/partner.ts';
import { signInVenue } from '../../../harness/people/venue.ts';
import { passTime } from '../../../harness/service/jobs.ts';
import { startTestService } from '../../../harness/service/service.ts';
import { refused } from '../../concierge/refused.ts';

const PATH = '/venue/rules';
const service = await startTestService({
  settings: {
    BASE_URL: 'http://localhost:3000',
    BOOKING_READS_PER_MINUTE: '100000',
    BOOKING_WRITES_PER_MINUTE: '1000',
  },
});
service.clock.advance(14 * HOUR_MS);
const { pool } = service.database;
const partner = await AskingPartner.add(service);
const TABLE = { date: '2026-11-20', time: '19:30', party_size: 4, guest_name: 'Guest Example' };
let phones = 200_000;

const newPlace = () => addVenue(service, { phone: `+62817${++phones}`, gather: 0 });

async function newVenue() {
  const placeId = await newPlace();
  return { placeId, venue: await signInVenue(service, placeId) };
}

interface Checked {
  refusal: string | null;
  venue_rules: string[];
}

const check = (placeId: string, change: object = {}) => {
  const { guest_name: _, ...table } = TABLE;
  return partner.call<Checked>('check_availability', { place_id: placeId, ...table, ...change });
};

async function expectRefused(placeId: string, change: object, words: RegExp): Promise<void> {
  assert.equal((await check(placeId, change)).refusal, 'against_venue_rule');
  const { code, text } = await refused(partner, 'request_table', { place_id: placeId, ...TABLE, ...change });
  assert.equal(code, 'against_venue_rule');
  assert.match(text, words);
}

const NOTHING = { max_party: '', notice: '', last_seating: '', max_stay: '', not_offered: '' };

test('each rule is checked before anybody is asked, and refused with its words', async () => {
  const { placeId, venue } = await newVenue();
  const rules = {
    max_party: '6',
    notice: '3',
    last_seating: '21:00',
    max_stay: '90',
    not_offered: 'tables outside',
  };
  assert.equal((await venue.post(`${PATH}/tables`, rules, PATH)).status, 303);
  await venue.post(PATH, { kind: 'closed', from: '2026-12-24', until: '2026-12-26' });
  await venue.post(PATH, { kind: 'full', from: '2026-11-21', until: '' });
  await expectRefused(placeId, { party_size: 7 }, /at most 6 people/);
  await expectRefused(placeId, { time: '21:15' }, /last seating is at 21:00/);
  await expectRefused(placeId, { time: '00:30' }, /last seating/);
  await expectRefused(placeId, { date: '2026-12-26' }, /closed from 2026-12-24 to 2026-12-26/);
  await expectRefused(placeId, { date: '2026-11-21' }, /full on 2026-11-21/);
  const soon = new Date(service.clock.now().getTime() + 10 * HOUR_MS).toISOString().slice(11, 16);
  await expectRefused(
    placeId,
    { date: service.clock.now().toISOString().slice(0, 10), time: soon },
    /180 minutes before/,
  );
  const { refusal, venue_rules: said } = await check(placeId);
  assert.equal(refusal, null);
  assert.ok(
    said.includes('A table is for at most 90 minutes.') &&
      said.some((rule) => rule.includes('tables outside')),
  );
  assert.ok(await partner.request(placeId, TABLE));
  await venue.post(`${PATH}/tables`, NOTHING, PATH);
  assert.equal((await check(placeId, { party_size: 7 })).refusal, null);
});

test('a change against a rule is refused, and the confirmed table stays', async () => {
  const placeId = await newPlace();
  const id = await partner.request(placeId, TABLE);
  await tap(service, await linkInOutbox(service, id), { answer: 'yes' });
  const venue = await signInVenue(service, placeId);
  await venue.post(`${PATH}/tables`, { ...NOTHING, max_party: '4' }, PATH);
  assert.equal(
    (await refused(partner, 'modify_booking', { booking_id: id, party_size: 5 })).code,
    'against_venue_rule',
  );
  assert.equal((await partner.status(id)).status, 'confirmed');
  await assert.rejects(
    pool`update booking set revision = revision + 1, status = 'asking', party_size = 5 where id = ${id}`,
    { constraint: 'booking_within_venue_rules' },
  );
});

test('one tap says no and ends the requests of that day; undoing the answer ends the rule', async () => {
  const placeId = await newPlace();
  const [first, second] = [
    await partner.request(placeId, TABLE),
    await partner.request(placeId, { ...TABLE, date: '2026-11-21' }),
  ];
  const link = await linkInOutbox(service, first);
  await partner.untilStatus(first, 'asking');
  assert.equal((await tap(service, link, { answer: 'full' })).status, 303);
  assert.equal((await partner.status(first)).status, 'declined');
  await expectRefused(placeId, { time: '12:00' }, /full on 2026-11-20/);
  assert.notEqual((await partner.status(second)).status, 'declined', 'another day is not concerned');
  assert.equal((await tap(service, link, {}, '/undo')).status, 303);
  assert.equal((await check(placeId)).refusal, null);
});

test('a request that waits for the morning is not sent against a rule of the evening', async () => {
  const { placeId, venue } = await newVenue();
  await passTime(service, 8 * HOUR_MS);
  const id = await partner.request(placeId, { ...TABLE, date: '2026-11-22' });
  await venue.post(PATH, { kind: 'full', from: '2026-11-22', until: '' });
  await passTime(service, 10 * HOUR_MS);
  const { reason, timeline } = await partner.untilStatus(id, 'cancelled');
  assert.equal(reason, 'against_venue_rule');
  assert.ok(timeline.every(({ event }) => event !== 'asking'));
});

test('a closed day changes open_now and ends by itself', async () => {
  const { placeId, venue } = await newVenue();
  const now = service.clock.now();
  const local = { lat: -8.4, lng: 115.2, country: 'ID', regions: [], timezone: 'Asia/Makassar', now };
  const hours = {
    text: '24/7',
    source: 'owner',
    observed_at: now.toISOString(),
    compiled: compileHours('24/7', local),
  };
  await pool`update place set hours = ${pool.json(hours)} where id = ${placeId}`;
  const isOpen = async () => {
    const { open_now } = await callTool<{ open_now: boolean }>(
      service,
      PARTNER_MCP,
      'place_details',
      { place_id: placeId },
      partner.partner.headers,
    );
    return open_now;
  };
  assert.equal(await isOpen(), true);
  const today = new Date(now.getTime() + 8 * HOUR_MS).toISOString().slice(0, 10);
  const post = () => venue.post(PATH, { kind: 'closed', from: today, until: '' });
  await post();
  assert.equal(await isOpen(), false);
  const rule = /name="rule" value="(\d+)"/.exec(await (await venue.get(PATH)).text())?.[1] ?? '';
  assert.equal((await venue.post(`${PATH}/end`, { rule }, PATH)).status, 303);
  assert.equal(await isOpen(), true);
  await post();
  await passTime(service, DAY_MS);
  assert.equal(await isOpen(), true);
  assert.doesNotMatch(await (await venue.get(PATH)).text(), /name="rule"/);
});

test('bad rules are refused beside their field, and a venue ends only its own', async () => {
  const [own, other] = [await newVenue(), await newVenue()];
  await other.venue.post(PATH, { kind: 'closed', from: '2026-12-24', until: '' });
  const [row] = await pool<
    { id: string }[]
  >`select id::text as id from venue_rule where place_id = ${other.placeId}`;
  assert.equal((await own.venue.post(`${PATH}/end`, { rule: row?.id ?? '' }, PATH)).status, 409);
  for (const [path, fields] of [
    [PATH, { kind: 'closed', from: '2020-01-01', until: '' }],
    [PATH, { kind: 'closed', from: '2026-12-24', until: '2026-12-20' }],
    [PATH, { kind: 'closed', from: '2026-12-24', until: '2030-12-20' }],
    [`${PATH}/tables`, { ...NOTHING, max_party: '31' }],
    [`${PATH}/tables`, { ...NOTHING, not_offered: 'write to a@b.example' }],
  ] as const)
    assert.equal((await own.venue.post(path, fields, PATH)).status, 422, JSON.stringify(fields));
  const [count] = await pool`select count(*)::int as rules from venue_rule where place_id = ${own.placeId}`;
  assert.equal(count?.['rules'], 0);
});

test('looked at: days and rules', { skip: noBrowser }, async () => {
  const { venue } = await newVenue();
  await venue.post(PATH, { kind: 'closed', from: '2026-12-24', until: '2026-12-26' });
  const [name = '', value = ''] = [...venue.cookies][0] ?? [];
  for (const view of LOOKS) {
    const visit = await openBrowser(service.url, view);
    await visit.context.addCookies([{ name, value, url: service.url }]);
    await visit.page.goto(`${service.url}${PATH}`);
    await visit.page.getByText('24 December').waitFor();
    await assertSoundPage(visit);
    await screenshot(visit.page, `venue rules ${view.name}`);
  }
});
