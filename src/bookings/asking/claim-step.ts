import { randomBytes } from 'node:crypto';
import type { OperationDeps } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import { hashToken } from '../../core/secret/token.ts';
import { nameless, type Booking, type ChannelName } from '../booking.ts';
import type { AskRow, BookingOffer } from '../booking-row.ts';
import type { VenueAsk } from '../channels/channel.ts';
import { channelNamed, isChannelKind } from '../channels/channels.ts';
import { venueLanguage } from '../language/venue-language.ts';
import { findBatch } from './message-batch.ts';
import type { NextStep } from './next-step.ts';
import type { FullBookingState } from './read-booking-state.ts';
import { tableInstant } from './timing.ts';
import { wordsForVenue } from './venue-words.ts';

/** Lease of a claimed step: longer than an action can take, including its wait for the kill switch. */
export const LEASE_SECONDS = 30;
const TOKEN_BYTES = 16;

export interface Claimed {
  channel: ChannelName;
  ask: VenueAsk;
  /** watch: checks that the venue's system still holds a confirmed table. */
  how: 'ask' | 'poll' | 'tell' | 'watch';
  reason: string | null;
  reached: boolean;
  tries: number;
  /** True when the row existed before the claim, so that calling the action off must not delete it. */
  existed: boolean;
  /** End of the lease, which identifies the claim. Null without a lease. */
  lease: string | null;
}

interface ClaimedRow {
  id: string;
  lease: string;
}

type ExternalStep = Extract<NextStep, { kind: 'ask' | 'remind' | 'accept' | 'do' | 'poll' | 'watch' }>;

const PURPOSES = {
  accept: 'accept',
  reminder: 'reminder',
  notify_cancelled: 'cancelled',
  notify_accepted: 'accepted',
  notify_kept: 'kept',
  notify_message: 'message',
} as const;

export async function claimStep(
  deps: OperationDeps,
  tx: Db,
  state: FullBookingState,
  next: ExternalStep,
): Promise<Claimed | 'again'> {
  const { booking } = state;
  if (next.kind === 'poll' || next.kind === 'do') return claimRow(deps, tx, state, next.ask, next.kind);
  if (next.kind === 'watch') return claimWatch(deps, tx, state, next.ask);
  if (next.kind === 'accept' && next.held !== null)
    return claimHeld(deps, tx, state, next.channel, next.held);
  const step = next.kind === 'ask' ? 'ask' : next.kind === 'remind' ? 'reminder' : 'accept';
  const channel = next.kind === 'accept' ? next.channel : next.way.channel;
  const token = step === 'accept' ? null : newToken(channel);
  const [row] = await tx<ClaimedRow[]>`
    insert into venue_ask (booking_id, revision, step, channel, claimed_at, leased_until, token_hash)
    values (${booking.id}, ${booking.revision}, ${step}, ${channel}, ${state.now},
            clock_timestamp() + ${LEASE_SECONDS} * interval '1 second', ${token && hashToken(token)})
    on conflict on constraint venue_ask_once do nothing
    returning id::text as id, leased_until::text as lease`;
  if (row === undefined) return 'again';
  const purpose = step === 'ask' ? (booking.held === null ? 'new' : 'change') : step;
  const to = next.kind === 'accept' ? null : next.way.to;
  const ref = booking.held?.ref ?? null;
  const also = next.kind === 'accept' ? [] : await claimBatch(deps, tx, state, next, row.id);
  const ask = venueAsk(deps, state, {
    id: row.id,
    purpose,
    to,
    token,
    ref: step === 'reminder' ? null : ref,
    again: false,
    revision: booking.revision,
    channel,
  });
  const together = also.length === 0 ? ask : { ...ask, also };
  const { lease } = row;
  return {
    channel,
    ask: together,
    how: 'ask',
    reason: null,
    reached: false,
    tries: 0,
    existed: false,
    lease,
  };
}

/** Claims other bookings' requests to the same venue and evening for the same message. */
async function claimBatch(
  deps: OperationDeps,
  tx: Db,
  state: FullBookingState,
  next: Extract<NextStep, { kind: 'ask' | 'remind' }>,
  askId: string,
): Promise<VenueAsk[]> {
  const step = next.kind === 'ask' ? 'ask' : 'reminder';
  const claimed: VenueAsk[] = [];
  for (const other of await findBatch(deps, tx, state, next)) {
    const { id, revision, held } = other.booking;
    const [row] = await tx<{ id: string }[]>`
      insert into venue_ask (booking_id, revision, step, channel, claimed_at, leased_until, batched_with)
      values (${id}, ${revision}, ${step}, ${next.way.channel}, ${state.now},
              clock_timestamp() + ${LEASE_SECONDS} * interval '1 second', ${askId})
      on conflict on constraint venue_ask_once do nothing
      returning id::text as id`;
    if (row === undefined) continue;
    const purpose = step === 'reminder' ? step : held === null ? 'new' : 'change';
    claimed.push(
      venueAsk(deps, other, {
        ...SYSTEM,
        id: row.id,
        purpose,
        ref: null,
        revision,
        channel: next.way.channel,
      }),
    );
  }
  return claimed;
}

/** Claims an existing row. A pending request without a reference was never answered and is sent again. */
async function claimRow(
  deps: OperationDeps,
  tx: Db,
  state: FullBookingState,
  row: AskRow,
  kind: 'poll' | 'do',
): Promise<Claimed | 'again'> {
  const isNotification = row.step.startsWith('notify_');
  const how = isNotification ? 'tell' : kind === 'poll' && row.ref !== null ? 'poll' : 'ask';
  const retry = kind === 'poll' ? 1 : 0;
  const token = row.step === 'notify_message' ? newToken(row.channel) : null;
  const [claimed] = await tx<Pick<ClaimedRow, 'lease'>[]>`
    update venue_ask set leased_until = clock_timestamp() + ${LEASE_SECONDS} * interval '1 second',
      state = ${how === 'poll' ? 'pending' : 'sending'}, token_hash = coalesce(${token && hashToken(token)}, token_hash),
      polls = polls + ${retry}, polled_at = ${kind === 'poll' ? state.now : null}
    where id = ${row.id} and state = ${row.state} returning leased_until::text as lease`;
  if (claimed === undefined) return 'again';
  const { booking } = state;
  const purpose = row.step === 'ask' ? (booking.held === null ? 'new' : 'change') : PURPOSES[row.step];
  const ask = venueAsk(deps, state, {
    id: row.id,
    purpose,
    to: addressOf(state, row.channel),
    token,
    ref: how === 'ask' ? (booking.held?.ref ?? null) : row.ref,
    again: how === 'ask',
    revision: row.revision,
    channel: row.channel,
  });
  const { channel, reason, askedAt, polls } = row;
  const tries = polls + retry;
  return { channel, ask, how, reason, reached: askedAt !== null, tries, existed: true, ...claimed };
}

/** Claims an accepted offer whose table the venue's system already holds; a poll checks that it still does. */
async function claimHeld(
  deps: OperationDeps,
  tx: Db,
  state: FullBookingState,
  channel: ChannelName,
  ref: string,
): Promise<Claimed | 'again'> {
  const { id, revision } = state.booking;
  const [row] = await tx<ClaimedRow[]>`
    insert into venue_ask (booking_id, revision, step, channel, state, claimed_at, leased_until, ref)
    values (${id}, ${revision}, 'accept', ${channel}, 'pending', ${state.now},
            clock_timestamp() + ${LEASE_SECONDS} * interval '1 second', ${ref})
    on conflict on constraint venue_ask_once do nothing
    returning id::text as id, leased_until::text as lease`;
  if (row === undefined) return 'again';
  const { id: askId, lease } = row;
  const ask = venueAsk(deps, state, { ...SYSTEM, id: askId, purpose: 'accept', ref, revision, channel });
  return { channel, ask, how: 'poll', reason: null, reached: false, tries: 0, existed: true, lease };
}

const SYSTEM = { to: null, token: null, again: false };

/** Claims a check of a confirmed table. It is read-only and may run twice at once, so it needs no lease. */
async function claimWatch(
  deps: OperationDeps,
  tx: Db,
  state: FullBookingState,
  { id, channel, ref, polledAt }: AskRow,
): Promise<Claimed | 'again'> {
  const [row] = await tx`
    update venue_ask set polled_at = ${state.now}, check_wanted = false
    where id = ${id} and polled_at is not distinct from ${polledAt} returning 1`;
  if (row === undefined) return 'again';
  const { revision } = state.booking;
  const ask = venueAsk(deps, state, { ...SYSTEM, id, purpose: 'accept', ref, revision, channel });
  return { channel, ask, how: 'watch', reason: null, reached: true, tries: 0, existed: true, lease: null };
}

/** Returns the idempotency token: the same at every attempt, but different for another table. */
function idempotencyTokenOf(
  { id, revision, acceptedOfferId }: Booking,
  purpose: VenueAsk['purpose'],
): string {
  const table = `${id}:${revision}`;
  return purpose === 'accept' && acceptedOfferId !== null ? `${table}:${acceptedOfferId}` : table;
}

function addressOf({ askable }: FullBookingState, channel: ChannelName): string | null {
  return (askable && channelNamed(channel).contact(askable)) ?? null;
}

function venueAsk(
  { config }: OperationDeps,
  { booking, askable, offers, messages }: FullBookingState,
  {
    channel,
    ...fields
  }: Pick<VenueAsk, 'id' | 'purpose' | 'to' | 'token' | 'ref' | 'again' | 'revision'> & {
    channel: ChannelName;
  },
): VenueAsk {
  const acceptedOffer = offers.find(({ id }) => id === booking.acceptedOfferId);
  const table = isChannelKind(channel, 'system')
    ? inSlot(booking, tableOf(booking, fields.purpose, acceptedOffer))
    : tableOf(booking, fields.purpose, acceptedOffer);
  const place = placeOf(booking, askable);
  const letterhead = { service: config.serviceName, place: place.name };
  const words = (worded: Booking) =>
    wordsForVenue(letterhead, fields.purpose, { ...worded, messages }, table, venueLanguage(place));
  return {
    ...fields,
    booking,
    table,
    held: booking.held,
    place,
    text: words(booking),
    nameless: words(nameless(booking)),
    idempotencyToken: idempotencyTokenOf(booking, fields.purpose),
    answerBy: booking.answerBy,
  };
}

function tableOf(
  booking: Booking,
  purpose: VenueAsk['purpose'],
  acceptedOffer: BookingOffer | undefined,
): VenueAsk['table'] {
  const [released] = purpose === 'cancelled' ? booking.released : [];
  if (released !== undefined)
    return { ...released, tableAt: tableInstant(booking.timezone, released.date, released.time) };
  const table: VenueAsk['table'] =
    purpose === 'accept' && acceptedOffer !== undefined ? acceptedOffer : booking;
  const { date, time, timeUntil = null, partySize, tableAt } = table;
  return { date, time, timeUntil, partySize, tableAt };
}

/** Narrows a window to the time that was chosen for the venue's own system. */
function inSlot({ slotTime, timezone }: Booking, table: VenueAsk['table']): VenueAsk['table'] {
  if (!table.timeUntil || slotTime === null) return table;
  return { ...table, time: slotTime, timeUntil: null, tableAt: tableInstant(timezone, table.date, slotTime) };
}

function placeOf(booking: Booking, askable: FullBookingState['askable']): VenueAsk['place'] {
  const { placeId: id, timezone } = booking;
  if (askable === undefined) return { id, timezone, name: '', address: null, country: '', languages: [] };
  const { name, address, country, languages } = askable.place;
  return { id, timezone, name, address, country, languages };
}

function newToken(channel: ChannelName): string | null {
  return isChannelKind(channel, 'message') ? randomBytes(TOKEN_BYTES).toString('base64url') : null;
}
