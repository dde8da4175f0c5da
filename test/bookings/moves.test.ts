import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  MOVERS,
  STATUSES,
  type Booking,
  type BookingStatus,
  type BookingMover,
} from '../../src/bookings/booking.ts';
import { lockBooking } from '../../src/bookings/booking-row.ts';
import { moveBooking, type MoveRequest } from '../../src/bookings/move-booking.ts';
import { listEntries } from '../../src/bookings/timeline.ts';
import { chainFault } from '../../src/bookings/maintenance/timeline-fault.ts';
import { violatedConstraint, type Db } from '../../src/core/postgres/db.ts';
import { AppError } from '../../src/core/errors.ts';
import { until } from '../harness/service/jobs.ts';
import { sharedService } from '../harness/service/shared-service.ts';
import { AskingPartner, addVenue } from './asking-partner.ts';

/** The table of the contract, written out once more by hand. */
const TABLE: readonly [from: BookingStatus, to: BookingStatus, by: BookingMover[]][] = [
  ['sent', 'asking', ['service']],
  ['sent', 'cancelled', ['partner', 'service']],
  ['asking', 'offered', ['venue', 'desk', 'venue_system']],
  ['asking', 'confirmed', ['venue', 'desk', 'venue_system']],
  ['asking', 'declined', ['venue', 'desk', 'venue_system']],
  ['asking', 'no_answer', ['service']],
  ['asking', 'cancelled', ['partner']],
  ['offered', 'confirmed', ['partner']],
  ['offered', 'asking', ['partner']],
  ['offered', 'declined', ['venue', 'venue_system']],
  ['offered', 'cancelled', ['partner', 'service']],
  ['confirmed', 'asking', ['partner']],
  ['confirmed', 'cancelled', ['partner', 'venue', 'desk', 'venue_system']],
];
const FINAL: readonly BookingStatus[] = ['declined', 'no_answer', 'cancelled'];

/** A way into each state that the table allows. */
const PATHS: Record<BookingStatus, readonly [BookingStatus, BookingMover][]> = {
  sent: [],
  asking: [['asking', 'service']],
  offered: [
    ['asking', 'service'],
    ['offered', 'venue'],
  ],
  confirmed: [
    ['asking', 'service'],
    ['confirmed', 'venue'],
  ],
  declined: [
    ['asking', 'service'],
    ['declined', 'venue'],
  ],
  no_answer: [
    ['asking', 'service'],
    ['no_answer', 'service'],
  ],
  cancelled: [['cancelled', 'partner']],
};

class Rollback extends Error {}

const service = await sharedService();
// Only the desk can ask this venue, and nobody is there: the booking stays as it is.
const bookingId = await (await AskingPartner.add(service)).request(await addVenue(service));
await until('the booking waits at the desk', async () => {
  const [ask] = await service.database.pool`select from venue_ask where state = 'waiting'`;
  return ask !== undefined;
});

test('of the 245 combinations of state, target and mover exactly those of the table happen', async () => {
  const wanted = new Set(TABLE.flatMap(([from, to, by]) => by.map((actor) => `${from} → ${to} by ${actor}`)));
  const happened: string[] = [];
  let tried = 0;
  for (const from of STATUSES) {
    const moves = STATUSES.flatMap((to) =>
      MOVERS.map((actor): MoveRequest => ({ to, actor, text: 'A test.', change: changeFor(to) })),
    );
    const named = (move: MoveRequest) => `${from} → ${move.to} by ${move.actor}`;
    tried += moves.length;
    for (const move of moves.filter((one) => wanted.has(named(one))))
      if (await tryMove(from, move)) happened.push(named(move));
    // A refused move changes nothing, so all of these are tried one after the other.
    await inState(from, async (tx, booking) => {
      for (const move of moves.filter((one) => !wanted.has(named(one))))
        if (await tryHere(tx, from, booking, move)) assert.fail(`${named(move)} happened`);
    });
  }
  assert.equal(tried, 245);
  assert.deepEqual(happened.sort(), [...wanted].sort());
});

test('a held table lets the service and the venue put it back, and nothing else', async () => {
  const held = {
    date: '2026-11-20',
    time: '18:00',
    partySize: 2,
    ref: null,
    by: 'venue' as const,
    at: new Date(),
  };
  const happened: string[] = [];
  for (const from of ['asking', 'offered'] as const)
    for (const actor of MOVERS)
      if (
        await tryMove(
          from,
          { to: 'confirmed', actor, text: 'A test.', change: changeFor('confirmed') },
          { held },
        )
      )
        happened.push(`${from} by ${actor}`);
  assert.deepEqual(happened.sort(), [
    'asking by desk',
    'asking by service',
    'asking by venue',
    'asking by venue_system',
    'offered by desk',
    'offered by partner',
    'offered by service',
    'offered by venue',
    'offered by venue_system',
  ]);
});

test('the database itself refuses every other move, from any user', async () => {
  const legal = new Set(TABLE.map(([from, to]) => `${from} → ${to}`));
  for (const from of STATUSES)
    for (const to of STATUSES) {
      if (from === to || legal.has(`${from} → ${to}`)) continue;
      const constraint = await inState(from, (tx) =>
        violated(
          tx`update booking set status = ${to}, confirmed_at = now(), confirmed_by = 'venue' where id = ${bookingId}`,
        ),
      );
      assert.equal(constraint, 'booking_move_legal', `${from} → ${to}`);
    }
});

test('a move without its entry in the timeline does not commit', async () => {
  const constraint = await violated(
    service.database.pool.begin((tx) => tx`update booking set status = 'cancelled' where id = ${bookingId}`),
  );
  assert.equal(constraint, 'booking_timeline_matches');
  const changed = await violated(service.database.pool`update booking_entry set text = 'Another story.'`);
  assert.ok(changed !== 'nothing', 'entries are append-only');
});

test('the timeline is a chain in which a changed word shows', async () => {
  await inState('confirmed', async (tx) => {
    const entries = await listEntries(tx, [bookingId]);
    assert.equal(entries.length, 3);
    assert.equal(chainFault(entries), undefined);
    const changed = entries.map((entry, at) => (at === 1 ? { ...entry, text: 'Something else.' } : entry));
    assert.equal(chainFault(changed)?.sequence, 2);
    assert.equal(chainFault(entries.slice(1))?.sequence, 1);
    return 'done';
  });
});

function changeFor(to: BookingStatus): MoveRequest['change'] & object {
  if (to !== 'confirmed') return {};
  return { confirmation: { ref: null, by: 'venue', at: service.clock.now() } };
}

/** Tries a move from a state. A refused one must leave everything as it was. */
async function tryMove(
  from: BookingStatus,
  moving: MoveRequest,
  extra: Partial<Booking> = {},
): Promise<boolean> {
  return inState(from, (tx, booking) => tryHere(tx, from, { ...booking, ...extra }, moving));
}

async function tryHere(tx: Db, from: BookingStatus, booking: Booking, moving: MoveRequest): Promise<boolean> {
  const seen = async () =>
    JSON.stringify([await lockBooking(tx, bookingId), await listEntries(tx, [bookingId])]);
  const before = await seen();
  try {
    await moveBooking({ ...ctx(), db: tx }, booking, moving);
    return true;
  } catch (thrown) {
    assert.ok(thrown instanceof AppError, String(thrown));
    assert.equal(thrown.code, FINAL.includes(from) ? 'booking_final' : 'invalid_move');
    assert.equal(await seen(), before);
    return false;
  }
}

function ctx() {
  return { now: service.clock.now(), newId: service.app.deps.newId };
}

/** Brings the booking into a state, does something there, and takes everything back. */
async function inState<T>(status: BookingStatus, work: (tx: Db, booking: Booking) => Promise<T>): Promise<T> {
  let done: { value: T } | undefined;
  try {
    await service.database.pool.begin(async (tx) => {
      let booking = await lockBooking(tx, bookingId);
      assert.ok(booking);
      for (const [to, actor] of PATHS[status])
        booking = await moveBooking({ ...ctx(), db: tx }, booking, {
          to,
          actor,
          text: 'A test.',
          change: changeFor(to),
        });
      done = { value: await work(tx, booking) };
      throw new Rollback();
    });
  } catch (thrown) {
    if (!(thrown instanceof Rollback)) throw thrown;
  }
  assert.ok(done);
  return done.value;
}

async function violated(work: PromiseLike<unknown>): Promise<string> {
  try {
    await work;
    return 'nothing';
  } catch (thrown) {
    return violatedConstraint(thrown) ?? 'another error';
  }
}
