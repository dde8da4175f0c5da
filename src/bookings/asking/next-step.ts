import type { BookingReason } from '../../webhooks/booking-reason.ts';
import type { Booking, ChannelName } from '../booking.ts';
import type { AskRow, BookingOffer } from '../booking-row.ts';
import type { ChannelWaits } from '../channels/channel.ts';
import { channelNamed, isChannelKind } from '../channels/channels.ts';
import type { ChannelPlan, ChannelTarget } from './channel-plan.ts';
import type { ChoiceEnd } from '../choices/choice.ts';
import { isOpen } from '../moves.ts';
import { isWaiting, waitEnd } from '../waiting/waiting.ts';
import { askFrom, leavesTime, nextContactTime, tableInstant, type ContactHours } from './timing.ts';
import { DAY_MS, MINUTE_MS } from '../../core/time.ts';

const HALT_MAX_MS = 24 * 60 * MINUTE_MS;
/** Waits between polls of the venue's system, in minutes. */
const POLL_WAITS_MIN = [1, 1, 3, 5, 5, 15];

export interface BookingState {
  booking: Booking;
  asks: readonly AskRow[];
  offers: readonly BookingOffer[];
  plan: ChannelPlan | null;
  contactHours: ContactHours | null;
  /** End of the batch window, until which further requests about this evening wait. */
  batchUntil?: Date | null;
  halted: boolean;
  /** The venue has set a rule that excludes the table since it was requested. */
  againstRule?: boolean;
  /** The venue said that it is full on that day, and the request may wait. */
  fullDay?: boolean;
  /** Why the choice of the booking is over, if it is. */
  choiceEnd?: ChoiceEnd | undefined;
  patience: ChannelWaits;
  now: Date;
}

export type NextStep =
  | { kind: 'ask'; way: ChannelTarget }
  | { kind: 'remind'; way: ChannelTarget }
  /** channel: the system that made the offer. held: its reference, if it already holds the table. */
  | { kind: 'accept'; channel: ChannelName; held: string | null }
  | { kind: 'do'; ask: AskRow }
  | { kind: 'poll'; ask: AskRow }
  | { kind: 'watch'; ask: AskRow }
  | { kind: 'interrupted'; ask: AskRow }
  | { kind: 'unanswered' }
  | { kind: 'lapsed' }
  | { kind: 'withdraw'; reason: ChoiceEnd }
  | { kind: 'join' }
  | { kind: 'wait_over' }
  | {
      kind: 'cancel';
      reason: Extract<
        BookingReason,
        | 'against_venue_rule'
        | 'venue_opted_out'
        | 'not_bookable_here'
        | 'place_closed'
        | 'halted_too_long'
        | 'not_asked'
      >;
    }
  | { kind: 'wait'; until: Date }
  | { kind: 'nothing' };

export function isCall(step: NextStep): boolean {
  if ('way' in step) return isChannelKind(step.way.channel, 'system');
  return step.kind === 'accept' || ('ask' in step && isChannelKind(step.ask.channel, 'system'));
}

/** Decides the next step of a booking. Pure function, so that every case can be tested. */
export function nextStep(state: BookingState): NextStep {
  const { asks, booking, choiceEnd, halted, now } = state;
  if (choiceEnd !== undefined && isOpen(booking.status) && booking.held === null)
    return { kind: 'withdraw', reason: choiceEnd };
  if (halted) return whileHalted(booking, now);
  const interrupted = asks.find(({ state, leaseOver }) => state === 'sending' && leaseOver);
  if (interrupted !== undefined) return { kind: 'interrupted', ask: interrupted };
  // Another job is sending. Its end, or the end of its lease, triggers the next run.
  if (asks.some(({ state }) => state === 'sending'))
    return { kind: 'wait', until: new Date(now.getTime() + LEASE_LOOK_MS) };
  const queued = asks.find(({ state }) => state === 'queued');
  if (queued !== undefined) return { kind: 'do', ask: queued };
  const unfinishedNotification = asks.find(
    ({ step, state }) => step.startsWith('notify_') && state === 'pending',
  );
  const retry = unfinishedNotification && pollStep(unfinishedNotification, now);
  if (retry?.kind === 'poll') return retry;
  const next = nextByStatus(state);
  // The venue may still hold the table that is being given back: asking now could take a second one.
  return retry !== undefined && next.kind === 'ask' ? retry : sooner(next, retry);
}

/** Waits that can follow one another before a step; stops endless loops. */
const WAITS_MAX = 5;

/** Returns the step that comes after all waiting, with its time, as long as nobody answers or changes anything. */
export function upcomingStep(state: BookingState): { at: Date; step: NextStep } {
  let { now: at } = state;
  for (let waits = 0; waits < WAITS_MAX; waits++) {
    const step = nextStep({ ...state, now: at });
    if (step.kind !== 'wait') return { at, step };
    at = step.until;
  }
  return { at, step: { kind: 'wait', until: at } };
}

function nextByStatus(state: BookingState): NextStep {
  switch (state.booking.status) {
    case 'sent':
    case 'asking':
      return whileOpen(state);
    case 'offered':
      return whileOffered(state);
    case 'confirmed':
      return whileConfirmed(state);
    default:
      return { kind: 'nothing' };
  }
}

/** Returns `next` if it is due; of two waits, the one that ends earlier. */
function sooner(next: NextStep, other: NextStep | undefined): NextStep {
  if (other?.kind !== 'wait' || (next.kind !== 'wait' && next.kind !== 'nothing')) return next;
  return next.kind === 'nothing' || other.until < next.until ? other : next;
}

const LEASE_LOOK_MS = 10_000;

function whileHalted({ status, frozenAt }: Booking, now: Date): NextStep {
  if (status !== 'sent' || frozenAt === null) return { kind: 'nothing' };
  const until = new Date(frozenAt.getTime() + HALT_MAX_MS);
  return until <= now ? { kind: 'cancel', reason: 'halted_too_long' } : { kind: 'wait', until };
}

function whileOffered(state: BookingState): NextStep {
  const { booking, asks, offers, now } = state;
  if (booking.acceptedOfferId !== null) {
    const accept = asks.find(({ step, revision }) => step === 'accept' && revision === booking.revision);
    const offer = offers.find(({ id }) => id === booking.acceptedOfferId);
    if (accept === undefined) {
      const request = asks.findLast(
        ({ channel, step }) => step === 'ask' && isChannelKind(channel, 'system'),
      );
      return request === undefined
        ? { kind: 'lapsed' }
        : { kind: 'accept', channel: request.channel, held: offer?.ref ?? null };
    }
    if (accept.state !== 'pending') return { kind: 'nothing' };
    const until = acceptedUntil(booking, offers, accept);
    return until <= now ? { kind: 'lapsed' } : sooner(pollStep(accept, now), { kind: 'wait', until });
  }
  const open = offers.filter(({ state }) => state === 'open');
  const last = Math.max(...open.map(({ expiresAt }) => expiresAt.getTime()), 0);
  if (last <= now.getTime()) return { kind: 'lapsed' };
  const watch = heldWatch(state);
  if (watch !== undefined && watch.at <= now) return watch.step;
  return { kind: 'wait', until: new Date(Math.min(last, watch?.at.getTime() ?? last)) };
}

/** Intervals at which a table in the venue's system is checked: in the last day before it, and earlier. */
const WATCH_LAST_DAY_MS = 5 * MINUTE_MS;
const WATCH_BEFORE_MS = 30 * MINUTE_MS;

function nextWatch({ booking, asks }: BookingState): Due | undefined {
  const table = promisedTable(booking);
  if (table?.by !== 'venue_system') return undefined;
  const inSystem = asks.filter(({ channel }) => isChannelKind(channel, 'system'));
  const ask = inSystem.findLast(
    ({ ref, step }) => ref === table.ref && (step === 'ask' || step === 'accept'),
  );
  if (ask === undefined) return undefined;
  const last = Math.max(ask.polledAt?.getTime() ?? 0, table.at.getTime());
  const refused = inSystem.some(({ state, claimedAt }) => state === 'failed' && claimedAt.getTime() > last);
  const untilLastDayMs = table.tableAt.getTime() - DAY_MS - last;
  const waitMs = Math.min(Math.max(untilLastDayMs, WATCH_LAST_DAY_MS), WATCH_BEFORE_MS);
  const at = new Date(refused || ask.checkWanted ? last : last + waitMs);
  return at < table.tableAt ? { at, step: { kind: 'watch', ask } } : undefined;
}

function promisedTable({ confirmation, held, tableAt, timezone }: Booking) {
  if (confirmation !== null) return { ...confirmation, tableAt };
  return held && { ...held, tableAt: tableInstant(timezone, held.date, held.time) };
}

function whileConfirmed(state: BookingState): NextStep {
  const { booking, now } = state;
  const watch = nextWatch(state);
  if (watch === undefined) return { kind: 'nothing' };
  return watch.at <= now && now < booking.tableAt ? watch.step : later(watch.at, now);
}

function later(until: Date, now: Date): NextStep {
  return until > now ? { kind: 'wait', until } : { kind: 'nothing' };
}

/** Minimum time that the venue's system has to confirm an accepted offer, however late it was accepted. */
const ACCEPT_MIN_MS = 15 * MINUTE_MS;

function acceptedUntil(booking: Booking, offers: readonly BookingOffer[], { claimedAt }: AskRow): Date {
  const expiresAt = offers.find(({ id }) => id === booking.acceptedOfferId)?.expiresAt ?? claimedAt;
  return new Date(Math.max(expiresAt.getTime(), claimedAt.getTime() + ACCEPT_MIN_MS));
}

/** Reason with which a request ends that cannot be asked any more. */
const ENDED_BY = {
  demonstration_place: 'not_asked',
  not_bookable_here: 'not_bookable_here',
  place_closed: 'place_closed',
  use_link: 'place_closed',
  venue_opted_out: 'venue_opted_out',
} as const;

function whileOpen(state: BookingState): NextStep {
  const { booking, plan, now } = state;
  const deadline = booking.answerBy ?? booking.tableAt;
  const waiting = isWaiting(booking);
  if (booking.status === 'sent' || waiting) {
    if (plan === null) return { kind: 'cancel', reason: 'place_closed' };
    if (plan.refusal !== null) return { kind: 'cancel', reason: ENDED_BY[plan.refusal] };
    if (waiting) return whileWaiting(booking, now);
    if (state.againstRule === true) return { kind: 'cancel', reason: 'against_venue_rule' };
    if (state.fullDay === true) return { kind: 'join' };
  }
  if (deadline <= now)
    return booking.status === 'sent' ? { kind: 'cancel', reason: 'not_asked' } : { kind: 'unanswered' };
  const due = [nextAsk(state, deadline), nextReminder(state, deadline), nextPoll(state), heldWatch(state)]
    .filter((one) => one !== undefined)
    .sort((a, b) => a.at.getTime() - b.at.getTime())[0];
  if (due !== undefined && due.at <= now) return due.step;
  return { kind: 'wait', until: due === undefined || due.at > deadline ? deadline : due.at };
}

function whileWaiting(booking: Booking, now: Date): NextStep {
  const until = waitEnd(booking);
  return until <= now ? { kind: 'wait_over' } : { kind: 'wait', until };
}

/** Returns the next check of the promised table; none while the system decides about a change. */
function heldWatch(state: BookingState): Due | undefined {
  const { booking, now } = state;
  const decides = currentAsks(state).some(({ state }) => state === 'pending');
  const watch = decides ? undefined : nextWatch(state);
  const over =
    booking.held !== null && tableInstant(booking.timezone, booking.held.date, booking.held.time) <= now;
  return over ? undefined : watch;
}

interface Due {
  at: Date;
  step: NextStep;
}

/** Returns the requests of the current revision, on all channels. */
function currentAsks({ asks, booking }: BookingState): AskRow[] {
  return asks.filter(({ step, revision }) => step === 'ask' && revision === booking.revision);
}

function nextAsk(state: BookingState, deadline: Date): Due | undefined {
  const { booking, batchUntil = null, plan, contactHours, now } = state;
  const requests = currentAsks(state);
  // The venue's system has the request, or may have it: asking on another channel could take a second table.
  if (requests.some(({ state }) => state === 'pending')) return undefined;
  const target = plan?.targets.find(
    ({ channel }) => !requests.some((one) => one.channel === channel) && !isUnknownTo(channel, booking),
  );
  if (target === undefined) return undefined;
  const dueAt = dueOf(target.channel, requests, state);
  if (isChannelKind(target.channel, 'system') || contactHours === null)
    return { at: dueAt, step: { kind: 'ask', way: target } };
  const batches = batchUntil !== null && isChannelKind(target.channel, 'message');
  const from = latest(dueAt, now, batches && leavesTime(batchUntil, deadline) ? batchUntil : now);
  const at = askFrom(contactHours, from, deadline);
  return { at: latest(dueAt, at), step: { kind: 'ask', way: target } };
}

/** True for a table that the venue's system does not have: a change there would book a second one. */
function isUnknownTo(channel: ChannelName, { held }: Booking): boolean {
  return isChannelKind(channel, 'system') && held !== null && held.ref === null;
}

function latest(...times: Date[]): Date {
  return new Date(Math.max(...times.map((time) => time.getTime())));
}

/** Returns when the channel may be used: at once if all previous ones failed, else after its wait. */
function dueOf(channel: ChannelName, requests: readonly AskRow[], { patience, now }: BookingState): Date {
  const alive = requests.filter(({ state }) => state !== 'failed');
  const since = Math.min(...alive.map(({ askedAt, claimedAt }) => (askedAt ?? claimedAt).getTime()));
  if (alive.length === 0) return now;
  const answerTimes = alive.map((one) => channelNamed(one.channel).answerMs);
  const usualMs = channelNamed(channel).waitMs?.(patience) ?? patience.deskMs;
  return new Date(since + Math.max(...answerTimes.map((time) => time ?? usualMs)));
}

function nextReminder(state: BookingState, deadline: Date): Due | undefined {
  const { asks, booking, patience, plan, contactHours } = state;
  const request = currentAsks(state).find(
    ({ channel, state }) => state === 'asked' && isChannelKind(channel, 'message'),
  );
  if (request?.askedAt == null || contactHours === null) return undefined;
  if (asks.some(({ step, revision }) => step === 'reminder' && revision === booking.revision))
    return undefined;
  const target = plan?.targets.find(({ channel }) => channel === request.channel);
  if (target === undefined) return undefined;
  const at = nextContactTime(contactHours, new Date(request.askedAt.getTime() + patience.reminderMs));
  return at < deadline ? { at, step: { kind: 'remind', way: target } } : undefined;
}

function nextPoll(state: BookingState): Due | undefined {
  const pending = currentAsks(state).find(({ state }) => state === 'pending');
  return pending && { at: pollAt(pending), step: { kind: 'poll', ask: pending } };
}

function pollAt({ polls, polledAt, askedAt, claimedAt }: AskRow): Date {
  const waitMin = POLL_WAITS_MIN[polls] ?? POLL_WAITS_MIN.at(-1) ?? 0;
  return new Date((polledAt ?? askedAt ?? claimedAt).getTime() + waitMin * MINUTE_MS);
}

function pollStep(ask: AskRow, now: Date): NextStep {
  const at = pollAt(ask);
  return at <= now ? { kind: 'poll', ask } : { kind: 'wait', until: at };
}
