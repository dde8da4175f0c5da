import type { BookingReason } from '../../../webhooks/booking-reason.ts';
import type { Deps } from '../../../core/context.ts';
import type { Db } from '../../../core/postgres/db.ts';
import type {
  Booked,
  BookingServerStatus,
  ServerBooking,
  TableSlot,
} from '../../booking-server/booking-server-shapes.ts';
import { BookingServerError } from '../../booking-server/booking-server.ts';
import { deskContact } from '../../booking-server/desk-contact.ts';
import {
  findSystemBooking,
  findMoved,
  isFor,
  isCancellationConfirmed,
  isLive,
} from '../../booking-server/system-bookings.ts';
import { statedTerms } from '../../booking-server/system-terms.ts';
import { noteSystemTerms } from '../../terms/table-terms.ts';
import { nearbySlots, nearestFirst, tableOf, windowSlots } from '../../booking-server/nearby-slots.ts';
import { openConnector, type OpenConnector } from '../../booking-server/venue-connector.ts';
import { tableInstant } from '../../asking/timing.ts';
import type { TableRequest } from '../../booking.ts';
import type { AskOutcome, VenueAsk } from '../channel.ts';

/** Causes with which a venue's system declines this guest, as opposed to faults. */
const REFUSALS: ReadonlyMap<string, BookingReason> = new Map([
  ['SLOT_ALREADY_BOOKED_BY_USER', 'slot_already_booked_by_user'],
  ['OVERLAPPING_RESERVATION', 'overlapping_reservation'],
  ['USER_OVER_BOOKING_LIMIT', 'user_over_booking_limit'],
]);
/** After an attempt without an answer, these causes may refer to the table that it booked. */
const MAY_BE_OURS: readonly string[] = ['SLOT_ALREADY_BOOKED_BY_USER', 'OVERLAPPING_RESERVATION'];
const PAYMENT = /^PAYMENT_|^USER_CANNOT_USE_PAYMENT_OPTION$/;

const NOT_SET_UP = { outcome: 'failed', detail: "The venue's system is not set up." } as const;
const NOT_TAKEN = { outcome: 'failed', detail: "The venue's system could not accept the request." } as const;
const DECLINED = { outcome: 'declined', reason: 'slot_unavailable' } as const;
const NOT_SAID = { outcome: 'unknown', detail: "The venue's system has not reported its tables." } as const;

/**
 * Asks the venue's own system. The outcome is `failed`, which leads to the next channel, only if it is
 * certain that no table was booked; otherwise it is `unknown`, because the guest could get two tables.
 */
export async function askSystem(deps: Deps, venueAsk: VenueAsk, db: Db): Promise<AskOutcome> {
  const connector = await openConnector(deps, venueAsk.place.id, db);
  const request = connector && requestOf(deps, venueAsk, { connector, db });
  if (request === undefined) return venueAsk.again ? NOT_SAID : NOT_SET_UP;
  if (venueAsk.table.timeUntil) return chooseTime(request, venueAsk.table.timeUntil);
  try {
    return await (venueAsk.again ? askAgain(deps, request) : askFirst(deps, request));
  } catch (thrown) {
    if (!(thrown instanceof BookingServerError)) throw thrown;
    logFault(deps, venueAsk, thrown);
    return { outcome: thrown.inDoubt ? 'unknown' : 'failed', detail: thrown.message };
  }
}

function logFault({ log }: Deps, { booking }: VenueAsk, thrown: BookingServerError): void {
  log.warn({ err: thrown, booking: booking.id, fault: thrown.fault }, thrown.message);
}

/** A request to one system, the same at every attempt. */
interface Request {
  ask: VenueAsk;
  db: Db;
  connector: OpenConnector;
  slot: TableSlot;
  book(): Promise<Booked>;
  find(): Promise<ServerBooking | undefined>;
}

function requestOf(
  deps: Deps,
  venueAsk: VenueAsk,
  { connector, db }: Pick<Request, 'connector' | 'db'>,
): Request | undefined {
  const { server, durationSec } = connector;
  const { booking, ref, table, idempotencyToken } = venueAsk;
  const contact = deskContact(deps, booking);
  if (contact === undefined) return undefined;
  const slot = {
    startSec: Math.floor(table.tableAt.getTime() / 1000),
    durationSec,
    partySize: table.partySize,
  };
  const request = { ask: venueAsk, db, connector, slot };
  if (ref !== null)
    return {
      ...request,
      book: () => server.moveBooking(ref, slot),
      find: () => findMoved(deps, server, booking, { ref, slot }),
    };
  return {
    ...request,
    book: () => server.createBooking(slot, contact, idempotencyToken),
    find: () => findSystemBooking(deps, server, booking, slot),
  };
}

/**
 * Chooses the first time of a window at which a table is free; the first of all where none is free or the system does
 * not say. It is stored before it is requested, because a repeated request must be for the same time.
 */
async function chooseTime({ ask: venueAsk, connector, slot }: Request, until: string): Promise<AskOutcome> {
  const last = slotOf(venueAsk, { ...venueAsk.table, time: until }, slot);
  const free = await connector.server.findAvailable(windowSlots(slot, last.startSec)).catch(undefinedOnFault);
  return { outcome: 'chosen', time: tableOf(free?.[0] ?? slot, venueAsk.place.timezone).time };
}

/** Sends the request. An interrupted call may have booked the table anyway, so it is looked up once. */
async function askFirst(deps: Deps, request: Request): Promise<AskOutcome> {
  try {
    return await answerOf(deps, request, await request.book());
  } catch (thrown) {
    if (!(thrown instanceof BookingServerError && thrown.inDoubt)) throw thrown;
    const existing = await request.find().catch(undefinedOnFault);
    if (existing === undefined) throw thrown;
    return outcomeOfBooking(deps, request, existing);
  }
}

/**
 * Repeats a request whose earlier attempt may have succeeded. A booking found in the system counts; without one, the
 * same request with the same idempotency token is either recognised or performed now. If the system cannot be searched,
 * the outcome stays unknown.
 */
async function askAgain(deps: Deps, request: Request): Promise<AskOutcome> {
  const search = await request.find().then(
    (booking) => ({ booking }),
    (thrown: unknown) => {
      if (thrown instanceof BookingServerError && !thrown.inDoubt) return undefined;
      throw thrown;
    },
  );
  if (search?.booking !== undefined) return outcomeOfBooking(deps, request, search.booking);
  const booked = await request.book().catch((thrown: unknown) => {
    // This attempt's refusal proves nothing about the earlier one, unless the search found no booking.
    if (search === undefined && thrown instanceof BookingServerError) return undefined;
    throw thrown;
  });
  if (booked === undefined) return NOT_SAID;
  if ('failure' in booked && MAY_BE_OURS.includes(booked.failure)) return NOT_SAID;
  const answer = await answerOf(deps, request, booked);
  // Without a search result, a confirmation may be the replayed answer to the first attempt: poll its status next.
  return search === undefined && answer.outcome === 'confirmed' && answer.ref !== null
    ? { outcome: 'pending', ref: answer.ref }
    : answer;
}

async function answerOf(deps: Deps, request: Request, booked: Booked): Promise<AskOutcome> {
  if ('failure' in booked) return refusalOf(deps, request, booked.failure);
  const { booking } = booked;
  if (booking.status === 'CANCELED') return NOT_TAKEN;
  return outcomeOfBooking(deps, request, booking);
}

/** Converts a booking in the venue's system to an outcome. */
async function outcomeOfBooking(deps: Deps, request: Request, booking: ServerBooking): Promise<AskOutcome> {
  await noteSystemTerms(request.db, deps.clock.now(), request.ask.place.id, statedTerms(booking));
  const outcome = outcomeOfStatus(booking.booking_id, booking.status);
  const holdsTable = outcome.outcome === 'confirmed' || outcome.outcome === 'pending';
  if (holdsTable && requiresPayment(booking)) return refuseToPay(request.connector, booking.booking_id);
  return holdsTable && !isFor(booking, request.slot) ? offerOtherTable(deps, request, booking) : outcome;
}

/**
 * Treats a table other than the requested one as an offer. A confirmed one stays held until the offer is decided; a
 * table that was only to be moved is moved back.
 */
async function offerOtherTable(
  deps: Deps,
  { ask: venueAsk, connector, slot }: Request,
  booking: ServerBooking,
): Promise<AskOutcome> {
  const { start_sec: startSec = slot.startSec, resources } = booking.slot ?? {};
  const other = { ...slot, startSec, partySize: resources?.party_size ?? slot.partySize };
  const offers = isOffer(venueAsk, other, deps.clock.now()) ? [tableOf(other, venueAsk.place.timezone)] : [];
  const isHeld = venueAsk.held === null && booking.status === 'CONFIRMED';
  if (isHeld && offers.length > 0) return { outcome: 'offered', offers, ref: booking.booking_id };
  const freed = await (venueAsk.held === null
    ? cancelInSystem(connector, booking.booking_id)
    : moveBack(connector, booking.booking_id, slotOf(venueAsk, venueAsk.held, slot)));
  if (!freed) return NOT_SAID;
  return offers.length > 0 ? { outcome: 'offered', offers } : DECLINED;
}

/** True for a future table with a valid party size. When accepting an offer, only that table counts. */
function isOffer({ purpose }: VenueAsk, { startSec, partySize }: TableSlot, now: Date): boolean {
  return purpose !== 'accept' && startSec * 1000 > now.getTime() && partySize >= 1 && partySize <= 30;
}

function slotOf({ place }: VenueAsk, { date, time, partySize }: TableRequest, slot: TableSlot): TableSlot {
  const startSec = Math.floor(tableInstant(place.timezone, date, time).getTime() / 1000);
  return { ...slot, startSec, partySize };
}

function outcomeOfStatus(ref: string, status: BookingServerStatus): AskOutcome {
  switch (status) {
    // A no-show is recorded by the venue; it implies that the table was confirmed.
    case 'CONFIRMED':
    case 'NO_SHOW':
    case 'NO_SHOW_PENALIZED':
      return { outcome: 'confirmed', ref };
    case 'DECLINED_BY_MERCHANT':
    case 'CANCELED':
      return { outcome: 'declined', reason: 'venue_declined' };
    case 'FAILED':
      return NOT_TAKEN;
    // With an unspecified status, the system may hold the table.
    case 'PENDING_MERCHANT_CONFIRMATION':
    case 'BOOKING_STATUS_UNSPECIFIED':
      return { outcome: 'pending', ref };
  }
}

/** Cancels a table with a prepayment or fee at once: we never pay, and never cause a fee. */
async function refuseToPay(connector: OpenConnector, ref: string): Promise<AskOutcome> {
  return (await cancelInSystem(connector, ref))
    ? { outcome: 'declined', reason: 'payment_required' }
    : NOT_SAID;
}

/** Cancels the table. True once the system confirms that it no longer holds it; until then no other channel is used. */
async function cancelInSystem({ server }: OpenConnector, ref: string): Promise<boolean> {
  const booked = await server.cancelBooking(ref).catch(undefinedOnFault);
  return booked !== undefined && isCancellationConfirmed(booked);
}

async function moveBack({ server }: OpenConnector, ref: string, slot: TableSlot): Promise<boolean> {
  const booked = await server.moveBooking(ref, slot).catch(undefinedOnFault);
  return booked !== undefined && 'booking' in booked && isLive(booked.booking) && isFor(booked.booking, slot);
}

function undefinedOnFault(thrown: unknown): undefined {
  if (!(thrown instanceof BookingServerError)) throw thrown;
}

function requiresPayment({ payment_information: payment }: ServerBooking): boolean {
  const isSet = (value: unknown) => value !== undefined && value !== null;
  return payment !== undefined && (isSet(payment.deposit) || isSet(payment.no_show_fee));
}

async function refusalOf(deps: Deps, request: Request, cause: string): Promise<AskOutcome> {
  const { ask: venueAsk, connector, slot } = request;
  if (PAYMENT.test(cause)) return { outcome: 'declined', reason: 'payment_required' };
  const reason = REFUSALS.get(cause);
  if (reason !== undefined) return { outcome: 'declined', reason };
  if (cause !== 'SLOT_UNAVAILABLE') return NOT_TAKEN;
  // Other times are offered only for a new request. After a refused change the confirmed table remains.
  if (venueAsk.purpose !== 'new') return DECLINED;
  const free = await freeNearby(deps, connector, slot);
  if (free.length === 0) return DECLINED;
  return { outcome: 'offered', offers: free.map((one) => tableOf(one, venueAsk.place.timezone)) };
}

/**
 * Looks for free tables nearby once, within the 1.5 s that the protocol allows; without an answer there is no offer.
 */
async function freeNearby(deps: Deps, { server }: OpenConnector, slot: TableSlot): Promise<TableSlot[]> {
  try {
    const free = await server.findAvailable(nearbySlots(slot, deps.clock.now()));
    // The slot itself was just refused, even if it is listed as free.
    return nearestFirst(free, slot).filter(({ startSec }) => startSec !== slot.startSec);
  } catch (thrown) {
    if (thrown instanceof BookingServerError) return [];
    throw thrown;
  }
}

/** Polls the system for its decision. A failed poll leaves the outcome unknown. */
export async function pollSystem(deps: Deps, venueAsk: VenueAsk, db: Db): Promise<AskOutcome> {
  const connector = await openConnector(deps, venueAsk.place.id, db);
  if (connector === undefined || venueAsk.ref === null) return NOT_SAID;
  try {
    return outcomeOfStatus(venueAsk.ref, await connector.server.bookingStatus(venueAsk.ref));
  } catch (thrown) {
    if (!(thrown instanceof BookingServerError)) throw thrown;
    logFault(deps, venueAsk, thrown);
    return { outcome: 'unknown', detail: thrown.message };
  }
}
