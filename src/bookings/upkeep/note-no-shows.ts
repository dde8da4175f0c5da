import type { StepContext } from '../../core/context.ts';
import { BookingServerError } from '../booking-server/booking-server.ts';
import { openConnector } from '../booking-server/venue-connector.ts';
import { lockBooking } from '../booking-row.ts';
import { holdKillSwitch } from './kill-switch.ts';
import { noteEntry } from '../timeline.ts';
import { HOUR_MS } from '../../core/time.ts';

/** By then the venue has closed for the night and has written down who came. */
const AFTER_MS = 12 * HOUR_MS;
const UNTIL_MS = 72 * HOUR_MS;
const AT_ONCE = 50;

interface Seated {
  askId: string;
  bookingId: string;
  placeId: string;
  ref: string;
}

/**
 * Looks once, after the day of a table that a venue's system gave, whether the guest came. Whoever did not leaves a line
 * in the timeline and nothing else: no fee, and no other status.
 */
export async function noteNoShows(step: StepContext): Promise<void> {
  for (const seated of await takeSeated(step)) await look(step, seated);
}

/** Taken before it is looked at, so that of several nodes one looks. */
function takeSeated({ deps: { pool, clock } }: StepContext): Promise<Seated[]> {
  const now = clock.now();
  const from = new Date(now.getTime() - UNTIL_MS);
  const until = new Date(now.getTime() - AFTER_MS);
  return pool<Seated[]>`
    update venue_ask a set polled_at = ${now}
    from (select a.id, b.place_id, b.confirmed_ref from venue_ask a join booking b on b.id = a.booking_id
          where b.status = 'confirmed' and b.confirmed_by = 'venue_system' and b.table_at between ${from} and ${until}
            and a.channel = 'venue_system' and a.ref = b.confirmed_ref and a.step <> 'tell_cancelled'
            and (a.polled_at is null or a.polled_at < b.table_at)
          order by b.table_at limit ${AT_ONCE} for update of a skip locked) as seated
    where a.id = seated.id
    returning a.id::text as "askId", a.booking_id as "bookingId", seated.place_id as "placeId",
              seated.confirmed_ref as ref`;
}

async function look(
  { deps, inTransaction }: StepContext,
  { askId, bookingId, placeId, ref }: Seated,
): Promise<void> {
  await inTransaction(async (tx) => {
    if (await holdKillSwitch(tx)) {
      await tx`update venue_ask set polled_at = null where id = ${askId}`;
      return;
    }
    const connector = await openConnector(deps, placeId, tx);
    const status = await connector?.server.bookingStatus(ref).catch((thrown: unknown) => {
      if (!(thrown instanceof BookingServerError)) throw thrown;
      deps.log.info({ err: thrown, booking: bookingId }, thrown.message);
      return undefined;
    });
    if (status !== 'NO_SHOW' && status !== 'NO_SHOW_PENALIZED') return;
    const booking = await lockBooking(tx, bookingId);
    if (booking?.status !== 'confirmed') return;
    await noteEntry(tx, deps.clock.now(), booking, {
      event: 'no_show_reported',
      actor: 'venue_system',
      channel: 'venue_system',
      text: 'The venue reports that the guest did not come.',
    });
  });
}
