import type { Ctx } from '../../core/context.ts';
import { AppError, type ErrorCode } from '../../core/errors.ts';
import { takeFromWindow, type Taken } from '../../metering/rate-window.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

interface Policy {
  name: 'writes-minute' | 'writes-day' | 'reads-minute';
  windowMs: number;
  code: ErrorCode;
  words: string;
}

const READS: Policy = {
  name: 'reads-minute',
  windowMs: MINUTE_MS,
  code: 'rate_limited',
  words: 'Bookings or their deliveries were read too often within a minute.',
};
const WRITES_MINUTE: Policy = {
  name: 'writes-minute',
  windowMs: MINUTE_MS,
  code: 'write_rate_limited',
  words: 'Too many requests, changes and cancellations within a minute. Nothing was changed.',
};
const WRITES_DAY: Policy = {
  name: 'writes-day',
  windowMs: DAY_MS,
  code: 'daily_write_limit',
  words: 'The requests and changes of this day are used up. Nothing was changed.',
};

/** Takes one write of a partner. A cancellation is never refused for the day: a guest who cannot come must be able to say so. */
export async function takeWrite(ctx: Ctx, partnerId: string, kind: 'change' | 'cancel'): Promise<void> {
  const { writesPerMinute, writesPerDay } = ctx.deps.config.bookings;
  const [minute, day] = await Promise.all([
    take(ctx, partnerId, WRITES_MINUTE, writesPerMinute),
    take(ctx, partnerId, WRITES_DAY, writesPerDay),
  ]);
  tell(ctx, [
    [WRITES_MINUTE, writesPerMinute, minute],
    [WRITES_DAY, writesPerDay, day],
  ]);
  if (!minute.allowed) throw refusal(ctx, WRITES_MINUTE, minute);
  if (!day.allowed && kind === 'change') throw refusal(ctx, WRITES_DAY, day);
}

export async function takeBookingRead(ctx: Ctx, partnerId: string): Promise<void> {
  const max = ctx.deps.config.bookings.readsPerMinute;
  const taken = await take(ctx, partnerId, READS, max);
  tell(ctx, [[READS, max, taken]]);
  if (!taken.allowed) throw refusal(ctx, READS, taken);
}

function take(ctx: Ctx, partnerId: string, { name, windowMs }: Policy, max: number): Promise<Taken> {
  return takeFromWindow(ctx.db, { name: `bookings/${name}/${partnerId}`, max, windowMs }, ctx.now);
}

type Told = readonly [policy: Policy, max: number, taken: Taken];

/** The draft of the IETF: which ceilings there are, and what is left below each. */
function tell(ctx: Ctx, told: readonly Told[]): void {
  ctx.headers['ratelimit-policy'] = told
    .map(([{ name, windowMs }, max]) => `"${name}";q=${max};w=${windowMs / 1000}`)
    .join(', ');
  ctx.headers['ratelimit'] = told
    .map(([{ name }, , { remaining, resetsInSeconds }]) => `"${name}";r=${remaining};t=${resetsInSeconds}`)
    .join(', ');
}

function refusal(ctx: Ctx, { name, code, words }: Policy, { resetsInSeconds }: Taken): AppError {
  return new AppError(code, words, {
    retryAfterSeconds: resetsInSeconds,
    violatedPolicies: [name],
    headers: { ...ctx.headers },
    hint: `Try again in ${resetsInSeconds} seconds.`,
  });
}

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
  const [row] = await ctx.db<{ used: number }[]>`
    select used::int as used from rate_window
    where name = ${venueWindow(placeId, 0).name} and starts_at <= ${ctx.now} and ends_at > ${ctx.now}`;
  return Math.max(0, venueAsksPerDay - (row?.used ?? 0));
}
