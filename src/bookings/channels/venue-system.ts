import type { Deps } from '../../core/context.ts';
import type { Db } from '../../core/db.ts';
import type { Booked, ServerBooking, TableSlot } from '../booking-server/booking-server-shapes.ts';
import { BookingServerError } from '../booking-server/booking-server.ts';
import { deskContact, userIdOf } from '../booking-server/desk-contact.ts';
import { lookForTable } from '../booking-server/look-for-table.ts';
import { nearbySlots, nearestFirst, tableOf } from '../booking-server/nearby-slots.ts';
import { openConnector, type OpenConnector } from '../booking-server/venue-connector.ts';
import type { AskOutcome, Channel, TellOutcome, VenueAsk } from '../channel.ts';

/** Causes by which a venue's system says no to this guest, and not that something is wrong. */
const REFUSALS: readonly string[] = [
  'SLOT_ALREADY_BOOKED_BY_USER',
  'OVERLAPPING_RESERVATION',
  'USER_OVER_BOOKING_LIMIT',
];
const NOT_CANCELLABLE: readonly string[] = ['OUTSIDE_CANCELLATION_WINDOW', 'BOOKING_NOT_CANCELLABLE'];
const PAYMENT = /^PAYMENT_|^USER_CANNOT_USE_PAYMENT_OPTION$/;

const NOT_SET_UP = { outcome: 'failed', detail: "The venue's system is not set up." } as const;

/** The venue's own booking system, by the Booking Server API v3: the one channel that confirms without a person. */
export const venueSystem: Channel = {
  name: 'venue_system',
  usable: ({ config }) => config.desk.phone !== undefined,
  ask: (deps, ask, db) => withConnector(deps, ask, db, (connector) => askFor(deps, ask, connector)),
  poll: (deps, ask, db) => withConnector(deps, ask, db, (connector) => pollFor(ask, connector)),
  available: (deps, placeId, { tableAt, partySize }, db) =>
    lookForTable(deps, db, { placeId, tableAt, partySize }),
  tell: (deps, ask, db) =>
    ask.purpose === 'cancelled'
      ? withConnector(deps, ask, db, (connector) => cancel(deps, ask, connector))
      : Promise.resolve({ outcome: 'told' }),
};

/** Whatever is wrong with the other side, the next channel follows: the guest must not wait for a machine. */
async function withConnector<Outcome>(
  deps: Deps,
  ask: VenueAsk,
  db: Db,
  work: (connector: OpenConnector) => Promise<Outcome>,
): Promise<Outcome | { outcome: 'failed'; detail: string }> {
  const connector = await openConnector(deps, ask.place.id, db);
  if (connector === undefined) return NOT_SET_UP;
  try {
    return await work(connector);
  } catch (thrown) {
    if (!(thrown instanceof BookingServerError)) throw thrown;
    deps.log.warn({ err: thrown, booking: ask.booking.id, fault: thrown.fault }, thrown.message);
    return { outcome: 'failed', detail: thrown.message };
  }
}

async function askFor(deps: Deps, ask: VenueAsk, connector: OpenConnector): Promise<AskOutcome> {
  const { server, durationSec } = connector;
  const contact = deskContact(deps, ask.booking);
  if (contact === undefined) return NOT_SET_UP;
  const { partySize, tableAt } = ask.table;
  const slot = { startSec: Math.floor(tableAt.getTime() / 1000), durationSec, partySize };
  const book = () =>
    ask.ref === null
      ? server.createBooking(slot, contact, ask.idempotencyToken)
      : server.moveBooking(ask.ref, slot);
  const booked = await book().catch(async (thrown: unknown): Promise<Booked> => {
    const made = ask.ref === null ? await findMade(deps, ask, connector, thrown) : undefined;
    if (made === undefined) throw thrown;
    return { booking: made };
  });
  if ('booking' in booked) return outcomeOf(connector, booked.booking);
  return refusalOf(deps, ask, connector, { slot, cause: booked.failure });
}

/** A call that broke off may have made the booking all the same; asking elsewhere would then take a second table. */
async function findMade(
  deps: Deps,
  ask: VenueAsk,
  { server }: OpenConnector,
  thrown: unknown,
): Promise<ServerBooking | undefined> {
  if (!(thrown instanceof BookingServerError) || thrown.fault === 'credentials') return undefined;
  try {
    const known = await server.listBookings(userIdOf(deps, ask.booking));
    return known.find(({ status }) => status === 'CONFIRMED' || status === 'PENDING_MERCHANT_CONFIRMATION');
  } catch (again) {
    if (again instanceof BookingServerError) return undefined;
    throw again;
  }
}

async function outcomeOf(connector: OpenConnector, booking: ServerBooking): Promise<AskOutcome> {
  const { booking_id: ref, status } = booking;
  if (wantsMoney(booking)) return giveBack(connector, ref);
  switch (status) {
    case 'CONFIRMED':
      return { outcome: 'confirmed', ref };
    case 'PENDING_MERCHANT_CONFIRMATION':
      return { outcome: 'pending', ref };
    case 'DECLINED_BY_MERCHANT':
      return { outcome: 'declined', reason: 'venue_declined' };
    default:
      return { outcome: 'failed', detail: "The venue's system could not take the request." };
  }
}

/** A table that costs the guest money is given back at once: we never pay, and never let a fee arise. */
async function giveBack({ server }: OpenConnector, ref: string): Promise<AskOutcome> {
  const booked = await server.cancelBooking(ref);
  if ('failure' in booked && booked.failure !== 'BOOKING_ALREADY_CANCELLED')
    return {
      outcome: 'failed',
      detail: "The venue's system wants money and keeps the table; the desk has to call.",
    };
  return { outcome: 'declined', reason: 'payment_required' };
}

function wantsMoney({ payment_information: payment }: ServerBooking): boolean {
  const isSet = (value: unknown) => value !== undefined && value !== null;
  return payment !== undefined && (isSet(payment.deposit) || isSet(payment.no_show_fee));
}

async function refusalOf(
  deps: Deps,
  ask: VenueAsk,
  connector: OpenConnector,
  { slot, cause }: { slot: TableSlot; cause: string },
): Promise<AskOutcome> {
  if (PAYMENT.test(cause)) return { outcome: 'declined', reason: 'payment_required' };
  if (REFUSALS.includes(cause)) return { outcome: 'declined', reason: cause.toLowerCase() };
  if (cause !== 'SLOT_UNAVAILABLE')
    return { outcome: 'failed', detail: "The venue's system could not take the request." };
  const declined = { outcome: 'declined', reason: 'slot_unavailable' } as const;
  // Whoever holds a table keeps it; another time in its stead would be a question nobody asked.
  if (ask.purpose !== 'new') return declined;
  const free = await freeNearby(deps, connector, slot);
  if (free.length === 0) return declined;
  return { outcome: 'offered', offers: free.map((one) => tableOf(one, ask.place.timezone)) };
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

async function pollFor({ ref }: VenueAsk, { server }: OpenConnector): Promise<AskOutcome> {
  if (ref === null) return NOT_SET_UP;
  switch (await server.bookingStatus(ref)) {
    // Whether the guest came is the venue's note; the table was confirmed for it to be made.
    case 'CONFIRMED':
    case 'NO_SHOW':
    case 'NO_SHOW_PENALIZED':
      return { outcome: 'confirmed', ref };
    case 'PENDING_MERCHANT_CONFIRMATION':
      return { outcome: 'pending', ref };
    case 'DECLINED_BY_MERCHANT':
    case 'CANCELED':
      return { outcome: 'declined', reason: 'venue_declined' };
    default:
      return { outcome: 'failed', detail: "The venue's system could not take the request." };
  }
}

async function cancel(deps: Deps, ask: VenueAsk, connector: OpenConnector): Promise<TellOutcome> {
  const { server } = connector;
  const known = ask.ref ?? (await server.listBookings(userIdOf(deps, ask.booking))).at(0)?.booking_id;
  if (known === undefined) return { outcome: 'told' };
  const booked = await server.cancelBooking(known);
  if ('booking' in booked || booked.failure === 'BOOKING_ALREADY_CANCELLED')
    return { outcome: 'told', ref: known };
  const refused = NOT_CANCELLABLE.includes(booked.failure);
  return {
    outcome: refused ? 'refused' : 'failed',
    detail: refused
      ? "The venue's system no longer takes the table back."
      : "The venue's system could not take the table back.",
  };
}
