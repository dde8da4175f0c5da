import { createHash, randomBytes } from 'node:crypto';
import type { OperationDeps } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import { nameless, type Booking, type ChannelName } from '../booking.ts';
import type { AskRow, Offer } from '../booking-row.ts';
import type { VenueAsk } from '../channel.ts';
import { venueLanguage } from '../language/venue-language.ts';
import { findCompanions } from './companions.ts';
import type { NextStep } from './next-step.ts';
import type { FullBookingState } from './read-booking-state.ts';
import { tableInstant } from './timing.ts';
import { wordsForVenue } from './venue-words.ts';

/** Longer than an action may take with the wait for the switch before it. */
export const LEASE_SECONDS = 30;
const TOKEN_BYTES = 16;

/** A step that belongs to this worker alone until its lease is over. */
export interface Claimed {
  channel: ChannelName;
  ask: VenueAsk;
  /** watch: whether the venue's system still holds a table that it has confirmed. */
  how: 'ask' | 'poll' | 'tell' | 'watch';
  /** Why the partner gives a confirmed table back, where it does. */
  reason: string | null;
  /** Whether the venue was reached by it before. */
  reached: boolean;
  /** How often it was tried again. */
  tries: number;
  /** Whether the row was there before, so that an action which was called off leaves it there. */
  kept: boolean;
}

type Outward = Extract<NextStep, { kind: 'ask' | 'remind' | 'accept' | 'do' | 'poll' | 'watch' }>;

const PURPOSES = {
  accept: 'accept',
  reminder: 'reminder',
  tell_cancelled: 'cancelled',
  tell_accepted: 'accepted',
  tell_kept: 'kept',
} as const;

export async function claimStep(
  deps: OperationDeps,
  tx: Db,
  standing: FullBookingState,
  next: Outward,
): Promise<Claimed | 'again'> {
  const { booking } = standing;
  if (next.kind === 'poll' || next.kind === 'do') return claimRow(deps, tx, standing, next.ask, next.kind);
  if (next.kind === 'watch') return claimWatch(deps, tx, standing, next.ask);
  if (next.kind === 'accept' && next.held !== null) return claimHeld(deps, tx, standing, next.held);
  const step = next.kind === 'ask' ? 'ask' : next.kind === 'remind' ? 'reminder' : 'accept';
  const channel = next.kind === 'accept' ? 'venue_system' : next.way.channel;
  const token = step === 'accept' ? null : newToken(channel);
  const [row] = await tx<{ id: string }[]>`
    insert into venue_ask (booking_id, revision, step, channel, claimed_at, leased_until, token_hash)
    values (${booking.id}, ${booking.revision}, ${step}, ${channel}, ${standing.now},
            clock_timestamp() + ${LEASE_SECONDS} * interval '1 second', ${token && hashToken(token)})
    on conflict on constraint venue_ask_once do nothing
    returning id::text as id`;
  if (row === undefined) return 'again';
  const purpose = step === 'ask' ? (booking.held === null ? 'new' : 'change') : step;
  const to = next.kind === 'accept' ? null : next.way.to;
  const ref = booking.held?.ref ?? null;
  const also = next.kind === 'accept' ? [] : await claimTogether(deps, tx, standing, next, row.id);
  const ask = venueAsk(deps, standing, {
    id: row.id,
    purpose,
    to,
    token,
    ref: step === 'reminder' ? null : ref,
    again: false,
    revision: booking.revision,
  });
  const together = also.length === 0 ? ask : { ...ask, also };
  return { channel, ask: together, how: 'ask', reason: null, reached: false, tries: 0, kept: false };
}

/** Claims for the same message what else the venue is to hear about this evening. */
async function claimTogether(
  deps: OperationDeps,
  tx: Db,
  standing: FullBookingState,
  next: Extract<NextStep, { kind: 'ask' | 'remind' }>,
  askId: string,
): Promise<VenueAsk[]> {
  const step = next.kind === 'ask' ? 'ask' : 'reminder';
  const claimed: VenueAsk[] = [];
  for (const one of await findCompanions(deps, tx, standing, next)) {
    const { id, revision, held } = one.booking;
    const [row] = await tx<{ id: string }[]>`
      insert into venue_ask (booking_id, revision, step, channel, claimed_at, leased_until, with_ask)
      values (${id}, ${revision}, ${step}, ${next.way.channel}, ${standing.now},
              clock_timestamp() + ${LEASE_SECONDS} * interval '1 second', ${askId})
      on conflict on constraint venue_ask_once do nothing
      returning id::text as id`;
    if (row === undefined) continue;
    const purpose = step === 'reminder' ? step : held === null ? 'new' : 'change';
    claimed.push(venueAsk(deps, one, { ...SYSTEM, id: row.id, purpose, ref: null, revision }));
  }
  return claimed;
}

/**
 * A row that was there before: queued by a move, waiting for the venue's system, or claimed by somebody who has not begun.
 * A request that waits without the name that the system gave it was never answered, and is put again.
 */
async function claimRow(
  deps: OperationDeps,
  tx: Db,
  standing: FullBookingState,
  row: AskRow,
  kind: 'poll' | 'do',
): Promise<Claimed | 'again'> {
  const tells = row.step.startsWith('tell_');
  const how = tells ? 'tell' : kind === 'poll' && row.ref !== null ? 'poll' : 'ask';
  const retry = kind === 'poll' ? 1 : 0;
  const [claimed] = await tx`
    update venue_ask set leased_until = clock_timestamp() + ${LEASE_SECONDS} * interval '1 second',
      state = ${how === 'poll' ? 'pending' : 'sending'},
      polls = polls + ${retry}, polled_at = ${kind === 'poll' ? standing.now : null}
    where id = ${row.id} and state = ${row.state} returning 1`;
  if (claimed === undefined) return 'again';
  const { booking } = standing;
  const purpose = row.step === 'ask' ? (booking.held === null ? 'new' : 'change') : PURPOSES[row.step];
  const ask = venueAsk(deps, standing, {
    id: row.id,
    purpose,
    to: addressOf(standing, row.channel),
    token: null,
    ref: how === 'ask' ? (booking.held?.ref ?? null) : row.ref,
    again: how === 'ask',
    revision: row.revision,
  });
  const { channel, reason, askedAt, polls } = row;
  return { channel, ask, how, reason, reached: askedAt !== null, tries: polls + retry, kept: true };
}

/** An offer whose table the venue's system holds already: one look tells whether it still does. */
async function claimHeld(
  deps: OperationDeps,
  tx: Db,
  standing: FullBookingState,
  ref: string,
): Promise<Claimed | 'again'> {
  const { id, revision } = standing.booking;
  const [row] = await tx<{ id: string }[]>`
    insert into venue_ask (booking_id, revision, step, channel, state, claimed_at, leased_until, ref)
    values (${id}, ${revision}, 'accept', 'venue_system', 'pending', ${standing.now},
            clock_timestamp() + ${LEASE_SECONDS} * interval '1 second', ${ref})
    on conflict on constraint venue_ask_once do nothing
    returning id::text as id`;
  if (row === undefined) return 'again';
  const ask = venueAsk(deps, standing, { ...SYSTEM, id: row.id, purpose: 'accept', ref, revision });
  return { channel: 'venue_system', ask, how: 'poll', reason: null, reached: false, tries: 0, kept: true };
}

const SYSTEM = { to: null, token: null, again: false };

/** To look changes nothing, so that two who look at the same moment do no harm: it needs no lease. */
async function claimWatch(
  deps: OperationDeps,
  tx: Db,
  standing: FullBookingState,
  { id, ref, polledAt }: AskRow,
): Promise<Claimed | 'again'> {
  const [row] = await tx`
    update venue_ask set polled_at = ${standing.now}
    where id = ${id} and polled_at is not distinct from ${polledAt} returning 1`;
  if (row === undefined) return 'again';
  const { revision } = standing.booking;
  const ask = venueAsk(deps, standing, { ...SYSTEM, id, purpose: 'accept', ref, revision });
  return { channel: 'venue_system', ask, how: 'watch', reason: null, reached: true, tries: 0, kept: true };
}

/** The same at every attempt, and another where another table is asked for. */
function tokenOf({ id, revision, acceptedOfferId }: Booking, purpose: VenueAsk['purpose']): string {
  const asked = `${id}:${revision}`;
  return purpose === 'accept' && acceptedOfferId !== null ? `${asked}:${acceptedOfferId}` : asked;
}

function addressOf({ askable, plan }: FullBookingState, channel: ChannelName): string | null {
  const way = plan?.ways.find((one) => one.channel === channel);
  if (way?.to != null) return way.to;
  return channel === 'sms' || channel === 'mail' ? (askable?.contacts[channel] ?? null) : null;
}

function venueAsk(
  { config }: OperationDeps,
  { booking, askable, offers }: FullBookingState,
  given: Pick<VenueAsk, 'id' | 'purpose' | 'to' | 'token' | 'ref' | 'again' | 'revision'>,
): VenueAsk {
  const taken = offers.find(({ id }) => id === booking.acceptedOfferId);
  const table = tableOf(booking, given.purpose, taken);
  const place = placeOf(booking, askable);
  return {
    ...given,
    booking,
    table,
    held: booking.held,
    place,
    text: wordsForVenue(config.serviceName, given.purpose, booking, table, venueLanguage(place)),
    nameless: wordsForVenue(
      config.serviceName,
      given.purpose,
      nameless(booking),
      table,
      venueLanguage(place),
    ),
    idempotencyToken: tokenOf(booking, given.purpose),
    answerBy: booking.answerBy,
  };
}

/** The table that a step is about: one that is cancelled while a change was asked for is the one that was promised. */
function tableOf(
  booking: Booking,
  purpose: VenueAsk['purpose'],
  taken: Offer | undefined,
): VenueAsk['table'] {
  const [released] = purpose === 'cancelled' ? booking.released : [];
  if (released !== undefined)
    return { ...released, tableAt: tableInstant(booking.timezone, released.date, released.time) };
  const { date, time, partySize, tableAt } = purpose === 'accept' && taken !== undefined ? taken : booking;
  return { date, time, partySize, tableAt };
}

function placeOf(booking: Booking, askable: FullBookingState['askable']): VenueAsk['place'] {
  const { placeId: id, timezone } = booking;
  if (askable === undefined)
    return { id, timezone, name: '', address: null, phone: null, country: '', languages: [] };
  const { name, address, country, languages } = askable.place;
  return { id, timezone, name, address, country, languages, phone: askable.contacts.phone };
}

function newToken(channel: ChannelName): string | null {
  return channel === 'sms' || channel === 'mail' ? randomBytes(TOKEN_BYTES).toString('base64url') : null;
}

/** How the token of a tap page is kept. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
