import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { flipSwitch } from '../harness/service/kill-switch.ts';
import { noCertificates } from '../harness/service/https-server.ts';
import { loseTransactions, passTime, until } from '../harness/service/jobs.ts';
import { rpc } from '../harness/clients/mcp.ts';
import { startTestService } from '../harness/service/service.ts';
import { addTestStaff, signInStaff } from '../harness/people/staff.ts';
import { AskingPartner, CONCIERGE_MCP } from './asking-partner.ts';
import { connectVenue, settingsFor } from './booking-server/connect-venue.ts';
import { startVenueServer } from './booking-server/venue-server.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/core/time.ts';

const WRITES_PER_MINUTE = 3;

describe("a confirmed table in the venue's own system is given back", { skip: noCertificates }, async () => {
  const venue = await startVenueServer();
  const service = await startTestService({
    settings: { ...settingsFor(venue), BOOKING_WRITES_PER_MINUTE: String(WRITES_PER_MINUTE) },
  });
  service.clock.advance(14 * HOUR_MS);
  const { deps } = service.app;
  const { pool } = service.database;

  /** A table that both sides hold for confirmed, for a partner who has used one write. */
  async function confirmed() {
    const partner = await AskingPartner.add(service);
    const bookingId = await partner.request(await connectVenue(service, venue));
    const { confirmation } = await partner.untilStatus(bookingId, 'confirmed');
    const ref = confirmation?.ref ?? '';
    return {
      partner,
      bookingId,
      atVenue: () => venue.bookings.get(ref)?.status,
      givenBack: () =>
        venue
          .calledFor('UpdateBooking')
          .filter(({ body }) => (body['booking'] as { booking_id: string }).booking_id === ref).length,
    };
  }

  /** The error text of a call, whether the protocol or the tool refused it. */
  async function said(partner: AskingPartner, tool: string, input: object): Promise<string> {
    const message = { id: 1, method: 'tools/call', params: { name: tool, arguments: input } };
    const { body } = await rpc(service, CONCIERGE_MCP, message, partner.partner.headers);
    const { isError, content } = (body.result ?? {}) as { isError?: boolean; content?: { text: string }[] };
    const refusal = body.error?.message ?? (isError === true ? content?.[0]?.text : undefined);
    if (refusal !== undefined) return refusal.split(':')[0] ?? '';
    return (body.result?.['structuredContent'] as { status: string }).status;
  }
  const cancel = (partner: AskingPartner, bookingId: string, reason?: string) =>
    said(partner, 'cancel_booking', { booking_id: bookingId, reason });
  const flip = async (on: boolean) => {
    const { id: staffId } = await addTestStaff(service, 'lead');
    await flipSwitch(deps, { on, reason: 'A test.', staffId });
  };
  const eventsOf = async (partner: AskingPartner, bookingId: string) =>
    (await partner.status(bookingId)).timeline.map(({ event }) => event);

  test('a cancellation that is refused for the rate happened nowhere: not here, not at the venue', async () => {
    const { partner, bookingId, atVenue, givenBack } = await confirmed();
    for (let writes = 1; writes < WRITES_PER_MINUTE; writes++)
      await partner.request(await connectVenue(service, venue));
    const before = await partner.status(bookingId);
    assert.equal(await cancel(partner, bookingId), 'write_rate_limited');
    assert.deepEqual([atVenue(), givenBack()], ['CONFIRMED', 0]);
    assert.deepEqual(await partner.status(bookingId), before);
    const steps = await pool`select 1 from venue_ask where booking_id = ${bookingId} and step <> 'ask'`;
    assert.equal(steps.length, 0);
    service.clock.advance(MINUTE_MS);
    assert.equal(await cancel(partner, bookingId), 'cancelled');
    assert.deepEqual([atVenue(), givenBack()], ['CANCELED', 1]);
  });

  test('two who cancel at the same moment both hear that it is cancelled, and the venue hears it once', async () => {
    const { partner, bookingId, atVenue, givenBack } = await confirmed();
    const both = [cancel(partner, bookingId), cancel(partner, bookingId)];
    assert.deepEqual(await Promise.all(both), ['cancelled', 'cancelled']);
    assert.deepEqual([atVenue(), givenBack()], ['CANCELED', 1]);
    assert.deepEqual(await eventsOf(partner, bookingId), [
      'sent',
      'asking',
      'confirmed',
      'venue_told',
      'cancelled',
    ]);
  });

  test('a node that dies after the venue has cancelled leaves a cancellation that another one ends', async () => {
    const { partner, bookingId, atVenue } = await confirmed();
    venue.instead = (name, response, act) => {
      if (name !== 'UpdateBooking') return false;
      venue.instead = () => false;
      const answer = act();
      // The table is given back, and then nothing of the node is left that could note it.
      void loseTransactions(service).then(() => response.end(answer));
      return true;
    };
    const lost = await cancel(partner, bookingId, 'The guest is ill.').catch(() => 'lost');
    assert.notEqual(lost, 'cancelled');
    assert.equal(atVenue(), 'CANCELED');
    assert.equal(
      await said(partner, 'modify_booking', { booking_id: bookingId, time: '20:30' }),
      'invalid_move',
    );
    await pool`
      update venue_ask set leased_until = now() - interval '1 second'
      where booking_id = ${bookingId} and state = 'sending'`;
    // A halt in between only puts it off.
    await flip(true);
    await passTime(service, MINUTE_MS);
    await flip(false);
    const ended = await partner.untilStatus(bookingId, 'cancelled');
    assert.equal(ended.reason, 'The guest is ill.');
    assert.equal(ended.timeline.filter(({ event }) => event === 'cancelled').length, 1);
  });

  test('a table that the system keeps stays confirmed, however often and by however many it is cancelled', async () => {
    const { partner, bookingId, atVenue, givenBack } = await confirmed();
    venue.refuseUpdate = 'OUTSIDE_CANCELLATION_WINDOW';
    const both = [cancel(partner, bookingId), cancel(partner, bookingId)];
    assert.deepEqual(await Promise.all(both), ['not_cancellable', 'not_cancellable']);
    service.clock.advance(MINUTE_MS);
    for (let again = 0; again < 3; again++) assert.equal(await cancel(partner, bookingId), 'not_cancellable');
    const { status, booked } = await partner.status(bookingId);
    assert.deepEqual([status, booked, atVenue(), givenBack()], ['confirmed', true, 'CONFIRMED', 1]);
    const desk = await signInStaff(service, 'desk');
    const cards = async () =>
      (await (await desk.get('/console/desk')).text()).split(`id="${bookingId}"`).length - 1;
    assert.equal(await cards(), 1);
    service.clock.advance(MINUTE_MS);
    // A change of the notes makes a new revision; the venue is asked once more, and the desk still calls once.
    await partner.call('modify_booking', { booking_id: bookingId, notes: 'A window seat.' });
    assert.equal(await cancel(partner, bookingId), 'not_cancellable');
    assert.deepEqual([(await partner.status(bookingId)).status, await cards()], ['confirmed', 1]);
  });

  test('while bookings are halted a cancellation works at once, and the venue hears it afterwards', async () => {
    const { partner, bookingId, atVenue } = await confirmed();
    await flip(true);
    assert.equal(await cancel(partner, bookingId), 'cancelled');
    assert.equal(atVenue(), 'CONFIRMED');
    await flip(false);
    await until('it is given back', () => atVenue() === 'CANCELED');
  });
});
