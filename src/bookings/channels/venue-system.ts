import type { BookingReason } from '../../webhooks/booking-reason.ts';
import type { Deps } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import type {
  Booked,
  BookingServerStatus,
  ServerBooking,
  TableSlot,
} from '../booking-server/booking-server-shapes.ts';
import { BookingServerError } from '../booking-server/booking-server.ts';
import { deskContact } from '../booking-server/desk-contact.ts';
import { lookForTable } from '../booking-server/look-for-table.ts';
import { findMade, findMoved, isFor, isGivenBack, isLive } from '../booking-server/made-tables.ts';
import { nearbySlots, nearestFirst, tableOf } from '../booking-server/nearby-slots.ts';
import { openConnector, type OpenConnector } from '../booking-server/venue-connector.ts';
import { tableInstant } from '../asking/timing.ts';
import type { Table } from '../booking.ts';
import type { AskOutcome, Channel, VenueAsk } from '../channel.ts';
import { tellSystem } from './tell-system.ts';

/** Causes by which a venue's system says no to this guest, and not that something is wrong. */
const REFUSALS: ReadonlyMap<string, BookingReason> = new Map([
  ['SLOT_ALREADY_BOOKED_BY_USER', 'slot_already_booked_by_user'],
  ['OVERLAPPING_RESERVATION', 'overlapping_reservation'],
  ['USER_OVER_BOOKING_LIMIT', 'user_over_booking_limit'],
]);
/** After an attempt whose answer did not come, these may speak of the table which that one made. */
const OF_OURS: readonly string[] = ['SLOT_ALREADY_BOOKED_BY_USER', 'OVERLAPPING_RESERVATION'];
const PAYMENT = /^PAYMENT_|^USER_CANNOT_USE_PAYMENT_OPTION$/;

const NOT_SET_UP = { outcome: 'failed', detail: "The venue's system is not set up." } as const;
const NOT_TAKEN = { outcome: 'failed', detail: "The venue's system could not take the request." } as const;
const DECLINED = { outcome: 'declined', reason: 'slot_unavailable' } as const;
const NOT_SAID = { outcome: 'unknown', detail: "The venue's system has not said what it holds." } as const;

/** The venue's own booking system, by the Booking Server API v3: the one channel that confirms without a person. */
export const venueSystem: Channel = {
  name: 'venue_system',
  usable: ({ config }) => config.desk.phone !== undefined,
  ask,
  poll,
  available: (deps, placeId, { tableAt, partySize }, db) =>
    lookForTable(deps, db, { placeId, tableAt, partySize }),
  tell: tellSystem,
};

/**
 * Whatever is wrong with the other side, the next channel follows, as long as it is certain that no table was made:
 * otherwise two would be held.
 */
async function ask(deps: Deps, given: VenueAsk, db: Db): Promise<AskOutcome> {
  const connector = await openConnector(deps, given.place.id, db);
  const request = connector && requestOf(deps, given, connector);
  if (request === undefined) return given.again ? NOT_SAID : NOT_SET_UP;
  try {
    return await (given.again ? askAgain(deps, request) : askFirst(deps, request));
  } catch (thrown) {
    if (!(thrown instanceof BookingServerError)) throw thrown;
    noteFault(deps, given, thrown);
    return { outcome: thrown.inDoubt ? 'unknown' : 'failed', detail: thrown.message };
  }
}

function noteFault({ log }: Deps, { booking }: VenueAsk, thrown: BookingServerError): void {
  log.warn({ err: thrown, booking: booking.id, fault: thrown.fault }, thrown.message);
}

/** One question to one system: the same each time it is put. */
interface Request {
  ask: VenueAsk;
  connector: OpenConnector;
  slot: TableSlot;
  book(): Promise<Booked>;
  find(): Promise<ServerBooking | undefined>;
}

function requestOf(deps: Deps, given: VenueAsk, connector: OpenConnector): Request | undefined {
  const { server, durationSec } = connector;
  const { booking, ref, table, idempotencyToken } = given;
  const contact = deskContact(deps, booking);
  if (contact === undefined) return undefined;
  const slot = {
    startSec: Math.floor(table.tableAt.getTime() / 1000),
    durationSec,
    partySize: table.partySize,
  };
  const request = { ask: given, connector, slot };
  if (ref !== null)
    return {
      ...request,
      book: () => server.moveBooking(ref, slot),
      find: () => findMoved(deps, server, booking, { ref, slot }),
    };
  return {
    ...request,
    book: () => server.createBooking(slot, contact, idempotencyToken),
    find: () => findMade(deps, server, booking, slot),
  };
}

/** A call that broke off may have made the table all the same: one look tells, if the system can already say. */
async function askFirst(deps: Deps, request: Request): Promise<AskOutcome> {
  try {
    return await answerOf(deps, request, await request.book());
  } catch (thrown) {
    if (!(thrown instanceof BookingServerError && thrown.inDoubt)) throw thrown;
    const made = await request.find().catch(orUndefined);
    if (made === undefined) throw thrown;
    return standingOf(deps, request, made);
  }
}

/**
 * An earlier attempt may have come through. What stands in the system counts; where nothing does, the same request under
 * the same token is either known there or made now. A system that cannot be looked at leaves it open.
 */
async function askAgain(deps: Deps, request: Request): Promise<AskOutcome> {
  const looked = await request.find().then(
    (made) => ({ made }),
    (thrown: unknown) => {
      if (thrown instanceof BookingServerError && !thrown.inDoubt) return undefined;
      throw thrown;
    },
  );
  if (looked?.made !== undefined) return standingOf(deps, request, looked.made);
  const booked = await request.book().catch((thrown: unknown) => {
    // That this attempt was turned away says nothing of the one before, unless the list did.
    if (looked === undefined && thrown instanceof BookingServerError) return undefined;
    throw thrown;
  });
  if (booked === undefined) return NOT_SAID;
  if ('failure' in booked && OF_OURS.includes(booked.failure)) return NOT_SAID;
  const answer = await answerOf(deps, request, booked);
  // Without a list, a confirmation may be the answer of long ago: its status is looked up next.
  return looked === undefined && answer.outcome === 'confirmed' && answer.ref !== null
    ? { outcome: 'pending', ref: answer.ref }
    : answer;
}

async function answerOf(deps: Deps, request: Request, booked: Booked): Promise<AskOutcome> {
  if ('failure' in booked) return refusalOf(deps, request, booked.failure);
  const { booking } = booked;
  if (booking.status === 'CANCELED') return NOT_TAKEN;
  return standingOf(deps, request, booking);
}

/** What a table in the venue's system means for us. */
async function standingOf(deps: Deps, request: Request, booking: ServerBooking): Promise<AskOutcome> {
  const standing = decided(booking.booking_id, booking.status);
  const stands = standing.outcome === 'confirmed' || standing.outcome === 'pending';
  if (stands && wantsMoney(booking)) return refuseToPay(request.connector, booking.booking_id);
  return stands && !isFor(booking, request.slot) ? otherTable(deps, request, booking) : standing;
}

/**
 * The system gave another table than the one it was asked for, which makes it an offer. What it has confirmed stays held
 * until the offer is taken or not; a table that was only to be moved goes back to where it was.
 */
async function otherTable(
  deps: Deps,
  { ask: given, connector, slot }: Request,
  made: ServerBooking,
): Promise<AskOutcome> {
  const { start_sec: startSec = slot.startSec, resources } = made.slot ?? {};
  const other = { ...slot, startSec, partySize: resources?.party_size ?? slot.partySize };
  const offers = isOffer(given, other, deps.clock.now()) ? [tableOf(other, given.place.timezone)] : [];
  const keeps = given.held === null && made.status === 'CONFIRMED';
  if (keeps && offers.length > 0) return { outcome: 'offered', offers, ref: made.booking_id };
  const freed = await (given.held === null
    ? giveBack(connector, made.booking_id)
    : isPutBack(connector, made.booking_id, slotOf(given, given.held, slot)));
  if (!freed) return NOT_SAID;
  return offers.length > 0 ? { outcome: 'offered', offers } : DECLINED;
}

/** A table that has yet to come, of a size that we know; whoever takes an offer wanted that one and no third. */
function isOffer({ purpose }: VenueAsk, { startSec, partySize }: TableSlot, now: Date): boolean {
  return purpose !== 'accept' && startSec * 1000 > now.getTime() && partySize >= 1 && partySize <= 30;
}

function slotOf({ place }: VenueAsk, { date, time, partySize }: Table, slot: TableSlot): TableSlot {
  const startSec = Math.floor(tableInstant(place.timezone, date, time).getTime() / 1000);
  return { ...slot, startSec, partySize };
}

function decided(ref: string, status: BookingServerStatus): AskOutcome {
  switch (status) {
    // Whether the guest came is the venue's note; the table was confirmed for it to be made.
    case 'CONFIRMED':
    case 'NO_SHOW':
    case 'NO_SHOW_PENALIZED':
      return { outcome: 'confirmed', ref };
    case 'DECLINED_BY_MERCHANT':
    case 'CANCELED':
      return { outcome: 'declined', reason: 'venue_declined' };
    case 'FAILED':
      return NOT_TAKEN;
    // A word that says nothing leaves the table where it is: in a system that may hold it.
    case 'PENDING_MERCHANT_CONFIRMATION':
    case 'BOOKING_STATUS_UNSPECIFIED':
      return { outcome: 'pending', ref };
  }
}

/** A table that costs the guest money is given back at once: we never pay, and never let a fee arise. */
async function refuseToPay(connector: OpenConnector, ref: string): Promise<AskOutcome> {
  return (await giveBack(connector, ref)) ? { outcome: 'declined', reason: 'payment_required' } : NOT_SAID;
}

/** Whether the system holds the table no more; until it says so, nobody else is asked. */
async function giveBack({ server }: OpenConnector, ref: string): Promise<boolean> {
  const booked = await server.cancelBooking(ref).catch(orUndefined);
  return booked !== undefined && isGivenBack(booked);
}

async function isPutBack({ server }: OpenConnector, ref: string, slot: TableSlot): Promise<boolean> {
  const booked = await server.moveBooking(ref, slot).catch(orUndefined);
  return booked !== undefined && 'booking' in booked && isLive(booked.booking) && isFor(booked.booking, slot);
}

function orUndefined(thrown: unknown): undefined {
  if (!(thrown instanceof BookingServerError)) throw thrown;
}

function wantsMoney({ payment_information: payment }: ServerBooking): boolean {
  const isSet = (value: unknown) => value !== undefined && value !== null;
  return payment !== undefined && (isSet(payment.deposit) || isSet(payment.no_show_fee));
}

async function refusalOf(deps: Deps, request: Request, cause: string): Promise<AskOutcome> {
  const { ask: given, connector, slot } = request;
  if (PAYMENT.test(cause)) return { outcome: 'declined', reason: 'payment_required' };
  const reason = REFUSALS.get(cause);
  if (reason !== undefined) return { outcome: 'declined', reason };
  if (cause !== 'SLOT_UNAVAILABLE') return NOT_TAKEN;
  // Whoever holds a table keeps it; another time in its stead would be a question nobody asked.
  if (given.purpose !== 'new') return DECLINED;
  const free = await freeNearby(deps, connector, slot);
  if (free.length === 0) return DECLINED;
  return { outcome: 'offered', offers: free.map((one) => tableOf(one, given.place.timezone)) };
}

/** One look around, for which the system has a second and a half; no answer is no offer. */
async function freeNearby(deps: Deps, { server }: OpenConnector, slot: TableSlot): Promise<TableSlot[]> {
  try {
    const free = await server.findAvailable(nearbySlots(slot, deps.clock.now()));
    // The slot itself was just refused, whatever the list says.
    return nearestFirst(free, slot).filter(({ startSec }) => startSec !== slot.startSec);
  } catch (thrown) {
    if (thrown instanceof BookingServerError) return [];
    throw thrown;
  }
}

/** One bad look is a bad look: only what the system says counts. */
async function poll(deps: Deps, given: VenueAsk, db: Db): Promise<AskOutcome> {
  const connector = await openConnector(deps, given.place.id, db);
  if (connector === undefined || given.ref === null) return NOT_SAID;
  try {
    return decided(given.ref, await connector.server.bookingStatus(given.ref));
  } catch (thrown) {
    if (!(thrown instanceof BookingServerError)) throw thrown;
    noteFault(deps, given, thrown);
    return { outcome: 'unknown', detail: thrown.message };
  }
}
