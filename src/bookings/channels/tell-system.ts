import type { Deps } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import { BookingServerError } from '../booking-server/booking-server.ts';
import { findMoved, isGivenBack, isLive, listMade } from '../booking-server/made-tables.ts';
import { openConnector, type OpenConnector } from '../booking-server/venue-connector.ts';
import type { TellOutcome, VenueAsk } from '../channel.ts';

const NOT_CANCELLABLE: readonly string[] = ['OUTSIDE_CANCELLATION_WINDOW', 'BOOKING_NOT_CANCELLABLE'];

const NOT_SET_UP = { outcome: 'failed', detail: "The venue's system is not set up." } as const;
const NOT_PUT_BACK = {
  outcome: 'failed',
  detail: "The venue's system may hold another table than the one that stands.",
} as const;

/** Tells the venue's system what became of a table. Where it does not answer it is told again, and then the desk calls. */
export async function tellSystem(deps: Deps, ask: VenueAsk, db: Db): Promise<TellOutcome> {
  if (ask.purpose !== 'cancelled' && !(ask.purpose === 'kept' && ask.booking.reverted))
    return { outcome: 'told' };
  const connector = await openConnector(deps, ask.place.id, db);
  if (connector === undefined) return NOT_SET_UP;
  try {
    return await (ask.purpose === 'kept' && ask.ref !== null
      ? putBack(deps, ask, ask.ref, connector)
      : giveBack(deps, ask, connector));
  } catch (thrown) {
    if (!(thrown instanceof BookingServerError)) throw thrown;
    const { fault, inDoubt, message: detail } = thrown;
    deps.log.warn({ err: thrown, booking: ask.booking.id, fault }, detail);
    const refused = !inDoubt && (fault === 'credentials' || fault === 'status');
    return { outcome: refused ? 'failed' : 'unknown', detail };
  }
}

/** Gives back the table that is known, or else every one that the system lists for this booking. */
async function giveBack(deps: Deps, ask: VenueAsk, { server }: OpenConnector): Promise<TellOutcome> {
  const refs =
    ask.ref === null
      ? (await listMade(deps, server, ask.booking)).filter(isLive).map(({ booking_id }) => booking_id)
      : [ask.ref];
  for (const ref of refs) {
    const booked = await server.cancelBooking(ref);
    if (isGivenBack(booked)) continue;
    const refused = 'failure' in booked && NOT_CANCELLABLE.includes(booked.failure);
    return {
      outcome: refused ? 'refused' : 'failed',
      detail: refused
        ? "The venue's system no longer takes the table back."
        : "The venue's system could not take the table back.",
    };
  }
  const [ref] = refs;
  return ref === undefined ? { outcome: 'absent' } : { outcome: 'told', ref };
}

/** A change came to nothing here. The system may have made it all the same, and then has to undo it. */
async function putBack(
  deps: Deps,
  { booking, table: { tableAt, partySize } }: VenueAsk,
  ref: string,
  { server, durationSec }: OpenConnector,
): Promise<TellOutcome> {
  const slot = { startSec: Math.floor(tableAt.getTime() / 1000), durationSec, partySize };
  const stands = await findMoved(deps, server, booking, { ref, slot }).catch((thrown: unknown) => {
    // Some systems list nothing; what stands there is then put where it belongs, as it may be already.
    if (thrown instanceof BookingServerError && !thrown.inDoubt) return undefined;
    throw thrown;
  });
  if (stands !== undefined) return { outcome: 'told', ref };
  const booked = await server.moveBooking(ref, slot);
  return 'booking' in booked && isLive(booked.booking) ? { outcome: 'told', ref } : NOT_PUT_BACK;
}
