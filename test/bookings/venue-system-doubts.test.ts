import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { beforeEach, describe, test } from 'node:test';
import { flipSwitch } from '../harness/service/kill-switch.ts';
import { noCertificates } from '../harness/service/https-server.ts';
import { loseTransactions, passTime, until } from '../harness/service/jobs.ts';
import { startTestService } from '../harness/service/service.ts';
import { addTestStaff, signInStaff } from '../harness/people/staff.ts';
import { AskingPartner, untilResting } from './asking-partner.ts';
import { connectVenue, settingsFor } from './booking-server/connect-venue.ts';
import { startVenueServer, type Mishap } from './booking-server/venue-server.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/core/time.ts';

const START = Date.parse('2026-11-20T11:30:00Z') / 1000;

describe("a venue's system that does not say what it did", { skip: noCertificates }, async () => {
  const venue = await startVenueServer();
  const service = await startTestService({
    settings: { ...settingsFor(venue), BOOKING_READS_PER_MINUTE: '100000' },
  });
  service.clock.advance(14 * HOUR_MS);
  const { deps } = service.app;
  const { pool } = service.database;
  let partner: AskingPartner;
  let placeId = '';

  beforeEach(async () => {
    partner = await AskingPartner.add(service);
    // Every venue here could also be reached by a text message.
    placeId = await connectVenue(service, venue, { phone: '+6281777777' });
    venue.bookings.clear();
    venue.calls.length = 0;
  });

  const live = () => [...venue.bookings.values()].filter(({ status }) => status !== 'CANCELED');
  const startOf = (at = 0) => Number(live()[at]?.slot['start_sec']);
  const spoilAll = (mishap: Mishap) => {
    for (const method of ['CreateBooking', 'UpdateBooking', 'GetBookingStatus', 'ListBookings'])
      venue.spoil(method, mishap);
  };

  async function askedElsewhere(bookingId: string): Promise<number> {
    const asks = await pool`
      select 1 from venue_ask where booking_id = ${bookingId} and channel <> 'venue_system'
      union all select 1 from message where subject_id = ${bookingId}`;
    return asks.length;
  }

  async function pass(bookingId: string, ms: number): Promise<void> {
    await untilResting(service, bookingId);
    await passTime(service, ms + 10);
  }

  /** A request whose answer did not come. */
  async function inDoubt(): Promise<string> {
    const bookingId = await partner.request(placeId);
    await partner.untilStatus(bookingId, 'asking');
    await untilResting(service, bookingId);
    return bookingId;
  }

  async function passDeadline(bookingId: string): Promise<void> {
    const { answer_by: deadline } = await partner.status(bookingId);
    await pass(bookingId, Date.parse(deadline ?? '') - service.clock.now().getTime());
  }

  test('a failed query says nothing: a pending table is queried again, and nobody else is asked', async () => {
    venue.status = 'PENDING_MERCHANT_CONFIRMATION';
    const bookingId = await partner.request(placeId);
    await partner.untilStatus(bookingId, 'asking');
    const before = await partner.status(bookingId);
    for (const mishap of ['error', 'down', 'lost', 'garbage'] as const) {
      venue.spoil('GetBookingStatus', mishap, 1);
      const looked = venue.calledFor('GetBookingStatus').length;
      await pass(bookingId, 5 * MINUTE_MS);
      await until(`a look that ends in ${mishap}`, () => venue.calledFor('GetBookingStatus').length > looked);
    }
    await untilResting(service, bookingId);
    assert.equal(await askedElsewhere(bookingId), 0);
    assert.deepEqual((await partner.status(bookingId)).timeline, before.timeline);
    const [made] = live();
    assert.ok(made);
    made.status = 'CONFIRMED';
    await pass(bookingId, 15 * MINUTE_MS);
    assert.equal((await partner.untilStatus(bookingId, 'confirmed')).confirmation?.ref, made.booking_id);
    assert.equal(await askedElsewhere(bookingId), 0);
  });

  /** Holds requests back; what it gives lets the system do what it was asked for, all the same. */
  function holdRequests(answer: (response: ServerResponse) => void): () => void {
    const held: (() => void)[] = [];
    venue.instead = (name, response, act) => {
      if (name !== 'CreateBooking') return false;
      held.push(act);
      answer(response);
      return true;
    };
    return () => {
      venue.instead = () => false;
      for (const act of held) act();
    };
  }

  test('a table that was made after we hung up is found, and nobody else is asked before', async () => {
    const { egress } = deps;
    deps.egress = { ...egress, timeoutMsMax: 2_000 };
    const make = holdRequests(() => undefined);
    const bookingId = await inDoubt();
    deps.egress = egress;
    assert.deepEqual([live().length, await askedElsewhere(bookingId)], [0, 0]);
    make();
    await pass(bookingId, MINUTE_MS);
    await partner.untilStatus(bookingId, 'confirmed');
    assert.deepEqual([live().length, venue.calledFor('CreateBooking').length], [1, 1]);
    assert.equal(await askedElsewhere(bookingId), 0);
  });

  test('an answer that was lost while nothing could be looked up is found later; the table is one', async () => {
    venue.spoil('ListBookings', 'error', 2);
    venue.instead = (name, response, act) => {
      if (name !== 'CreateBooking') return false;
      act();
      response.writeHead(502).end();
      return true;
    };
    const bookingId = await inDoubt();
    venue.instead = () => false;
    await pass(bookingId, MINUTE_MS);
    await until('a look that fails', () => venue.calledFor('ListBookings').length === 2);
    assert.equal((await partner.status(bookingId)).status, 'asking');
    await pass(bookingId, MINUTE_MS);
    assert.equal(
      (await partner.untilStatus(bookingId, 'confirmed')).confirmation?.ref,
      live()[0]?.booking_id,
    );
    assert.deepEqual([live().length, await askedElsewhere(bookingId)], [1, 0]);
  });

  test('a request that never arrived is sent again as it was, under the same token', async () => {
    venue.spoil('CreateBooking', 'error', 1);
    const bookingId = await inDoubt();
    assert.equal(live().length, 0);
    await pass(bookingId, MINUTE_MS);
    await partner.untilStatus(bookingId, 'confirmed');
    const [first, second, ...more] = venue.calledFor('CreateBooking').map(({ body }) => body);
    assert.deepEqual([second, more.length, live().length], [first, 0, 1]);
    assert.equal(await askedElsewhere(bookingId), 0);
  });

  test('a system that made two tables of one request keeps one', async () => {
    venue.spoil('CreateBooking', 'doubled', 1);
    venue.spoil('ListBookings', 'down', 1);
    const bookingId = await inDoubt();
    assert.equal(live().length, 2);
    await pass(bookingId, MINUTE_MS);
    const { confirmation } = await partner.untilStatus(bookingId, 'confirmed');
    assert.deepEqual(
      live().map(({ booking_id }) => booking_id),
      [confirmation?.ref],
    );
  });

  test('known not to hold a table, it makes room for the next channel', async () => {
    venue.spoil('CreateBooking', 'down', 1);
    const bookingId = await inDoubt();
    venue.refuse = 'CAUSE_UNSPECIFIED';
    await pass(bookingId, MINUTE_MS);
    await until('the venue is written to', async () => (await askedElsewhere(bookingId)) > 0);
    assert.equal(live().length, 0);
  });

  test('an unknown outcome at the deadline is no answer, and a table that appears later is released', async () => {
    venue.spoil('CreateBooking', 'lost', 1);
    spoilAll('down');
    const bookingId = await inDoubt();
    assert.equal(live().length, 1);
    await passDeadline(bookingId);
    await partner.untilStatus(bookingId, 'no_answer');
    assert.equal(await askedElsewhere(bookingId), 0);
    await untilResting(service, bookingId);
    venue.behave();
    await pass(bookingId, MINUTE_MS);
    await until('it is given back', () => live().length === 0);
    await until('it is noted', async () =>
      (await partner.status(bookingId)).timeline.some(({ event }) => event === 'venue_told'),
    );
    assert.equal(await askedElsewhere(bookingId), 0);
  });

  test('an outcome that stays unknown goes to the desk', async () => {
    venue.spoil('CreateBooking', 'lost', 1);
    spoilAll('error');
    const bookingId = await inDoubt();
    await passDeadline(bookingId);
    await partner.untilStatus(bookingId, 'no_answer');
    for (const minutes of [1, 1, 3]) await pass(bookingId, minutes * MINUTE_MS);
    const desk = await signInStaff(service, 'desk');
    await until('the desk has a call to make', async () =>
      (await (await desk.get('/console/desk')).text()).includes(`id="${bookingId}"`),
    );
  });

  test('a request that is cancelled while nobody knows is given back as soon as it shows', async () => {
    const make = holdRequests((response) => response.destroy());
    const bookingId = await inDoubt();
    await partner.call('cancel_booking', { booking_id: bookingId });
    await until('it is looked up', () => venue.calledFor('ListBookings').length === 2);
    make();
    assert.equal(live().length, 1);
    await pass(bookingId, MINUTE_MS);
    await until('it is given back', () => live().length === 0);
    assert.deepEqual(
      [(await partner.status(bookingId)).status, await askedElsewhere(bookingId)],
      ['cancelled', 0],
    );
  });

  test('a change whose answer was lost is found where it was moved; at the deadline it is put back', async () => {
    const bookingId = await partner.request(placeId);
    await partner.untilStatus(bookingId, 'confirmed');
    const change = async (time: string) => {
      venue.spoil('UpdateBooking', 'lost', 1);
      venue.spoil('ListBookings', 'down', 1);
      await partner.call('modify_booking', { booking_id: bookingId, time });
      await partner.untilStatus(bookingId, 'asking');
      await untilResting(service, bookingId);
    };
    await change('20:30');
    await pass(bookingId, MINUTE_MS);
    assert.equal((await partner.untilStatus(bookingId, 'confirmed')).time, '20:30');
    assert.deepEqual([startOf(), live().length], [START + 3600, 1]);
    await change('21:00');
    assert.equal(startOf(), START + 5400);
    await passDeadline(bookingId);
    const kept = await partner.untilStatus(bookingId, 'confirmed');
    assert.deepEqual([kept.time, kept.reason], ['20:30', 'change_unanswered']);
    await until('it is put back', () => startOf() === START + 3600);
    assert.deepEqual([live().length, await askedElsewhere(bookingId)], [1, 0]);
  });

  test('a change that was cut off by a crash moves the one table, and makes no second one', async () => {
    const bookingId = await partner.request(placeId);
    await partner.untilStatus(bookingId, 'confirmed');
    venue.instead = (name, response) => {
      if (name !== 'UpdateBooking') return false;
      venue.instead = () => false;
      void loseTransactions(service).then(() => response.destroy());
      return true;
    };
    await partner.call('modify_booking', { booking_id: bookingId, time: '20:30' });
    await until('the call is cut off', () => venue.calledFor('UpdateBooking').length === 1);
    await until('its step is left behind', async () => {
      const left = await pool`
        update venue_ask set leased_until = now() - interval '1 second'
        where booking_id = ${bookingId} and state = 'sending' returning 1`;
      return left.length === 1;
    });
    await passTime(service, MINUTE_MS);
    await until('it is moved', () => startOf() === START + 3600);
    assert.equal((await partner.untilStatus(bookingId, 'confirmed')).time, '20:30');
    assert.deepEqual([live().length, venue.calledFor('CreateBooking').length], [1, 1]);
  });

  test('a venue that could not be told before a halt is told after it', async () => {
    const bookingId = await partner.request(placeId);
    await partner.untilStatus(bookingId, 'confirmed');
    spoilAll('down');
    await partner.call('cancel_booking', { booking_id: bookingId });
    await untilResting(service, bookingId);
    const { id: staffId } = await addTestStaff(service, 'lead');
    await flipSwitch(deps, { on: true, reason: 'A test.', staffId });
    venue.behave();
    await passTime(service, MINUTE_MS);
    await flipSwitch(deps, { on: false, reason: 'Over.', staffId });
    await until('it is given back', () => live().length === 0);
    assert.equal((await partner.status(bookingId)).status, 'cancelled');
  });

  test('an offer that was taken and never confirmed ends with the offer, and its table is given back', async () => {
    venue.refuse = 'SLOT_UNAVAILABLE';
    venue.free = [START + 1800];
    const bookingId = await partner.request(placeId);
    const { offer } = await partner.untilStatus(bookingId, 'offered');
    venue.refuse = undefined;
    venue.spoil('CreateBooking', 'lost', 1);
    spoilAll('down');
    await partner.call('modify_booking', { booking_id: bookingId, accept_offer: offer?.offer_id });
    await until('the table is made', () => live().length === 1);
    await pass(bookingId, 24 * 60 * MINUTE_MS);
    assert.equal((await partner.untilStatus(bookingId, 'cancelled')).reason, 'offer_lapsed');
    await untilResting(service, bookingId);
    venue.behave();
    await pass(bookingId, MINUTE_MS);
    await until('it is given back', () => live().length === 0);
  });
});
