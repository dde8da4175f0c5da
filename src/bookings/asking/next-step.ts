import type { BookingReason } from '../../webhooks/booking-reason.ts';
import type { Booking, ChannelName } from '../booking.ts';
import type { AskRow, Offer } from '../booking-row.ts';
import type { ChannelPlan, Way } from './channel-plan.ts';
import { isWritten } from './gathering.ts';
import { askFrom, leavesTime, nextAwake, tableInstant, type Waking } from './timing.ts';
import { MINUTE_MS } from '../../core/time.ts';

const HALT_MAX_MS = 24 * 60 * MINUTE_MS;
/** How long after the last look the venue's system is asked again whether it has decided. */
const POLL_WAITS_MIN = [1, 1, 3, 5, 5, 15];
/** A call that was placed has been answered, or not, by then. */
const CALL_MS = 10 * MINUTE_MS;

export interface Patience {
  reminderMs: number;
  mailMs: number;
  deskMs: number;
}

export interface BookingState {
  booking: Booking;
  asks: readonly AskRow[];
  offers: readonly Offer[];
  /** Null when the place has gone. */
  plan: ChannelPlan | null;
  waking: Waking | null;
  /** The venue was written to about this evening just now: until then further requests are gathered. */
  gatherUntil?: Date | null;
  halted: boolean;
  patience: Patience;
  now: Date;
}

export type NextStep =
  | { kind: 'ask'; way: Way }
  | { kind: 'remind'; way: Way }
  /** held: what the venue's system calls the table, where it holds it already. */
  | { kind: 'accept'; held: string | null }
  | { kind: 'do'; ask: AskRow }
  | { kind: 'poll'; ask: AskRow }
  | { kind: 'watch'; ask: AskRow }
  | { kind: 'interrupted'; ask: AskRow }
  | { kind: 'unanswered' }
  | { kind: 'lapsed' }
  | {
      kind: 'cancel';
      reason: Extract<
        BookingReason,
        'venue_opted_out' | 'not_bookable_here' | 'place_closed' | 'halted_too_long' | 'not_asked'
      >;
    }
  | { kind: 'wait'; until: Date }
  | { kind: 'nothing' };

/** Whether a step calls the venue's own system. */
export function isCall(step: NextStep): boolean {
  if ('way' in step) return step.way.channel === 'venue_system';
  return step.kind === 'accept' || ('ask' in step && step.ask.channel === 'venue_system');
}

/** What is due for a booking. It reads nothing and does nothing, so that every case can be tried. */
export function nextStep(standing: BookingState): NextStep {
  const { asks, booking, halted, now } = standing;
  if (halted) return whileHalted(booking, now);
  const dead = asks.find(({ state, leaseOver }) => state === 'sending' && leaseOver);
  if (dead !== undefined) return { kind: 'interrupted', ask: dead };
  // Somebody else is at it; they, or the end of their lease, bring us back.
  if (asks.some(({ state }) => state === 'sending'))
    return { kind: 'wait', until: new Date(now.getTime() + LEASE_LOOK_MS) };
  const queued = asks.find(({ state }) => state === 'queued');
  if (queued !== undefined) return { kind: 'do', ask: queued };
  const unfinishedTell = asks.find(({ step, state }) => step.startsWith('tell_') && state === 'pending');
  const retry = unfinishedTell && pollStep(unfinishedTell, now);
  if (retry?.kind === 'poll') return retry;
  const next = nextByStatus(standing);
  // What is being given back may still be held: to ask meanwhile could take a second table.
  return retry !== undefined && next.kind === 'ask' ? retry : sooner(next, retry);
}

function nextByStatus(standing: BookingState): NextStep {
  switch (standing.booking.status) {
    case 'sent':
    case 'asking':
      return whileOpen(standing);
    case 'offered':
      return whileOffered(standing);
    case 'confirmed':
      return whileConfirmed(standing);
    default:
      return { kind: 'nothing' };
  }
}

/** What is due, unless there is nothing but waiting, which ends with the earlier of two. */
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

function whileOffered(standing: BookingState): NextStep {
  const { booking, asks, offers, now } = standing;
  if (booking.acceptedOfferId !== null) {
    const taken = asks.find(({ step, revision }) => step === 'accept' && revision === booking.revision);
    const offer = offers.find(({ id }) => id === booking.acceptedOfferId);
    if (taken === undefined) return { kind: 'accept', held: offer?.ref ?? null };
    if (taken.state !== 'pending') return { kind: 'nothing' };
    const until = acceptedUntil(booking, offers, taken);
    return until <= now ? { kind: 'lapsed' } : sooner(pollStep(taken, now), { kind: 'wait', until });
  }
  const open = offers.filter(({ state }) => state === 'open');
  const last = Math.max(...open.map(({ expiresAt }) => expiresAt.getTime()), 0);
  if (last <= now.getTime()) return { kind: 'lapsed' };
  const watch = heldWatch(standing);
  if (watch !== undefined && watch.at <= now) return watch.step;
  return { kind: 'wait', until: new Date(Math.min(last, watch?.at.getTime() ?? last)) };
}

/**
 * A table in the venue's own system is looked at until its time, also while another is asked for in its stead: the nearer
 * that is, the more often, and at once where the system could not take a change of it.
 */
const WATCH_SHARE = 24;
const WATCH_MIN_MS = 5 * MINUTE_MS;
const WATCH_MAX_MS = 6 * 60 * MINUTE_MS;

function nextWatch({ booking, asks }: BookingState): Due | undefined {
  const table = standingTable(booking);
  if (table?.by !== 'venue_system') return undefined;
  const inSystem = asks.filter(({ channel }) => channel === 'venue_system');
  const given = inSystem.findLast(
    ({ ref, step }) => ref === table.ref && (step === 'ask' || step === 'accept'),
  );
  if (given === undefined) return undefined;
  const last = Math.max(given.polledAt?.getTime() ?? 0, table.at.getTime());
  const refused = inSystem.some(({ state, claimedAt }) => state === 'failed' && claimedAt.getTime() > last);
  const wait = (table.tableAt.getTime() - last) / WATCH_SHARE;
  const at = new Date(refused ? last : last + Math.min(Math.max(wait, WATCH_MIN_MS), WATCH_MAX_MS));
  return at < table.tableAt ? { at, step: { kind: 'watch', ask: given } } : undefined;
}

/** The table that the venue has promised. */
function standingTable({ confirmation, held, tableAt, timezone }: Booking) {
  if (confirmation !== null) return { ...confirmation, tableAt };
  return held && { ...held, tableAt: tableInstant(timezone, held.date, held.time) };
}

function whileConfirmed(standing: BookingState): NextStep {
  const { booking, now } = standing;
  const watch = nextWatch(standing);
  if (watch === undefined) return { kind: 'nothing' };
  return watch.at <= now && now < booking.tableAt ? watch.step : later(watch.at, now);
}

function later(until: Date, now: Date): NextStep {
  return until > now ? { kind: 'wait', until } : { kind: 'nothing' };
}

/** However late an offer was taken, the venue's system has a while to confirm it. */
const ACCEPT_MIN_MS = 15 * MINUTE_MS;

function acceptedUntil(booking: Booking, offers: readonly Offer[], { claimedAt }: AskRow): Date {
  const expiresAt = offers.find(({ id }) => id === booking.acceptedOfferId)?.expiresAt ?? claimedAt;
  return new Date(Math.max(expiresAt.getTime(), claimedAt.getTime() + ACCEPT_MIN_MS));
}

function whileOpen(standing: BookingState): NextStep {
  const { booking, plan, now } = standing;
  const deadline = booking.answerBy ?? booking.tableAt;
  if (booking.status === 'sent') {
    if (plan === null) return { kind: 'cancel', reason: 'place_closed' };
    if (plan.refusal !== null)
      return { kind: 'cancel', reason: plan.refusal === 'use_link' ? 'place_closed' : plan.refusal };
  }
  if (deadline <= now)
    return booking.status === 'sent' ? { kind: 'cancel', reason: 'not_asked' } : { kind: 'unanswered' };
  const due = [
    nextAsk(standing, deadline),
    nextReminder(standing, deadline),
    nextPoll(standing),
    heldWatch(standing),
  ]
    .filter((one) => one !== undefined)
    .sort((a, b) => a.at.getTime() - b.at.getTime())[0];
  if (due !== undefined && due.at <= now) return due.step;
  return { kind: 'wait', until: due === undefined || due.at > deadline ? deadline : due.at };
}

/** While the system itself decides about the change, its answer tells what stands. */
function heldWatch(standing: BookingState): Due | undefined {
  const { booking, now } = standing;
  const decides = askedNow(standing).some(({ state }) => state === 'pending');
  const watch = decides ? undefined : nextWatch(standing);
  const over =
    booking.held !== null && tableInstant(booking.timezone, booking.held.date, booking.held.time) <= now;
  return over ? undefined : watch;
}

interface Due {
  at: Date;
  step: NextStep;
}

/** The questions of this revision, by whichever channel. */
function askedNow({ asks, booking }: BookingState): AskRow[] {
  return asks.filter(({ step, revision }) => step === 'ask' && revision === booking.revision);
}

function nextAsk(standing: BookingState, deadline: Date): Due | undefined {
  const { booking, gatherUntil = null, plan, waking, now } = standing;
  const asked = askedNow(standing);
  // Its own system has the request, or may have it: to ask by another way could take a second table.
  if (asked.some(({ state }) => state === 'pending')) return undefined;
  const way = plan?.ways.find(
    ({ channel }) => !asked.some((one) => one.channel === channel) && !isUnknownTo(channel, booking),
  );
  if (way === undefined) return undefined;
  const wanted = dueOf(way.channel, asked, standing);
  if (way.channel === 'venue_system' || waking === null) return { at: wanted, step: { kind: 'ask', way } };
  const gathers = gatherUntil !== null && isWritten(way);
  const from = latest(wanted, now, gathers && leavesTime(gatherUntil, deadline) ? gatherUntil : now);
  const at = askFrom(waking, from, deadline);
  return { at: latest(wanted, at), step: { kind: 'ask', way } };
}

/** A table that people at the venue promised is theirs to move: their system knows nothing of it and would give another. */
function isUnknownTo(channel: ChannelName, { held }: Booking): boolean {
  return channel === 'venue_system' && held !== null && held.ref === null;
}

function latest(...times: Date[]): Date {
  return new Date(Math.max(...times.map((time) => time.getTime())));
}

/** When the next channel has its turn: at once where all before it failed, else after some patience. */
function dueOf(channel: ChannelName, asked: readonly AskRow[], { patience, now }: BookingState): Date {
  const alive = asked.filter(({ state }) => state !== 'failed');
  const since = Math.min(...alive.map(({ askedAt, claimedAt }) => (askedAt ?? claimedAt).getTime()));
  if (alive.length === 0) return now;
  const called = alive.every((one) => one.channel === 'phone');
  const waitMs = called ? CALL_MS : channel === 'mail' ? patience.mailMs : patience.deskMs;
  return new Date(since + waitMs);
}

function nextReminder(standing: BookingState, deadline: Date): Due | undefined {
  const { asks, booking, patience, plan, waking } = standing;
  const asked = askedNow(standing).find(
    ({ channel, state }) => state === 'asked' && (channel === 'sms' || channel === 'mail'),
  );
  if (asked?.askedAt == null || waking === null) return undefined;
  if (asks.some(({ step, revision }) => step === 'reminder' && revision === booking.revision))
    return undefined;
  const way = plan?.ways.find(({ channel }) => channel === asked.channel);
  if (way === undefined) return undefined;
  const at = nextAwake(waking, new Date(asked.askedAt.getTime() + patience.reminderMs));
  return at < deadline ? { at, step: { kind: 'remind', way } } : undefined;
}

function nextPoll(standing: BookingState): Due | undefined {
  const pending = askedNow(standing).find(({ state }) => state === 'pending');
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
