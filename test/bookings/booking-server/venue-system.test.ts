import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { lookForTable } from '../../../src/bookings/booking-server/look-for-table.ts';
import { setConnector } from '../../../src/bookings/booking-server/venue-connector.ts';
import { noCertificates } from '../../harness/service/https-server.ts';
import { openAskedSystem, TABLE_AT } from './asked-system.ts';

const START = TABLE_AT.getTime() / 1000;

describe("the venue's own system", { skip: noCertificates }, async () => {
  const { venue, deps, placeId, connector, set, reset, ask, tell, poll } = await openAskedSystem();
  beforeEach(reset);

  test('a table that it gives is confirmed, under its own name', async () => {
    assert.deepEqual(await ask(), { outcome: 'confirmed', ref: 'venue-1' });
  });

  test("it learns the guest's name and the desk's contact, and nothing that two bookings have in common", async () => {
    await ask();
    await ask();
    const users = venue
      .calledFor('CreateBooking')
      .map(({ body }) => body['user_information'] as Record<string, string>);
    assert.deepEqual(
      users.map(({ given_name, family_name, telephone }) => [given_name, family_name, telephone]),
      Array(2).fill(['Ana Maria', 'Example', '+62361999999']),
    );
    assert.match(users[0]?.['email'] ?? '', /^bkg\+bkg_\d{26}@desk\.waypost\.example$/);
    assert.match(users[0]?.['user_id'] ?? '', /^[0-9a-f]{64}$/);
    assert.notEqual(users[0]?.['user_id'], users[1]?.['user_id']);
  });

  test('a pending table is looked up until the venue has decided', async () => {
    venue.status = 'PENDING_MERCHANT_CONFIRMATION';
    assert.deepEqual(await ask(), { outcome: 'pending', ref: 'venue-1' });
    const look = () => poll({ ref: 'venue-1' });
    assert.deepEqual(await look(), { outcome: 'pending', ref: 'venue-1' });
    const decide = async (status: string) => {
      const kept = venue.bookings.get('venue-1');
      assert.ok(kept);
      kept.status = status;
      return look();
    };
    assert.deepEqual(await decide('CONFIRMED'), { outcome: 'confirmed', ref: 'venue-1' });
    assert.deepEqual(await decide('DECLINED_BY_MERCHANT'), { outcome: 'declined', reason: 'venue_declined' });
    assert.equal((await decide('FAILED'))?.outcome, 'failed');
    assert.equal((await decide('A_STATUS_OF_TOMORROW'))?.outcome, 'pending');
    assert.equal((await decide('NO_SHOW'))?.outcome, 'confirmed');
  });

  test('a request that the venue or its system refuses is declined, with the reason', async () => {
    for (const cause of [
      'SLOT_ALREADY_BOOKED_BY_USER',
      'OVERLAPPING_RESERVATION',
      'USER_OVER_BOOKING_LIMIT',
    ]) {
      venue.refuse = cause;
      assert.deepEqual(await ask(), { outcome: 'declined', reason: cause.toLowerCase() });
    }
    venue.refuse = undefined;
    venue.status = 'DECLINED_BY_MERCHANT';
    assert.deepEqual(await ask(), { outcome: 'declined', reason: 'venue_declined' });
  });

  test('a table that is taken leads to one look around, and the nearest free ones are offered', async () => {
    venue.refuse = 'SLOT_UNAVAILABLE';
    venue.free = [START - 5400, START + 900, START + 6300];
    assert.deepEqual(await ask(), {
      outcome: 'offered',
      offers: [
        { date: '2026-11-20', time: '19:45', partySize: 4 },
        { date: '2026-11-20', time: '18:00', partySize: 4 },
      ],
    });
    const [looked, ...more] = venue.calledFor('BatchAvailabilityLookup');
    assert.equal(more.length, 0);
    const starts = (looked?.body['slot_time'] as { start_sec: string }[]).map(({ start_sec }) =>
      Number(start_sec),
    );
    assert.deepEqual(
      starts,
      Array.from({ length: 13 }, (_, step) => START + (step - 6) * 900),
    );
    venue.free = [];
    assert.deepEqual(await ask(), { outcome: 'declined', reason: 'slot_unavailable' });
  });

  test('a guest never pays: demands are declined, and a table with a fee is given back at once', async () => {
    for (const cause of ['PAYMENT_ERROR', 'PAYMENT_REQUIRES_3DS1', 'USER_CANNOT_USE_PAYMENT_OPTION']) {
      venue.refuse = cause;
      assert.deepEqual(await ask(), { outcome: 'declined', reason: 'payment_required' });
    }
    venue.refuse = undefined;
    for (const payment of [{ deposit: { deposit: {} } }, { no_show_fee: { fee: {} } }]) {
      venue.bookings.clear();
      venue.payment = { prepayment_status: 'PREPAYMENT_NOT_PROVIDED', ...payment };
      assert.deepEqual(await ask(), { outcome: 'declined', reason: 'payment_required' });
      assert.equal(venue.bookings.get('venue-1')?.status, 'CANCELED');
    }
  });

  test('a change moves the table that is held, and a refusal leaves it', async () => {
    await ask();
    const table = {
      date: '2026-11-20',
      time: '20:30',
      partySize: 5,
      tableAt: new Date('2026-11-20T12:30:00Z'),
    };
    const change = { purpose: 'change', ref: 'venue-1', table } as const;
    assert.deepEqual(await ask(change), { outcome: 'confirmed', ref: 'venue-1' });
    assert.equal(venue.bookings.size, 1);
    assert.deepEqual(venue.bookings.get('venue-1')?.slot['resources'], { party_size: 5 });
    venue.refuseUpdate = 'SLOT_UNAVAILABLE';
    venue.free = [START];
    assert.deepEqual(await ask(change), { outcome: 'declined', reason: 'slot_unavailable' });
  });

  test('a table is given back, once or twice; one that it keeps is left to a person', async () => {
    await ask();
    assert.equal((await tell({ ref: 'venue-1' })).outcome, 'told');
    assert.equal((await tell({ ref: 'venue-1' })).outcome, 'told');
    for (const cause of ['OUTSIDE_CANCELLATION_WINDOW', 'BOOKING_NOT_CANCELLABLE']) {
      venue.refuseUpdate = cause;
      assert.equal((await tell({ ref: 'venue-1' })).outcome, 'refused');
    }
  });

  test('a venue that did not agree to the desk, or that was switched off, is not asked this way', async () => {
    await set({ acceptsDeskContact: false });
    assert.equal((await ask()).outcome, 'failed');
    await set({ enabled: false });
    assert.equal((await ask()).outcome, 'failed');
    assert.equal(venue.calls.length, 0);
  });

  test('a lookup before the request reports a free table, and takes silence for none', async () => {
    const table = { placeId, tableAt: TABLE_AT, partySize: 4 };
    const look = () => deps.pool.begin((tx) => lookForTable(deps, tx, table));
    venue.free = [START];
    assert.equal(await look(), true);
    venue.free = [];
    assert.equal(await look(), false);
    venue.instead = () => true;
    assert.equal(await look(), null);
  });

  test('the password is sealed for its own place, and stays when it is not given again', async () => {
    const [row] = await deps.pool<{ password: Buffer }[]>`select password from venue_connector`;
    assert.ok(!row?.password.includes('secret'));
    const { password: _held, ...rest } = connector;
    await setConnector(deps.pool, { key: deps.secrets.connector, now: deps.clock.now() }, placeId, {
      ...rest,
      password: undefined,
    });
    assert.equal((await ask()).outcome, 'confirmed');
    assert.match(venue.calls.at(-1)?.authorization ?? '', /^Basic /);
  });
});
