import type { Ctx } from '../../core/context.ts';
import { AppError } from '../../core/errors.ts';
import type { Ceiling } from '../../core/operation.ts';
import { DAY_MS, MINUTE_MS } from '../../core/time.ts';
import { takeFromWindow, usedOf, rowOf } from '../../metering/rate-window.ts';

export const READS_A_MINUTE: Ceiling = {
  name: 'reads-minute',
  code: 'rate_limited',
  windowMs: MINUTE_MS,
  max: ({ config }) => config.bookings.readsPerMinute,
  words: 'Bookings or their deliveries were read too often within a minute.',
  counts: 'calls',
};

/** Each call counts, so that nobody learns by trying what is refused. */
export const WRITES_A_MINUTE: Ceiling = {
  name: 'writes-minute',
  code: 'write_rate_limited',
  windowMs: MINUTE_MS,
  max: ({ config }) => config.bookings.writesPerMinute,
  words: 'Too many requests, changes and cancellations within a minute. Nothing was changed.',
  counts: 'calls',
};

/** A cancellation counts and is never refused for the day: a guest who cannot come must be able to say so. */
export const WRITES_A_DAY: Ceiling = {
  name: 'writes-day',
  code: 'daily_write_limit',
  windowMs: DAY_MS,
  max: ({ config }) => config.bookings.writesPerDay,
  words: 'The requests and changes of this day are used up. Nothing was changed.',
  counts: 'done',
};

/** The name under which questions to a venue are counted, whoever asks. */
function venueWindow(placeId: string, max: number) {
  return { name: `venue-asks/${placeId}`, max, windowMs: DAY_MS };
}

/** Takes one of the questions that a venue gets in a day from all partners together, and from one partner at a time. */
export async function takeVenueAsk(ctx: Ctx, placeId: string, partnerId: string): Promise<void> {
  const { venueAsksPerDay, openAsksPerVenue } = ctx.deps.config.bookings;
  const [[open], taken] = await Promise.all([
    ctx.db<{ count: number }[]>`
      select count(*)::int as count from booking
      where place_id = ${placeId} and partner_id = ${partnerId} and status in ('sent','asking')`,
    takeFromWindow(ctx.db, venueWindow(placeId, venueAsksPerDay), ctx.now),
  ]);
  if ((open?.count ?? 0) >= openAsksPerVenue)
    throw new AppError(
      'venue_daily_cap',
      `This venue already has ${openAsksPerVenue} open requests of yours. Nothing was changed.`,
      { hint: 'Wait until the venue has answered one of them, or cancel one.' },
    );
  if (taken.allowed) return;
  throw new AppError('venue_daily_cap', 'This venue gets no more requests today. Nothing was changed.', {
    retryAfterSeconds: taken.resetsInSeconds,
    hint: 'Choose another venue, or ask this one tomorrow.',
  });
}

/** How many more questions a venue may get today. */
export async function venueAsksLeft(ctx: Ctx, placeId: string): Promise<number> {
  const { venueAsksPerDay } = ctx.deps.config.bookings;
  const { used } = await usedOf(ctx.db, rowOf(venueWindow(placeId, venueAsksPerDay), ctx.now));
  return Math.max(0, venueAsksPerDay - used);
}
