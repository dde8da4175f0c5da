import { HOUSE_PARTNER } from '../../accounts/partners/house-partner.ts';
import type { Ctx } from '../../core/context.ts';
import { AppError } from '../../core/errors.ts';
import type { RateLimit } from '../../core/operation.ts';
import { DAY_MS, MINUTE_MS } from '../../core/time.ts';
import { isPoor, readPartnerRecord } from '../outcomes/partner-record.ts';
import type { Booking } from '../booking.ts';
import { isRehearsal } from '../rehearsal/rehearsal-venue.ts';
import { takeFromWindow, usedOf, rowOf } from '../../metering/rate-window.ts';

export const READS_A_MINUTE: RateLimit = {
  name: 'reads-minute',
  windowMs: MINUTE_MS,
  max: ({ config }) => config.bookings.readsPerMinute,
  message: 'Bookings or their deliveries were read too often within a minute.',
};

/** Every call counts, refused or not, so that callers cannot learn by trying what is refused. */
export const WRITES_A_MINUTE: RateLimit = {
  name: 'writes-minute',
  code: 'write_rate_limited',
  windowMs: MINUTE_MS,
  max: ({ config }) => config.bookings.writesPerMinute,
  message: 'Too many requests, changes and cancellations within a minute. Nothing was changed.',
};

/** A cancellation counts but is never refused by the daily limit: a guest who cannot come must be able to cancel. */
export const WRITES_A_DAY: RateLimit = {
  name: 'writes-day',
  code: 'daily_write_limit',
  windowMs: DAY_MS,
  max: ({ config }) => config.bookings.writesPerDay,
  message: 'The requests and changes of this day are used up. Nothing was changed.',
  counts: 'done',
};

function venueWindow(placeId: string, max: number) {
  return { name: `venue-asks/${placeId}`, max, windowMs: DAY_MS };
}

/**
 * Takes from the venue's daily quota, which all partners and members share, and checks the open requests of the partner,
 * or of the member who requests without one.
 */
export async function consumeVenueQuota(
  ctx: Pick<Ctx, 'db' | 'deps' | 'now'>,
  { placeId, partnerId, memberId }: Pick<Booking, 'placeId' | 'partnerId' | 'memberId'>,
): Promise<void> {
  if (isRehearsal(placeId)) return;
  const { venueAsksPerDay, openAsksPerVenue: usual, poorRecord } = ctx.deps.config.bookings;
  const isMember = partnerId === HOUSE_PARTNER;
  const poor = !isMember && isPoor(await readPartnerRecord(ctx, partnerId), ctx.deps);
  if (poor) await refusePoorRecord(ctx, partnerId);
  const openAsksPerVenue = poor ? Math.min(usual, poorRecord.openAsksPerVenue) : usual;
  const requester = isMember ? memberId : null;
  const [[open], quota] = await Promise.all([
    ctx.db<{ count: number }[]>`
      select count(*)::int as count from booking
      where place_id = ${placeId} and partner_id = ${partnerId} and status in ('sent','asking')
        and (${requester}::text is null or member_id = ${requester})`,
    takeFromWindow(ctx.db, venueWindow(placeId, venueAsksPerDay), ctx.now),
  ]);
  if ((open?.count ?? 0) >= openAsksPerVenue)
    throw new AppError(
      'venue_daily_cap',
      `This venue already has ${openAsksPerVenue} of your requests open. Nothing was changed.`,
      { hint: 'Wait until the venue has answered one of them, or cancel one.' },
    );
  if (quota.allowed) return;
  throw new AppError('venue_daily_cap', 'This venue gets no more requests today. Nothing was changed.', {
    retryAfterSeconds: quota.resetsInSeconds,
    hint: 'Choose another venue, or ask this one tomorrow.',
  });
}

/** Limits the requests of a day for a partner whose guests often did not come. */
async function refusePoorRecord(ctx: Pick<Ctx, 'db' | 'deps' | 'now'>, partnerId: string): Promise<void> {
  const { asksPerDay } = ctx.deps.config.bookings.poorRecord;
  const window = { name: `poor-record/${partnerId}`, max: asksPerDay, windowMs: DAY_MS };
  const quota = await takeFromWindow(ctx.db, window, ctx.now);
  if (quota.allowed) return;
  throw new AppError(
    'daily_write_limit',
    `Too many of your guests did not come or cancelled late: you can ask ${asksPerDay} times a day. Nothing was changed.`,
    { retryAfterSeconds: quota.resetsInSeconds, hint: 'get_usage shows your record.' },
  );
}

export async function venueAsksLeft(ctx: Ctx, placeId: string): Promise<number> {
  const { venueAsksPerDay } = ctx.deps.config.bookings;
  const { used } = await usedOf(ctx.db, rowOf(venueWindow(placeId, venueAsksPerDay), ctx.now));
  return Math.max(0, venueAsksPerDay - used);
}
