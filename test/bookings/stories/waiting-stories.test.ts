import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { advanceBooking } from '../../../src/bookings/asking/advance-booking.ts';
import { requeueLostBookings } from '../../../src/bookings/maintenance/requeue-lost-bookings.ts';
import { transactionsOf, violatedConstraint } from '../../../src/core/postgres/db.ts';
import { HOUR_MS, MINUTE_MS } from '../../../src/core/time.ts';
import { addTestStaff } from '../../harness/people/staff.ts';
import { signInVenue } from '../../harness/people/venue.ts';
import { passTime, until } from '../../harness/service/jobs.ts';
import { flipSwitch } from '../../harness/service/kill-switch.ts';
import { startTestService } from '../../harness/service/service.ts';
import { startSmtp } from '../../messages/smtp-receiver.ts';
import { refused, refusedCode } from '../../surfaces/concierge/refused.ts';
import {
  addVenue,
  AskingPartner,
  linkIn,
  nonceOf,
  tap,
  untilResting,
  type BookingTold,
} from '../asking-partner.ts';

type Waiting = BookingTold & {
  wait_until: string | null;
  waiting: { since: string; until: string; ahead: number } | null;
};

interface Hook {
  event: string;
  previous: string | null;
  reason: string | null;
  waiting: { until: string; ahead: number } | null;
  offered: string | null;
}

describe('a guest who waits for a table of a full venue', async () => {
  const smtp = await startSmtp();
  const service = await startTestService({
    settings: {
      SMTP_URL: smtp.url,
      MAIL_FROM: 'post@waypost.example',
      BOOKING_READS_PER_MINUTE: '100000',
      BOOKING_WRITES_PER_MINUTE: '100000',
    },
  });
  // Ten in the morning where the venues are: nobody is asked at night.
  service.clock.advance(14 * HOUR_MS);
  const { pool } = service.database;
  const { deps } = service.app;
  const partner = await AskingPartner.add(service);
  await pool`
    insert into webhook_endpoint (partner_id, url, sealed_secret, created_at, changed_at)
    values (${partner.partner.partnerId}, 'https://partner.example/hook', 'x', now(), now())`;
  const { id: staffId } = await addTestStaff(service, 'lead');
  /** Two days before the table at most of them. */
  const FRIDAY = '2026-11-20T09:00:00Z';
  let made = 0;

  async function venue() {
    const email = `waiting-${++made}@venue.example`;
    return { email, placeId: await addVenue(service, { email, name: `Venue ${made}`, gather: 0 }) };
  }

  /** Nobody is asked in the evening: from six on, the test goes on at ten in the next morning. */
  async function morning() {
    const hour = new Date(service.clock.now().getTime() + 8 * HOUR_MS).getUTCHours();
    if (hour >= 18 || hour < 9) await passTime(service, ((34 - hour) % 24) * HOUR_MS);
  }

  async function asked(change: Record<string, unknown> = {}) {
    await morning();
    const one = await venue();
    const bookingId = await partner.request(one.placeId, { wait_until: FRIDAY, ...change });
    await partner.untilStatus(bookingId, 'asking');
    return { ...one, bookingId, link: await linkIn(smtp, one.email) };
  }

  /** A guest whom the venue has told that it is full. */
  async function waiting(change: Record<string, unknown> = {}) {
    const one = await asked(change);
    await tap(service, one.link, { answer: 'no' });
    assert.ok((await statusOf(one.bookingId)).waiting);
    return one;
  }

  const statusOf = async (bookingId: string) => (await partner.status(bookingId)) as Waiting;

  function hooksOf(bookingId: string) {
    return pool<Hook[]>`
      select event, data->>'previous_status' as previous, data->>'reason' as reason, data->'waiting' as waiting,
        data->'offer'->>'time' as offered
      from webhook_delivery where booking_id = ${bookingId} order by number`;
  }

  const eventsOf = async (bookingId: string) => (await hooksOf(bookingId)).map(({ event }) => event);
  const mailsTo = (email: string) => smtp.mails.filter(({ to }) => to.includes(email));
  const pageOf = async (link: string) =>
    (await service.request(link, { headers: { accept: 'text/html' } })).text();
  const accept = async (bookingId: string) => {
    const { offer } = await statusOf(bookingId);
    return partner.call<Waiting>('modify_booking', { booking_id: bookingId, accept_offer: offer?.offer_id });
  };

  test('waits after the no, is offered the table that becomes free, and has it once the partner accepts', async () => {
    const { bookingId, link, email } = await asked();
    await tap(service, link, { answer: 'no' });
    const waits = await statusOf(bookingId);
    assert.deepEqual([waits.status, waits.booked], ['asking', false]);
    assert.deepEqual([waits.waiting?.until, waits.waiting?.ahead], [FRIDAY.replace('Z', '.000Z'), 0]);
    assert.equal(waits.timeline.at(-1)?.event, 'waiting');
    const shown = await pageOf(link);
    assert.match(shown, /The guest waits for a free table/);
    assert.match(shown, /Waits until.*Friday/s);
    await tap(service, link, { answer: 'free' });
    const offered = await statusOf(bookingId);
    assert.deepEqual([offered.status, offered.offer?.time, offered.waiting], ['offered', '19:30', null]);
    const { expires_at } = offered.offer as unknown as { expires_at: string };
    assert.equal(Date.parse(expires_at) - service.clock.now().getTime(), 2 * HOUR_MS);
    const { status, confirmation } = await accept(bookingId);
    assert.deepEqual([status, confirmation?.by], ['confirmed', 'venue']);
    const told = await until('the venue hears of it', () => mailsTo(email)[1]);
    assert.match(told.text.replaceAll(/=?\r\n/g, ' '), /we take your offer/);
    assert.deepEqual(
      (await hooksOf(bookingId)).map(({ event, previous, waiting: wait, offered: time }) => [
        event,
        previous,
        wait?.ahead,
        time,
      ]),
      [
        ['sent', null, undefined, null],
        ['asking', 'sent', undefined, null],
        ['asking', 'asking', 0, null],
        ['offered', 'asking', undefined, '19:30'],
        ['confirmed', 'offered', undefined, null],
      ],
    );
  });

  test('nobody else is asked and no reminder goes out while the guest waits', async () => {
    const { bookingId, email } = await waiting();
    await untilResting(service, bookingId);
    await passTime(service, 4 * HOUR_MS);
    await untilResting(service, bookingId);
    assert.equal(mailsTo(email).length, 1);
    const asks = await pool`select channel, step from venue_ask where booking_id = ${bookingId}`;
    assert.equal(asks.length, 1);
  });

  test('the venue sees who waits in the order of joining, and may choose; a declined table goes to the next', async () => {
    await morning();
    const { placeId } = await venue();
    const names = ['First Guest', 'Second Guest'];
    const ids: string[] = [];
    for (const guest_name of names) {
      const id = await partner.request(placeId, { guest_name, wait_until: FRIDAY });
      ids.push(id);
      const link = await linkOf(id);
      await tap(service, link, { answer: 'no' });
      await passTime(service, MINUTE_MS);
    }
    const [first = '', second = ''] = ids;
    assert.deepEqual(
      [(await statusOf(first)).waiting?.ahead, (await statusOf(second)).waiting?.ahead],
      [0, 1],
    );
    const area = await signInVenue(service, placeId);
    const list = await (await area.get('/venue/tables')).text();
    assert.match(list, /Guests who wait for a table.*First Guest.*Second Guest/s);
    const free = { revision: '1', answer: 'free' };
    const given = await area.post('/venue/tables/answer', { ...free, booking: first }, '/venue/tables');
    assert.equal(given.headers.get('location'), '/venue/tables?done=free');
    await partner.call('modify_booking', { booking_id: first, decline_offer: true });
    assert.deepEqual(
      [(await statusOf(first)).status, (await statusOf(first)).reason],
      ['cancelled', 'offer_declined'],
    );
    await until('the venue hears that the table is free again', async () => {
      const told = await pool`
        select 1 from message where subject_id = ${first} and purpose = 'booking_cancelled' and state = 'sent'`;
      return told.length === 1;
    });
    assert.equal((await statusOf(second)).waiting?.ahead, 0);
    await area.post('/venue/tables/answer', { ...free, booking: second }, '/venue/tables');
    await until('the offer lapses', async () => {
      await passTime(service, 30 * MINUTE_MS);
      return (await statusOf(second)).status === 'cancelled';
    });
    assert.equal((await statusOf(second)).reason, 'offer_lapsed');
  });

  async function linkOf(bookingId: string): Promise<string> {
    await partner.untilStatus(bookingId, 'asking');
    return until(`the link about ${bookingId}`, async () => {
      const [message] = await pool<{ to: string }[]>`
        select recipient as to from message where subject_id = ${bookingId} and state = 'sent'`;
      return message && linkIn(smtp, message.to);
    });
  }

  test('the request ends by itself at the end of the wait, with its reason', async () => {
    const { bookingId, link, email } = await waiting({ wait_until: '2026-11-18T03:00:00Z' });
    await until('the wait is over', async () => {
      await passTime(service, HOUR_MS);
      return (await statusOf(bookingId)).status === 'declined';
    });
    const { reason, timeline } = await statusOf(bookingId);
    assert.deepEqual([reason, timeline.at(-1)?.actor], ['wait_over', 'service']);
    assert.ok(service.clock.now() >= new Date('2026-11-18T03:00:00Z'));
    await tap(service, link, { answer: 'free' });
    assert.equal((await statusOf(bookingId)).status, 'declined');
    assert.equal((await hooksOf(bookingId)).at(-1)?.reason, 'wait_over');
    assert.equal(mailsTo(email).length, 1);
  });

  test('a guest who no longer waits is taken off the list, and the venue gets no message', async () => {
    const { bookingId, link, email } = await waiting();
    const { status } = await partner.call<Waiting>('cancel_booking', { booking_id: bookingId });
    assert.equal(status, 'cancelled');
    await untilIdle(bookingId);
    assert.equal(mailsTo(email).length, 1);
    assert.match(await pageOf(link), /no longer wanted/);
    await tap(service, link, { answer: 'free' });
    assert.equal((await statusOf(bookingId)).status, 'cancelled');
  });

  function untilIdle(bookingId: string) {
    return until(`${bookingId} has nothing due`, async () => {
      const jobs = await pool`
        select 1 from graphile_worker._private_jobs where payload->>'booking_id' = ${bookingId}`;
      return jobs.length === 0;
    });
  }

  test('two taps at once make one offer, and a tap against a cancellation one outcome', async () => {
    const { bookingId, link, placeId } = await waiting();
    const area = await signInVenue(service, placeId);
    const nonce = await nonceOf(service, link);
    const fields = { booking: bookingId, revision: '1', answer: 'free' };
    const post = () =>
      service.request(link, {
        method: 'POST',
        redirect: 'manual',
        headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ nonce, answer: 'free' }).toString(),
      });
    await Promise.all([post(), post(), area.post('/venue/tables/answer', fields, '/venue/tables'), post()]);
    const offers = await pool`select 1 from booking_offer where booking_id = ${bookingId}`;
    assert.equal(offers.length, 1);
    assert.equal((await eventsOf(bookingId)).filter((event) => event === 'offered').length, 1);

    const other = await waiting();
    const [, cancelled] = await Promise.all([
      tap(service, other.link, { answer: 'free' }),
      partner.call<Waiting>('cancel_booking', { booking_id: other.bookingId }),
    ]);
    assert.equal(cancelled.status, 'cancelled');
    assert.equal((await statusOf(other.bookingId)).status, 'cancelled');
  });

  test('a plain yes after the no offers nothing, a second no changes nothing, another time is an offer', async () => {
    const { bookingId, link } = await waiting();
    await tap(service, link, { answer: 'yes' });
    await tap(service, link, { answer: 'no' });
    const waits = await statusOf(bookingId);
    assert.deepEqual([waits.status, waits.offers], ['asking', []]);
    assert.ok(waits.waiting);
    await tap(service, link, { answer: 'offer', offer_date: '2026-11-20', offer_time: '21:00' });
    assert.equal((await statusOf(bookingId)).offer?.time, '21:00');
    await tap(service, link, {}, '/undo');
    assert.ok((await statusOf(bookingId)).waiting, 'the guest waits again');
    await tap(service, link, { answer: 'none_free' });
    const ended = await statusOf(bookingId);
    assert.deepEqual([ended.status, ended.reason], ['declined', 'none_free']);
    await tap(service, link, {}, '/undo');
    assert.ok((await statusOf(bookingId)).waiting);
    await untilResting(service, bookingId);
    const open = await pool`
      select 1 from venue_ask where booking_id = ${bookingId} and state in ('asked','waiting','queued')`;
    assert.equal(open.length, 0, 'the question stays answered');
  });

  test('on a full day nobody is asked and the guest joins the list; other rules still refuse', async () => {
    const { placeId, email } = await venue();
    await pool`
      insert into venue_rule (place_id, kind, from_date, until_date, set_at)
      values (${placeId}, 'full', '2026-11-20', '2026-11-20', now())`;
    assert.equal(
      await refusedCode(partner, 'request_table', {
        place_id: placeId,
        date: '2026-11-20',
        time: '19:30',
        party_size: 4,
        guest_name: 'Guest Example',
      }),
      'against_venue_rule',
    );
    const bookingId = await partner.request(placeId, { wait_until: FRIDAY });
    await partner.untilStatus(bookingId, 'asking');
    const waits = await statusOf(bookingId);
    assert.equal(waits.waiting?.ahead, 0);
    assert.deepEqual(await eventsOf(bookingId), ['sent', 'asking']);
    assert.equal(mailsTo(email).length, 0);
    const area = await signInVenue(service, placeId);
    const fields = { booking: bookingId, revision: '1', answer: 'free' };
    await area.post('/venue/tables/answer', fields, '/venue/tables');
    assert.equal((await accept(bookingId)).status, 'confirmed');
    await pool`
      insert into venue_rule (place_id, kind, amount, set_at) values (${placeId}, 'max_party', 6, now())`;
    const { code, text } = await refused(partner, 'request_table', {
      place_id: placeId,
      date: '2026-11-20',
      time: '20:00',
      party_size: 8,
      guest_name: 'Guest Example',
      wait_until: FRIDAY,
    });
    assert.equal(code, 'against_venue_rule');
    assert.match(text, /at most 6 people/);
  });

  test('a wait must end in the future and by the time of the table, and does not go with alternatives', async () => {
    const { placeId } = await venue();
    const table = {
      place_id: placeId,
      date: '2026-11-20',
      time: '19:30',
      party_size: 4,
      guest_name: 'Guest Example',
    };
    for (const wrong of [
      { wait_until: '2026-11-14T00:00:00Z' },
      { wait_until: '2026-11-20T12:00:00Z' },
      { wait_until: '2026-11-20' },
      { wait_until: '2026-11-20T09:00:00' },
      { wait_until: FRIDAY, alternatives: [(await venue()).placeId] },
    ])
      assert.equal(await refusedCode(partner, 'request_table', { ...table, ...wrong }), 'validation_failed');
    // The time of the table itself, as the venue's clock writes it.
    const dry = await partner.call<{ dry_run: boolean }>('request_table', {
      ...table,
      wait_until: '2026-11-20T19:30:00+08:00',
      dry_run: true,
    });
    assert.equal(dry.dry_run, true);
  });

  test('a venue that opted out or closed offers nothing: its guests no longer wait', async () => {
    const one = await waiting();
    await pool`update place set booking_method = 'not_through', chosen_by_venue = true where id = ${one.placeId}`;
    await tap(service, one.link, { answer: 'free' });
    const ended = await statusOf(one.bookingId);
    assert.deepEqual([ended.status, ended.reason, ended.offers], ['cancelled', 'venue_opted_out', []]);
    const closed = await waiting();
    await pool`update place set closed_at = now() where id = ${closed.placeId}`;
    await until('the wait has ended', async () => {
      await passTime(service, 20 * MINUTE_MS);
      return (await statusOf(closed.bookingId)).status === 'cancelled';
    });
    assert.equal((await statusOf(closed.bookingId)).reason, 'place_closed');
  });

  test('while bookings are halted nobody stops waiting; afterwards the end is the one that was asked for', async () => {
    const end = new Date(service.clock.now().getTime() + 20 * HOUR_MS);
    const { bookingId } = await waiting({ wait_until: end.toISOString(), date: '2026-11-30' });
    const flip = (on: boolean) => flipSwitch(deps, { on, reason: 'a test', staffId });
    await flip(true);
    await passTime(service, 24 * HOUR_MS);
    assert.ok((await statusOf(bookingId)).waiting);
    await flip(false);
    await until('the wait is over', async () => (await statusOf(bookingId)).status === 'declined');
    assert.equal((await statusOf(bookingId)).reason, 'wait_over');
  });

  test('a job that was lost or runs twice ends the wait once', async () => {
    const end = new Date(service.clock.now().getTime() + 30 * HOUR_MS);
    const { bookingId } = await waiting({ wait_until: end.toISOString(), date: '2026-11-30' });
    await pool`delete from graphile_worker._private_jobs where key = ${`booking/${bookingId}`}`;
    await passTime(service, 31 * HOUR_MS);
    const { signal } = new AbortController();
    const run = () =>
      advanceBooking.run({ deps, inTransaction: transactionsOf(pool), signal }, { booking_id: bookingId });
    await Promise.all([run(), run(), requeueLostBookings(pool, service.clock.now()), run()]);
    await until('the wait is over', async () => (await statusOf(bookingId)).status === 'declined');
    assert.equal((await eventsOf(bookingId)).filter((event) => event === 'declined').length, 1);
  });

  test('the database keeps a guest who waits without a table, at one venue, with an end', async () => {
    const { bookingId } = await waiting({ date: '2026-11-30', wait_until: '2026-11-29T09:00:00Z' });
    const violated = (change: Promise<unknown>) =>
      change.then(
        () => undefined,
        (error: unknown) => violatedConstraint(error),
      );
    assert.equal(
      await violated(pool`update booking set held = '{}' where id = ${bookingId}`.then()),
      'booking_waiting_without_table',
    );
    assert.equal(
      await violated(pool`update booking set wait_until = null where id = ${bookingId}`.then()),
      'booking_waiting_has_end',
    );
    const alternatives = [(await venue()).placeId];
    const chosen = await partner.request((await venue()).placeId, { date: '2026-11-30', alternatives });
    assert.equal(
      await violated(pool`update booking set wait_until = now() where id = ${chosen}`.then()),
      'booking_wait_at_one_venue',
    );
  });
});
