import type { StepContext } from '../../../core/context.ts';
import { BookingServerError } from '../../booking-server/booking-server.ts';
import { openConnector } from '../../booking-server/venue-connector.ts';
import { lockBooking } from '../../booking-row.ts';
import { holdKillSwitch } from '../../kill-switch/kill-switch.ts';
import { storeOutcome } from '../../outcomes/table-outcome.ts';
import { noteEntry } from '../../timeline.ts';
import { venueSystem } from './venue-system.ts';
import { HOUR_MS } from '../../../core/time.ts';

/** Delay after the table's time: by then the venue has closed for the night and recorded its no-shows. */
const AFTER_MS = 12 * HOUR_MS;
const UNTIL_MS = 72 * HOUR_MS;
const AT_ONCE = 50;

interface PastTable {
  askId: string;
  bookingId: string;
  placeId: string;
  ref: string;
}

/** Checks once, after the day of a table, whether the guest came. A no-show only adds a timeline entry. */
export async function noteNoShows(step: StepContext): Promise<void> {
  for (const table of await claimPastTables(step)) await checkNoShow(step, table);
}

/** Claims the bookings before the check, so that only one node checks each. */
function claimPastTables({ deps: { pool, clock } }: StepContext): Promise<PastTable[]> {
  const now = clock.now();
  const from = new Date(now.getTime() - UNTIL_MS);
  const until = new Date(now.getTime() - AFTER_MS);
  return pool<PastTable[]>`
    update venue_ask a set polled_at = ${now}
    from (select a.id, b.place_id, b.confirmed_ref from venue_ask a join booking b on b.id = a.booking_id
          where b.status = 'confirmed' and b.confirmed_by = 'venue_system' and b.table_at between ${from} and ${until}
            and a.channel = ${venueSystem.name} and a.ref = b.confirmed_ref and a.step <> 'notify_cancelled'
            and (a.polled_at is null or a.polled_at < b.table_at)
          order by b.table_at limit ${AT_ONCE} for update of a skip locked) as seated
    where a.id = seated.id
    returning a.id::text as "askId", a.booking_id as "bookingId", seated.place_id as "placeId",
              seated.confirmed_ref as ref`;
}

async function checkNoShow(
  { deps, inTransaction }: StepContext,
  { askId, bookingId, placeId, ref }: PastTable,
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
    await storeOutcome(tx, deps.clock.now(), { bookingId, outcome: 'absent', by: 'venue_system' });
    await noteEntry(tx, deps.clock.now(), booking, {
      event: 'no_show_reported',
      actor: 'venue_system',
      channel: venueSystem.name,
      text: 'The venue reports that the guest did not come.',
    });
  });
}
