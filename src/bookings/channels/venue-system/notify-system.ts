import type { Deps } from '../../../core/context.ts';
import type { Db } from '../../../core/postgres/db.ts';
import { BookingServerError } from '../../booking-server/booking-server.ts';
import {
  findMoved,
  isCancellationConfirmed,
  isLive,
  listSystemBookings,
} from '../../booking-server/system-bookings.ts';
import { openConnector, type OpenConnector } from '../../booking-server/venue-connector.ts';
import type { TellOutcome, VenueAsk } from '../channel.ts';

const NOT_CANCELLABLE: readonly string[] = ['OUTSIDE_CANCELLATION_WINDOW', 'BOOKING_NOT_CANCELLABLE'];

const NOT_SET_UP = { outcome: 'failed', detail: "The venue's system is not set up." } as const;
const NOT_PUT_BACK = {
  outcome: 'failed',
  detail: "The venue's system may have a different table than the confirmed one.",
} as const;

/** Notifies the venue's system of a table's outcome. Without an answer it is retried, and then the desk calls. */
export async function notifySystem(deps: Deps, ask: VenueAsk, db: Db): Promise<TellOutcome> {
  if (ask.purpose !== 'cancelled' && !(ask.purpose === 'kept' && ask.booking.reverted))
    return { outcome: 'told' };
  const connector = await openConnector(deps, ask.place.id, db);
  if (connector === undefined) return NOT_SET_UP;
  try {
    return await (ask.purpose === 'kept' && ask.ref !== null
      ? revertChange(deps, ask, ask.ref, connector)
      : cancelTables(deps, ask, connector));
  } catch (thrown) {
    if (!(thrown instanceof BookingServerError)) throw thrown;
    const { fault, inDoubt, message: detail } = thrown;
    deps.log.warn({ err: thrown, booking: ask.booking.id, fault }, detail);
    const refused = !inDoubt && (fault === 'credentials' || fault === 'status');
    return { outcome: refused ? 'failed' : 'unknown', detail };
  }
}

/** Cancels the table with the known reference, or else every table that the system lists for this booking. */
async function cancelTables(deps: Deps, ask: VenueAsk, { server }: OpenConnector): Promise<TellOutcome> {
  const refs =
    ask.ref === null
      ? (await listSystemBookings(deps, server, ask.booking))
          .filter(isLive)
          .map(({ booking_id }) => booking_id)
      : [ask.ref];
  for (const ref of refs) {
    const booked = await server.cancelBooking(ref);
    if (isCancellationConfirmed(booked)) continue;
    const refused = 'failure' in booked && NOT_CANCELLABLE.includes(booked.failure);
    return {
      outcome: refused ? 'refused' : 'failed',
      detail: refused
        ? "The venue's system no longer accepts the cancellation."
        : "The venue's system could not cancel the table.",
    };
  }
  const [ref] = refs;
  return ref === undefined ? { outcome: 'absent' } : { outcome: 'told', ref };
}

/** Reverts a change that failed on our side: the system may have performed it anyway. */
async function revertChange(
  deps: Deps,
  { booking, table: { tableAt, partySize } }: VenueAsk,
  ref: string,
  { server, durationSec }: OpenConnector,
): Promise<TellOutcome> {
  const slot = { startSec: Math.floor(tableAt.getTime() / 1000), durationSec, partySize };
  const inPlace = await findMoved(deps, server, booking, { ref, slot }).catch((thrown: unknown) => {
    // Some systems list nothing; the table is then moved to its slot, where it may already be.
    if (thrown instanceof BookingServerError && !thrown.inDoubt) return undefined;
    throw thrown;
  });
  if (inPlace !== undefined) return { outcome: 'told', ref };
  const booked = await server.moveBooking(ref, slot);
  return 'booking' in booked && isLive(booked.booking) ? { outcome: 'told', ref } : NOT_PUT_BACK;
}
