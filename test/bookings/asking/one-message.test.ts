import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { passTime, until } from '../../harness/service/jobs.ts';
import { startTestService } from '../../harness/service/service.ts';
import { addVenue, AskingPartner, tap, untilResting } from '../asking-partner.ts';
import { HOUR_MS, MINUTE_MS } from '../../../src/core/time.ts';

describe('a venue that several guests ask about the same evening', async () => {
  const service = await startTestService({ settings: { BOOKING_READS_PER_MINUTE: '100000' } });
  const { pool } = service.database;
  // Ten in the morning where the venues are.
  service.clock.advance(14 * HOUR_MS);
  const partners = [await AskingPartner.add(service), await AskingPartner.add(service)] as const;
  let phones = 1000;
  let placeId = '';

  beforeEach(async () => {
    placeId = await addVenue(service, { phone: `+628170${++phones}` });
  });

  const messages = () =>
    pool<{ subject: string; body: string; purpose: string }[]>`
      select m.subject, m.body, m.purpose from message m join venue_ask a on a.message_id = m.id
      join booking b on b.id = a.booking_id where b.place_id = ${placeId} and m.state = 'outbox'
      group by m.id order by m.sequence`;

  /** One request at once, and three that are gathered: of two partners, for three guests. */
  async function asked(change: Record<string, unknown> = {}): Promise<string[]> {
    const first = await partners[0].request(placeId, { guest_name: 'Guest One', ...change });
    await partners[0].untilStatus(first, 'asking');
    const ids = [first];
    for (const [at, name] of ['Two', 'Three', 'Four'].entries())
      ids.push(
        await (at === 1 ? partners[1] : partners[0]).request(placeId, {
          guest_name: `Guest ${name}`,
          time: `2${at}:00`,
          ...(at === 2 && { party_size: 2 }),
        }),
      );
    for (const id of ids) await untilResting(service, id);
    return ids;
  }
  const statusOf = async (id: string) => {
    const [row] = await pool<{ status: string }[]>`select status from booking where id = ${id}`;
    return row?.status;
  };

  test('hears of the first at once, and of all the others in one message, from any partner', async () => {
    const ids = await asked();
    assert.equal((await messages()).length, 1);
    for (const id of ids.slice(1)) assert.equal(await statusOf(id), 'sent');
    await passTime(service, 15 * MINUTE_MS);
    for (const id of ids) await until(`${id} is asked`, async () => (await statusOf(id)) === 'asking');
    const [, together, ...more] = await messages();
    assert.equal(more.length, 0);
    assert.equal(together?.subject, 'Do you have 3 tables on Friday 20 November?');
    for (const words of ['Guest Two', 'Guest Three', 'Guest Four', 'a table for 2', 'at 20:00', 'at 21:00'])
      assert.ok(together.body.includes(words), words);
    assert.equal(together.body.match(/\/v\//g)?.length, 1);
  });

  test('answers each table by itself, behind one link, and can take each answer back', async () => {
    const ids = await asked();
    await passTime(service, 15 * MINUTE_MS);
    const link = await until(
      'the message',
      async () => /\/v\/[\w-]+/.exec((await messages())[1]?.body ?? '')?.[0],
    );
    for (const id of ids) await until(`${id} is asked`, async () => (await statusOf(id)) === 'asking');
    const read = async () => (await service.request(link, { headers: { accept: 'text/html' } })).text();
    const asks = [...(await read()).matchAll(/name="ask" value="(\d+)"/g)].map(([, id = '']) => id);
    const [two = '', three = '', four = ''] = [...new Set(asks)];
    await tap(service, link, { answer: 'yes', ask: two });
    await tap(service, link, { answer: 'no', ask: three });
    await tap(service, link, { answer: 'offer', offer_time: '21:30', ask: four });
    const statuses = () => Promise.all(ids.slice(1).map(statusOf));
    assert.deepEqual(await statuses(), ['confirmed', 'declined', 'offered']);
    assert.equal(await statusOf(ids[0] ?? ''), 'asking');
    await tap(service, link, { ask: three }, '/undo');
    assert.deepEqual(await statuses(), ['confirmed', 'asking', 'offered']);
    assert.equal(
      (await tap(service, link, { answer: 'yes', ask: '1' })).status,
      404,
      'no question of this link',
    );
    const shown = await read();
    assert.match(shown, /3 tables on Friday 20 November/);
    assert.match(shown, /the table is booked/);
  });

  test('reads of all of them in its own language', async () => {
    await pool`update place set languages = '{hr}' where id = ${placeId}`;
    const ids = await asked();
    await passTime(service, 15 * MINUTE_MS);
    for (const id of ids) await until(`${id} is asked`, async () => (await statusOf(id)) === 'asking');
    const [, together] = await messages();
    assert.equal(together?.subject, 'Imate li 3 stola (petak, 20. studenoga)?');
    const link =
      /Odgovorite za svaki stol jednim dodirom: https:\/\/[^/]+(\S+)\n/.exec(together.body)?.[1] ?? '';
    const page = await (await service.request(link)).text();
    assert.match(page, /<h1>3 stola, petak, 20\. studenoga<\/h1>/);
    assert.equal(page.match(/<h2>Imate li ovaj stol\?<\/h2>/g)?.length, 3);
  });

  test('is reminded of all of them in one message, and told of each that is taken back', async () => {
    const ids = await asked();
    await passTime(service, 15 * MINUTE_MS);
    for (const id of ids) await until(`${id} is asked`, async () => (await statusOf(id)) === 'asking');
    await partners[0].call('cancel_booking', { booking_id: ids[1] });
    for (const id of ids.slice(2)) await untilResting(service, id);
    await passTime(service, 46 * MINUTE_MS);
    const reminders = await until('reminders', async () => {
      const sent = (await messages()).filter(({ purpose }) => purpose === 'booking_reminder');
      const text = sent.map(({ body }) => body).join();
      return ['One', 'Three', 'Four'].every((name) => text.includes(name)) && sent;
    });
    assert.ok(reminders.length <= 2, 'one for the first message, one for the second');
    assert.ok(!reminders.some(({ body }) => body.includes('Guest Two')));
    const cancellations = async () =>
      (await messages()).filter(({ purpose }) => purpose === 'booking_cancelled').length;
    await until('the cancellation', async () => (await cancellations()) > 0);
    assert.equal(await cancellations(), 1);
  });

  test('asked at night, hears of all in the morning, in one message', async () => {
    service.clock.advance(13 * HOUR_MS);
    const ids = [];
    for (const [at, partner] of [...partners, partners[0]].entries())
      ids.push(await partner.request(placeId, { guest_name: `Night ${at}`, date: '2026-11-22' }));
    for (const id of ids) await untilResting(service, id);
    assert.equal((await messages()).length, 0);
    await passTime(service, 11 * HOUR_MS);
    for (const id of ids) await until(`${id} is asked`, async () => (await statusOf(id)) === 'asking');
    assert.deepEqual(
      (await messages()).map(({ subject }) => subject),
      ['Do you have 3 tables on Sunday 22 November?'],
    );
  });

  test('that wants each at once gets each at once, and another evening is another message', async () => {
    await pool`update place set batch_minutes = 0 where id = ${placeId}`;
    for (const name of ['One', 'Two']) {
      const id = await partners[0].request(placeId, { guest_name: `At once ${name}`, date: '2026-11-23' });
      await partners[0].untilStatus(id, 'asking');
    }
    assert.equal((await messages()).length, 2);
    await pool`update place set batch_minutes = 15 where id = ${placeId}`;
    const other = await partners[0].request(placeId, { guest_name: 'Other evening', date: '2026-11-24' });
    await partners[0].untilStatus(other, 'asking');
    assert.equal((await messages()).length, 3);
  });

  test('gets no more requests than its daily limit, from all partners together', async () => {
    const [first, second] = partners;
    await pool`update place set batch_minutes = 0 where id = ${placeId}`;
    const left = async () =>
      (
        await second.call<{ venue_asks_left_today: number }>('check_availability', {
          place_id: placeId,
          date: '2026-11-25',
          time: '19:30',
          party_size: 2,
        })
      ).venue_asks_left_today;
    const before = await left();
    await first.request(placeId, { guest_name: 'Share', date: '2026-11-25' });
    assert.equal(await left(), before - 1);
  });
});
