import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { until } from '../../harness/service/jobs.ts';
import { signInStaff } from '../../harness/people/staff.ts';
import { BASE_URL, startTestService } from '../../harness/service/service.ts';
import { startPhoneProvider } from '../../twilio/phone-provider.ts';
import { addVenue, AskingPartner, tap } from '../asking-partner.ts';

describe('a venue that is reached by phone', async () => {
  const provider = await startPhoneProvider();
  const service = await startTestService({ settings: provider.settings });
  const partner = await AskingPartner.add(service);
  let numbers = 81000000;

  /** A request that became a call, and the address under which the provider fetches what to say. */
  async function call({
    code = 62,
    ...made
  }: { country?: string; code?: number; languages?: string[] } = {}) {
    const phone = `+${code}${++numbers}`;
    const bookingId = await partner.request(await addVenue(service, { phone, method: 'phone', ...made }));
    await partner.untilStatus(bookingId, 'asking');
    const [placed, ...more] = provider.calls(phone);
    assert.ok(placed !== undefined && more.length === 0, 'one call and no more');
    const url = placed.form.get('Url') ?? '';
    assert.ok(url.startsWith(`${BASE_URL}/twilio/calls/`));
    const say = (path: string, fields: Record<string, string>) =>
      provider.post(service, url + path, { CallSid: placed.sid, ...fields });
    return { bookingId, phone, url, placed, say };
  }

  test('the call says what is asked, and a key is the answer: 1 books the table', async () => {
    const { bookingId, placed, url, say } = await call();
    assert.equal(placed.form.get('From'), '+62361000000');
    assert.equal(placed.form.get('StatusCallback'), `${url}/status`);
    const { status, text } = await say('', { CallStatus: 'in-progress' });
    assert.equal(status, 200);
    assert.match(text, /<Response><Say[^>]*>Hello, Warung Senja/);
    assert.match(text, /a table for 4 on Friday 20 November at 19:30/);
    assert.match(text, /For yes, press 1. For no, press 2. To offer another time, press 3/);
    assert.ok(text.includes(`action="${url}/key"`));
    const answered = await say('/key', { Digits: '1' });
    assert.match(answered.text, /the table is booked/);
    const { booked, confirmation } = await partner.status(bookingId);
    assert.deepEqual([booked, confirmation?.by], [true, 'venue']);
    // The call ends after the answer, and that changes nothing any more.
    await say('/status', { CallStatus: 'completed' });
    assert.equal((await partner.status(bookingId)).status, 'confirmed');
    assert.match((await say('', {})).text, /This request has ended/);
  });

  test('the call is spoken in the language of the venue', async () => {
    const { say } = await call({ languages: [] });
    const { text } = await say('', { CallStatus: 'in-progress' });
    assert.match(text, /<Say language="id-ID">Halo, Warung Senja\. Ini adalah permintaan meja\.</);
    assert.match(
      text,
      /meja untuk 4 orang pada Jumat, 20 November, pukul 19\.30\? Atas nama: Guest Example, tamu dari Test Partner\./,
    );
    assert.match(text, /Untuk ya, tekan 1/);
    assert.doesNotMatch(text, /language="en/);
    assert.match((await say('/key', { Digits: '3' })).text, /<Say language="id-ID">Terima kasih\. Staf kami/);
  });

  test('and in English where nothing can speak that language', async () => {
    const { say } = await call({ country: 'HR', code: 385, languages: [] });
    const { text } = await say('', {});
    assert.match(text, /<Say language="en-GB">Hello, Warung Senja/);
    assert.match(text, /do you have a table for 4 on Friday 20 November at 19:30/);
    assert.match((await say('/key', { Digits: '2' })).text, /<Say language="en-GB">Thank you/);
  });

  test('2 is a no', async () => {
    const { bookingId, say } = await call();
    await say('/key', { Digits: '2' });
    assert.equal((await partner.status(bookingId)).status, 'declined');
  });

  test('another key is asked again, and changes nothing', async () => {
    const { bookingId, say } = await call();
    for (const Digits of ['9', '*', ''])
      assert.match((await say('/key', { Digits })).text, /For yes, press 1/);
    assert.equal((await partner.status(bookingId)).status, 'asking');
  });

  test('3 is recorded as said, and the desk that calls back knows why', async () => {
    const { bookingId, say } = await call();
    assert.match((await say('/key', { Digits: '3' })).text, /A person from our desk calls you soon/);
    await say('/status', { CallStatus: 'completed' });
    const { status, timeline } = await partner.status(bookingId);
    assert.equal(status, 'asking');
    const last = timeline.at(-1);
    assert.deepEqual([last?.event, last?.actor, last?.channel], ['callback_wanted', 'venue', 'phone']);
    const desk = await signInStaff(service, 'desk');
    const page = await (await desk.get('/console/desk')).text();
    assert.match(page.slice(page.indexOf(bookingId)), /The venue wants to offer another time\./);
    await desk.post(`/console/desk/${bookingId}`, { answer: 'offer', offer_time: '20:15' }, '/console/desk');
    assert.equal((await partner.status(bookingId)).offer?.time, '20:15');
  });

  test('3, an engaged line, silence and a voice mailbox all lead to a person at the desk', async () => {
    const ways: ((made: Awaited<ReturnType<typeof call>>) => Promise<unknown>)[] = [
      ({ say }) => say('/key', { Digits: '3' }),
      ({ say }) => say('/status', { CallStatus: 'busy' }),
      ({ say }) => say('/status', { CallStatus: 'no-answer' }),
      ({ say }) => say('/status', { CallStatus: 'completed' }),
    ];
    for (const way of ways) {
      const made = await call();
      await way(made);
      await until('the desk has it', async () => {
        const [row] = await service.database.pool`
          select 1 from venue_ask where booking_id = ${made.bookingId} and channel = 'desk' and state = 'waiting'`;
        return row !== undefined;
      });
      assert.equal(provider.calls(made.phone).length, 1, 'a machine does not call twice');
    }
  });

  test('nobody but the provider may answer for the venue', async () => {
    const { bookingId, url } = await call();
    assert.equal((await provider.post(service, `${url}/key`, { Digits: '1' }, 'forged')).status, 400);
    assert.equal((await service.request(url.replace(BASE_URL, ''))).status, 405);
    assert.equal((await partner.status(bookingId)).status, 'asking');
    assert.equal((await provider.post(service, `${BASE_URL}/twilio/calls/999999`, {})).status, 404);
  });

  test('a text with a tap link goes out by the provider, and one that the carrier lost leads on', async () => {
    const phone = `+62${++numbers}`;
    const bookingId = await partner.request(await addVenue(service, { phone }));
    await partner.untilStatus(bookingId, 'asking');
    const [text, ...more] = provider.texts(phone);
    assert.equal(more.length, 0);
    const body = text?.get('Body') ?? '';
    const link = /https:\/\/waypost\.example(\/v\/[\w-]+)/.exec(body)?.[1] ?? '';
    assert.match(
      body,
      /^Waypost to Warung Senja: do you have a table for 4 on Friday 20 November at 19:30\? Name: Guest Example, a guest of Test Partner\. Please answer by Sunday 11:\d\d, your time\./,
    );
    const url = text?.get('StatusCallback') ?? '';
    await provider.post(service, url, { MessageStatus: 'undelivered' });
    const failed = await until('the channel failed', async () => {
      const { timeline } = await partner.status(bookingId);
      return timeline.find(({ event }) => event === 'channel_failed');
    });
    assert.equal(failed.channel, 'sms');
    await tap(service, link, { answer: 'yes' });
  });
});
