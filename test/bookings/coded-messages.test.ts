import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allergenSet, VENUE_MESSAGES } from '../../src/webhooks/coded-message-sets.ts';
import { codedSentence } from '../../src/bookings/coded/coded-words.ts';
import { VENUE_LANGUAGES } from '../../src/bookings/language/venue-language.ts';
import { HOUR_MS } from '../../src/core/time.ts';
import { startReceiver } from '../callbacks/receiver.ts';
import { assertSoundPage, LOOKS, noBrowser, openBrowser, screenshot } from '../harness/browser/browser.ts';
import { signInVenue } from '../harness/people/venue.ts';
import { passTime, until } from '../harness/service/jobs.ts';
import { startTestService } from '../harness/service/service.ts';
import { refusedCode } from '../surfaces/concierge/refused.ts';
import { addVenue, AskingPartner, linkInOutbox, tap, type BookingTold } from './asking-partner.ts';

const receiver = await startReceiver();
const service = await startTestService({
  settings: {
    BASE_URL: 'http://localhost:3000',
    EGRESS_ALLOW: receiver.pair,
    BOOKING_READS_PER_MINUTE: '100000',
    BOOKING_WRITES_PER_MINUTE: '1000',
  },
});
service.clock.advance(14 * HOUR_MS);
const { pool } = service.database;
const partner = await AskingPartner.add(service);
await partner.call('set_webhook', { url: receiver.url });
let phones = 250_000;

interface Message {
  sender: string;
  code: string;
  minutes: number | null;
  allergens: string[] | null;
  at: string | null;
  seen_at: string | null;
}

type Told = Omit<BookingTold, 'timeline' | 'held'> & {
  messages: Message[];
  timeline: { event: string; sequence: number }[];
  held: { party_size: number } | null;
};

const newVenue = (languages = ['en']) =>
  addVenue(service, { phone: `+62817${++phones}`, gather: 0, languages });

/** A confirmed table, and the link of its request. */
async function confirmed(placeId: string): Promise<{ id: string; link: string }> {
  const id = await partner.request(placeId);
  const link = await linkInOutbox(service, id);
  await tap(service, link, { answer: 'yes' });
  await partner.untilStatus(id, 'confirmed');
  await passTime(service, 3 * 60_000);
  return { id, link };
}

const send = (id: string, message: Record<string, unknown>) =>
  service.request('/api/partner/bookings/message', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...partner.partner.headers },
    body: JSON.stringify({ booking_id: id, ...message }),
  });

async function sent(id: string, message: Record<string, unknown>): Promise<Told> {
  const reply = await send(id, message);
  assert.equal(reply.status, 200, await reply.clone().text());
  return (await reply.json()) as Told;
}

const status = async (id: string) => (await partner.status(id)) as unknown as Told;

/** The last text about a booking that carries a message. */
const textOf = (id: string, words: RegExp) =>
  until(`a message with ${String(words)}`, async () => {
    const [message] = await pool<{ body: string }[]>`
      select body from message where subject_id = ${id} and purpose = 'booking_message' order by sequence desc limit 1`;
    return message !== undefined && words.test(message.body) && message.body;
  });

interface Event {
  type: string;
  event: string;
  sequence: number;
  data: { booking_id: string; messages: Message[]; timeline_head: { sequence: number; hash: string } };
}

const eventsOf = (id: string) =>
  receiver.received
    .map(({ body }) => JSON.parse(body) as Event)
    .filter(({ event, data }) => event === 'message' && data.booking_id === id);

test('a message reaches the venue in its language, and its tap reaches the partner', async () => {
  const { id } = await confirmed(await newVenue(['id']));
  const told = await sent(id, { code: 'late', minutes: 15 });
  assert.deepEqual(
    told.messages.map(({ sender, code, minutes, seen_at }) => [sender, code, minutes, seen_at]),
    [['partner', 'late', 15, null]],
  );
  const body = await textOf(id, /terlambat 15 menit/);
  assert.match(body, /Waypost[^]*Guest Example[^]*\/v\//);
  const link = /(\/v\/[\w-]+)/.exec(body)?.[1] ?? '';
  await until('the message is delivered', async () =>
    (await status(id)).timeline.some(({ event }) => event === 'venue_told'),
  );
  assert.match(await (await service.request(link)).text(), /Tamu datang terlambat 15 menit/);
  assert.equal((await tap(service, link, { message: 'seen' }, '/message')).status, 303);
  const { messages, timeline, status: now } = await status(id);
  assert.equal(messages[0]?.seen_at, service.clock.now().toISOString());
  assert.equal(now, 'confirmed');
  assert.deepEqual(
    timeline.map(({ event }) => event).filter((event) => /message|venue_told/.test(event)),
    ['message_sent', 'venue_told', 'message_seen'],
  );
  const [event] = await until('the webhook', () => eventsOf(id).length === 1 && eventsOf(id));
  assert.equal(event?.type, 'booking.message');
  assert.deepEqual(event.data.messages, messages);
  const entry = timeline.find(({ sequence }) => sequence === event.sequence);
  assert.deepEqual([entry?.event, event.data.timeline_head.sequence], ['message_seen', event.sequence]);
  // A second tap acknowledges nothing more.
  await tap(service, link, { message: 'seen' }, '/message');
  assert.equal((await status(id)).timeline.length, timeline.length);
});

test('every message until it is seen is in the next text', async () => {
  const { id } = await confirmed(await newVenue());
  await sent(id, { code: 'allergies', allergens: ['nuts', 'milk', 'nuts'] });
  await textOf(id, /Allergies: nuts, milk\./);
  await sent(id, { code: 'step_free' });
  const body = await textOf(id, /step-free/);
  assert.match(body, /Allergies: nuts, milk\. The guest needs step-free access\./);
  await sent(id, { code: 'child_seat' });
  assert.equal((await status(id)).messages.length, 3);
});

test('the venue writes by a tap, and the partner gets it by webhook', async () => {
  const placeId = await newVenue();
  const { id, link } = await confirmed(placeId);
  await tap(service, link, { message: 'ready_later', at: '19:45' }, '/message');
  await tap(service, link, { message: 'please_confirm' }, '/message');
  const venue = await signInVenue(service, placeId);
  const kitchen = { booking: id, message: 'kitchen_closes', at: '22:00' };
  assert.equal((await venue.post('/venue/tables/message', kitchen, '/venue/tables')).status, 303);
  await until('three webhooks', () => eventsOf(id).length === 3);
  assert.deepEqual(
    eventsOf(id).map(({ data }) => data.messages.map(({ sender, code, at }) => [sender, code, at])),
    [
      [['venue', 'ready_later', '19:45']],
      [['venue', 'please_confirm', null]],
      [['venue', 'kitchen_closes', '22:00']],
    ],
  );
  await sent(id, { code: 'coming' });
  await venue.post('/venue/tables/seen', { booking: id }, '/venue/tables');
  assert.ok(
    (await status(id)).messages.every(({ sender, seen_at }) => sender === 'venue' || seen_at !== null),
  );
  assert.match(await (await venue.get('/venue/tables')).text(), /The guest is coming\./);
  for (const bad of [
    { message: 'ready_later', at: '' },
    { message: 'gossip', at: '19:45' },
  ])
    assert.notEqual((await tap(service, link, bad, '/message')).status, 303);
  const other = await signInVenue(service, await newVenue());
  assert.equal((await other.post('/venue/tables/message', kitchen, '/venue/rules')).status, 409);
});

test('one more or one fewer requests a change within the rules of the venue', async () => {
  const placeId = await newVenue();
  const { id } = await confirmed(placeId);
  const more = await sent(id, { code: 'one_more' });
  assert.deepEqual([more.status, more.party_size, more.held?.party_size], ['asking', 5, 4]);
  const link = await until('the change is asked', async () => {
    const [message] = await pool<{ body: string }[]>`
      select body from message where subject_id = ${id} and purpose = 'booking_change' and state = 'outbox'`;
    return /(\/v\/[\w-]+)/.exec(message?.body ?? '')?.[1];
  });
  await tap(service, link, { answer: 'yes' });
  await partner.untilStatus(id, 'confirmed');
  await pool`insert into venue_rule (place_id, kind, amount, set_at) values (${placeId}, 'max_party', 5, now())`;
  const refusal = await send(id, { code: 'one_more' });
  assert.equal(refusal.status, 409);
  assert.equal(((await refusal.json()) as { code: string }).code, 'against_venue_rule');
  assert.equal((await status(id)).party_size, 5);
  assert.equal((await sent(id, { code: 'one_fewer' })).party_size, 4);
});

test('a message is refused where there is no confirmed table, from another partner, and in a wrong form', async () => {
  const placeId = await newVenue();
  const id = await partner.request(placeId, { time: '20:30' });
  assert.equal((await send(id, { code: 'coming' })).status, 409);
  await assert.rejects(
    pool`insert into coded_message (booking_id, sequence, sender, code, sent_at) values (${id}, 1, 'partner', 'coming', now())`,
    { constraint: 'coded_message_for_confirmed' },
  );
  const table = await confirmed(placeId);
  const stranger = await AskingPartner.add(service);
  assert.equal(await refusedCode(stranger, 'cancel_booking', { booking_id: table.id }), 'booking_not_found');
  for (const bad of [
    { code: 'late' },
    { code: 'late', minutes: 4 },
    { code: 'coming', minutes: 10 },
    { code: 'allergies' },
    { code: 'allergies', allergens: ['call me at 555 123'] },
    { code: 'hello' },
  ])
    assert.ok([400, 422].includes((await send(table.id, bad)).status), JSON.stringify(bad));
  const key = { code: 'coming', idempotency_key: 'once' };
  await sent(table.id, key);
  await sent(table.id, key);
  assert.equal((await status(table.id)).messages.length, 1);
});

test('without a contact the desk calls, and its call acknowledges the message', async () => {
  const placeId = await newVenue();
  const { id } = await confirmed(placeId);
  await pool`update venue_ask set channel = 'desk' where booking_id = ${id}`;
  await pool`update place set phone = null, email = null where id = ${placeId}`;
  await sent(id, { code: 'late', minutes: 30 });
  await until('a call for the desk', async () => {
    const [ask] = await pool`
      select 1 from venue_ask where booking_id = ${id} and step = 'notify_message' and channel = 'desk' and state = 'waiting'`;
    return ask !== undefined;
  });
});

test('a rehearsal venue acknowledges by itself', async () => {
  const id = await partner.request('plc_rehearsal_yes');
  const act = async () => {
    await until('the venue has something to do', async () => {
      const [job] = await pool`
        select 1 from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
        where t.identifier = 'rehearse' and payload->>'booking_id' = ${id} and locked_at is null`;
      return job !== undefined;
    });
    await passTime(service, 10_000);
  };
  await act();
  await partner.untilStatus(id, 'confirmed');
  await sent(id, { code: 'late', minutes: 20 });
  await act();
  await until('it is seen', async () => (await status(id)).messages[0]?.seen_at !== null);
});

test('every language has a sentence for every message, and no two are alike', () => {
  for (const language of VENUE_LANGUAGES.values()) {
    const nothing = { minutes: null, allergens: null, at: null };
    const sentences = [
      codedSentence({ ...nothing, code: 'late', minutes: 15 }, language),
      codedSentence({ ...nothing, code: 'allergies', allergens: [...allergenSet.values] }, language),
      ...(['step_free', 'child_seat', 'coming'] as const).map((code) =>
        codedSentence({ ...nothing, code }, language),
      ),
      ...VENUE_MESSAGES.map((code) => codedSentence({ ...nothing, code, at: '21:45' }, language)),
    ];
    assert.equal(new Set(sentences).size, 8, language.code);
    assert.ok(sentences[0]?.includes('15'));
    assert.equal(
      new Set(allergenSet.values.map((one) => language.text(`allergen.${one}`))).size,
      14,
      language.code,
    );
  }
});

test('looked at: messages on both pages of the venue', { skip: noBrowser }, async () => {
  const placeId = await newVenue(['de']);
  const { id, link } = await confirmed(placeId);
  await sent(id, { code: 'late', minutes: 15 });
  await tap(service, link, { message: 'ready_later', at: '19:45' }, '/message');
  const venue = await signInVenue(service, placeId);
  const [name = '', value = ''] = [...venue.cookies][0] ?? [];
  for (const view of LOOKS) {
    const visit = await openBrowser(service.url, view);
    await visit.context.addCookies([{ name, value, url: service.url }]);
    for (const [shown, path] of [
      ['tap', link],
      ['tables', '/venue/tables'],
    ] as const) {
      await visit.page.goto(`${service.url}${path}`);
      await visit.page.locator('details').last().waitFor();
      await assertSoundPage(visit);
      await screenshot(visit.page, `messages ${shown} ${view.name}`);
    }
  }
});
