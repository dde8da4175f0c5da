import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { until } from '../../harness/service/jobs.ts';
import { flipSwitch } from '../../harness/service/kill-switch.ts';
import { addTestStaff, signInStaff } from '../../harness/people/staff.ts';
import { BASE_URL, startTestService } from '../../harness/service/service.ts';
import { startPhoneProvider } from '../../twilio/phone-provider.ts';
import { addVenue, AskingPartner, tap, untilResting } from '../asking-partner.ts';
import { MINUTE_MS } from '../../../src/core/time.ts';

const PREFIX: Readonly<Record<string, string>> = { ID: '+62', DE: '+49151', FR: '+336' };

describe('a venue that answers by text message', async () => {
  const provider = await startPhoneProvider();
  const service = await startTestService({
    settings: { ...provider.settings, TWILIO_REPLIES: 'on', BOOKING_READS_PER_MINUTE: '100000' },
  });
  const { pool } = service.database;
  const partner = await AskingPartner.add(service);
  let numbers = 83000000;
  let texts = 0;

  async function asked(made: Parameters<typeof addVenue>[1] = {}, change: Record<string, unknown> = {}) {
    // A number of another country than the venue's is never contacted.
    const phone = `${PREFIX[made.country ?? 'ID'] ?? ''}${++numbers}`;
    const placeId = await addVenue(service, { phone, gather: 0, ...made });
    const bookingId = await partner.request(placeId, change);
    await partner.untilStatus(bookingId, 'asking');
    return { phone, placeId, bookingId };
  }

  /** A text to our number, as the provider reports it. */
  const reply = async (From: string, Body: string, fields: Record<string, string> = {}) => {
    const MessageSid = fields['MessageSid'] ?? `SM${String(++texts).padStart(32, '0')}`;
    const form = { MessageSid, From, To: '+62361000000', Body, ...fields };
    const answer = await provider.post(service, `${BASE_URL}/twilio/replies`, form);
    assert.deepEqual([answer.status, answer.text.endsWith('<Response></Response>')], [200, true]);
  };
  const sentTo = (phone: string) => provider.texts(phone).map((form) => form.get('Body') ?? '');
  const answered = (phone: string, count: number) =>
    until(`${count} texts to ${phone}`, () => {
      const bodies = sentTo(phone);
      return bodies.length >= count ? bodies.slice(1) : undefined;
    });
  const statusOf = async (id: string) => (await partner.status(id)).status;

  test('is told the words in its own language, and each answer is confirmed in one line', async () => {
    const { phone, bookingId } = await asked({ country: 'DE', languages: [] });
    assert.match(
      sentTo(phone)[0] ?? '',
      /Antworten Sie JA, NEIN oder eine andere Uhrzeit.*\/v\/[\w-]+ \(STOP: /,
    );
    await reply(phone, 'Ja, gerne!');
    assert.equal(await statusOf(bookingId), 'confirmed');
    const [line] = await answered(phone, 2);
    assert.match(
      line ?? '',
      /^Waypost: Danke: .*\(Tisch für 4 Personen am Freitag, 20\. November, um 19:30 Uhr\)\.$/,
    );
  });

  test('says no, or offers another time of the day', async () => {
    const no = await asked();
    await reply(no.phone, 'Sorry, we are fully booked');
    assert.equal(await statusOf(no.bookingId), 'declined');
    const other = await asked();
    await reply(other.phone, '20:15 instead');
    const { status, offer, timeline } = await partner.status(other.bookingId);
    assert.deepEqual([status, offer?.time], ['offered', '20:15']);
    assert.deepEqual([timeline.at(-1)?.actor, timeline.at(-1)?.channel], ['venue', 'sms']);
    assert.match(
      (await answered(other.phone, 2))[0] ?? '',
      /we pass it on \(a table for 4 on Friday 20 November at 20:15\)/,
    );
    const passed = await asked();
    await reply(passed.phone, '00:15 instead');
    assert.equal(await statusOf(passed.bookingId), 'asking');
  });

  test('is answered once when it is not clear, the desk calls, and a clear word still counts', async () => {
    const { phone, bookingId } = await asked();
    await reply(phone, 'Who are you? We have a table <b>maybe</b>');
    const [line] = await answered(phone, 2);
    assert.equal(
      line,
      'Waypost: we did not understand. For a table for 4 on Friday 20 November at 19:30, reply YES or NO.',
    );
    await reply(phone, 'what?');
    const desk = await signInStaff(service, 'desk');
    const page = await (await desk.get('/console/desk')).text();
    const card = page.slice(page.indexOf(bookingId));
    assert.match(card, /The venue wrote: “what\?”/);
    assert.equal((await partner.status(bookingId)).timeline.at(-1)?.event, 'callback_wanted');
    await reply(phone, 'yes');
    assert.equal(await statusOf(bookingId), 'confirmed');
    assert.equal((await answered(phone, 3)).length, 2, 'one answer to what was not clear, one confirmation');
  });

  test('stops everything at once, and comes back as it was', async () => {
    const { phone, placeId, bookingId } = await asked({ country: 'FR', languages: [] });
    await reply(phone, 'STOP');
    const { status, reason } = await partner.status(bookingId);
    assert.deepEqual([status, reason], ['declined', 'venue_opted_out']);
    assert.match((await answered(phone, 2))[0] ?? '', /répondez START/);
    const method = async () => {
      const [row] = await pool<
        { method: string }[]
      >`select booking_method as method from place where id = ${placeId}`;
      return row?.method;
    };
    assert.equal(await method(), 'not_through');
    await reply(`+62${++numbers}`, 'START');
    assert.equal(await method(), 'not_through', 'another number changes nothing');
    await reply(phone, 'START');
    assert.equal(await method(), 'request');
    await answered(phone, 3);
    await reply(phone, 'Start');
    assert.equal(sentTo(phone).length, 3, 'once');
    // Also when nothing is open, and as the provider reports a word of its own.
    await reply(phone, 'Arrêt', { OptOutType: 'STOP' });
    assert.equal(await method(), 'not_through');
  });

  test('is heard once, however often the text is delivered, and only from its own number', async () => {
    const { phone, bookingId } = await asked();
    await reply(`+62${++numbers}`, 'YES');
    assert.equal(sentTo(`+62${numbers}`).length, 0, 'a stranger gets no text');
    assert.equal(await statusOf(bookingId), 'asking');
    const MessageSid = 'SMrepeated';
    await Promise.all([1, 2, 3].map(() => reply(phone, 'YES', { MessageSid })));
    assert.equal(await statusOf(bookingId), 'confirmed');
    await reply(phone, 'no', { MessageSid });
    assert.equal((await answered(phone, 2)).length, 1);
  });

  test('cannot be impersonated: what the provider did not sign is refused', async () => {
    const { phone, bookingId } = await asked();
    const form = { MessageSid: 'SMforged', From: phone, To: '+62361000000', Body: 'YES' };
    assert.equal((await provider.post(service, `${BASE_URL}/twilio/replies`, form, 'forged')).status, 400);
    assert.equal(await statusOf(bookingId), 'asking');
  });

  test('hears what stands when it writes later, and changes nothing by it', async () => {
    const { phone, bookingId } = await asked();
    await reply(phone, 'yes');
    await answered(phone, 2);
    await reply(phone, 'no');
    assert.equal(await statusOf(bookingId), 'confirmed');
    assert.match(
      (await answered(phone, 3))[1] ?? '',
      /the table is booked \(.*\)\. Questions\? A person answers/,
    );
    await reply(phone, 'thanks!');
    await reply(phone, 'whatever');
    assert.equal(sentTo(phone).length, 3, 'nothing is said to what asks nothing');
    const over = await asked();
    await partner.call('cancel_booking', { booking_id: over.bookingId });
    await reply(over.phone, 'yes');
    assert.equal(await statusOf(over.bookingId), 'cancelled');
  });

  test('with several open tables says which by the time', async () => {
    const { phone, placeId, bookingId: early } = await asked();
    const late = await partner.request(placeId, { time: '21:00', guest_name: 'Guest Late' });
    await partner.untilStatus(late, 'asking');
    await reply(phone, 'yes');
    assert.deepEqual([await statusOf(early), await statusOf(late)], ['asking', 'asking']);
    assert.match(
      (await answered(phone, 3))[1] ?? '',
      /2 requests are open\. Reply with the time too: YES 21:00/,
    );
    await reply(phone, 'Yes 19:30');
    assert.deepEqual([await statusOf(early), await statusOf(late)], ['confirmed', 'asking']);
  });

  test('that answers just as another question leaves is asked which one it means', async () => {
    const { phone, placeId, bookingId: first } = await asked();
    await reply(phone, 'no');
    await answered(phone, 2);
    const second = await partner.request(placeId, { guest_name: 'Guest Second' });
    await partner.untilStatus(second, 'asking');
    await reply(phone, 'yes');
    assert.deepEqual([await statusOf(first), await statusOf(second)], ['declined', 'asking']);
    await answered(phone, 4);
    await reply(phone, 'yes');
    assert.equal(await statusOf(second), 'confirmed');
  });

  test('answers a change by the same words, and a no leaves the table as it was', async () => {
    const { phone, bookingId } = await asked();
    await reply(phone, 'ok');
    await answered(phone, 2);
    await partner.call('modify_booking', { booking_id: bookingId, time: '20:30' });
    await until('the venue is asked about the change', async () =>
      (await partner.status(bookingId)).timeline.some(({ event }) => event === 'change_asked'),
    );
    await until('the text is out', () => sentTo(phone).length === 3);
    await reply(phone, 'no sorry');
    const { status, time } = await partner.status(bookingId);
    assert.deepEqual([status, time], ['confirmed', '19:30']);
    assert.match((await answered(phone, 4))[2] ?? '', /the table stays as it was/);
  });

  test('is still heard after the page was opened, and the page shows what was texted', async () => {
    const { phone, bookingId } = await asked();
    const link = /https:\/\/waypost\.example(\/v\/[\w-]+)/.exec(sentTo(phone)[0] ?? '')?.[1] ?? '';
    await reply(phone, 'maybe');
    await tap(service, link, { answer: 'yes' });
    await reply(phone, 'no');
    assert.equal(await statusOf(bookingId), 'confirmed');
    assert.match(await (await service.request(link)).text(), /the table is booked/);
  });

  test('is heard while bookings are halted, and hears from us when they go on', async () => {
    const { phone, bookingId } = await asked();
    const { id: staffId } = await addTestStaff(service, 'lead');
    await untilResting(service, bookingId);
    await flipSwitch(service.app.deps, { on: true, reason: 'a test', staffId });
    await reply(phone, 'no');
    assert.equal(await statusOf(bookingId), 'declined');
    assert.equal(sentTo(phone).length, 1);
    await flipSwitch(service.app.deps, { on: false, reason: 'over', staffId });
    service.clock.advance(MINUTE_MS);
    await answered(phone, 2);
  });
});
