import type { BookingStatus } from '../../../src/bookings/booking.ts';
import { listEntries } from '../../../src/bookings/timeline.ts';
import { venueLanguage } from '../../../src/bookings/language/venue-language.ts';
import { codedSentence } from '../../../src/bookings/coded/coded-words.ts';
import { sentenceAbout } from '../../../src/bookings/table-words.ts';
import { timelineFault } from '../../../src/bookings/maintenance/timeline-fault.ts';
import { MINUTE_MS } from '../../../src/core/time.ts';
import { rpc } from '../../harness/clients/mcp.ts';
import { CONCIERGE_MCP, type BookingTold } from '../asking-partner.ts';
import { isSame, type BookingRecord, type ChoiceRecord, type NamedTable } from './booking-record.ts';
import type { SequenceState } from './sequence-state.ts';
import { startOf } from './world.ts';

type Found = string | false | undefined;

/** All that holds once nothing is left to do, each with the number of its promise. */
export async function checkAtRest(state: SequenceState): Promise<void> {
  const { record } = state;
  if (record === undefined) return;
  const found: Found[] = [
    sameTable(state, record),
    oneTable(state, record),
    ...askedOnce(state, record),
    promiseStands(state, record),
    ...(await toldInOrder(state, record)),
    ...nothingOpen(record),
    ...venueKnows(record),
    ...venueKeepsNothing(state, record),
    ...messagesArrive(state, record),
    oneTime(record),
    ...(await choiceKept(state, record)),
    ...waitKept(state, record),
  ];
  state.faults.push(...found.filter((one) => typeof one === 'string'));
}

function oneTime({ booking, deliveries }: BookingRecord): Found {
  if (booking.status === 'confirmed' && booking.time_until !== null) return '9 confirmed without one time';
  const vague = deliveries.find(({ data }) => data.status === 'confirmed' && data.time_until !== null);
  return vague !== undefined && `9 the webhook ${vague.sequence} confirms a window`;
}

function deskStandsFor({ asks }: BookingRecord, ...steps: string[]): boolean {
  return asks.some(
    ({ channel, state, step }) => channel === 'desk' && state === 'waiting' && steps.includes(step),
  );
}

/** A table beside ours that the system does not take back, which the desk calls about. */
function isKept({ booking, asks }: BookingRecord, table: string): boolean {
  const calls = asks.filter(
    ({ channel, state, step }) => channel === 'desk' && state === 'waiting' && step === 'notify_cancelled',
  );
  return table !== booking.confirmed_ref && calls.some(({ ref }) => ref === table);
}

function sameTable(state: SequenceState, record: BookingRecord): Found {
  const { booking } = record;
  const { venue } = state.world;
  if (isUnseen(state, record)) return undefined;
  const live = venue.live().filter(({ booking_id }) => !isKept(record, booking_id));
  const isOurs = (table: (typeof live)[number]) =>
    table.status === 'CONFIRMED' &&
    Number(table.slot.start_sec) === startOf(booking) &&
    table.slot.resources.party_size === booking.party_size;
  const tables = JSON.stringify(
    live.map(({ booking_id, status, slot }) => [booking_id, status, slot.start_sec]),
  );
  if (booking.status !== 'confirmed')
    return (
      live.length > 0 &&
      !deskStandsFor(record, 'notify_cancelled') &&
      `1 ${booking.status}, but the venue holds ${tables}`
    );
  if (deskStandsFor(record, 'notify_kept')) return undefined;
  if (booking.confirmed_by === 'venue_system')
    return (
      !(live.length === 1 && live.every((one) => isOurs(one) && one.booking_id === booking.confirmed_ref)) &&
      `1 confirmed as ${booking.confirmed_ref ?? '-'} ${startOf(booking)} by the system, but it holds ${tables}`
    );
  return !live.every(isOurs) && `1 confirmed by people, but the system holds ${tables}`;
}

/** Whether nobody could see the withdrawal in time: shortly before the table's time, or while no look is possible. */
function isUnseen(state: SequenceState, { booking }: BookingRecord): boolean {
  const { tookBackAt, blindUntil, world } = state;
  const lastLook = Date.parse(booking.table_at) - UNSEEN_MS;
  const late = [tookBackAt, blindUntil].some((at) => at !== undefined && at.getTime() > lastLook);
  return tookBackAt !== undefined && late && world.venue.live().length === 0;
}

const UNSEEN_MS = 90 * MINUTE_MS;

function oneTable({ world: { venue } }: SequenceState, record: BookingRecord): Found {
  const count = venue.live().filter(({ booking_id }) => !isKept(record, booking_id)).length;
  return (
    count > 1 &&
    !deskStandsFor(record, 'notify_cancelled', 'notify_kept') &&
    `2 the venue holds ${count} tables`
  );
}

function* askedOnce({ world: { venue, phones } }: SequenceState, record: BookingRecord): Generator<Found> {
  const questions = record.messages.filter(({ purpose }) => /_(new|change|reminder)$/.test(purpose));
  for (const { id, purpose } of questions)
    if (record.asks.filter(({ message_id }) => message_id === id).length !== 1)
      yield `3 a ${purpose} message belongs to no question`;
  yield repeated(
    'text',
    phones.taken.map(({ form }) => form.get('StatusCallback') ?? ''),
  );
  const created = venue.calls.filter(({ method }) => method === 'CreateBooking').map(({ body }) => body);
  for (const [token, same] of Map.groupBy(created, ({ idempotency_token: token }) => String(token))) {
    if (!token.startsWith(`${record.booking.id}:`)) yield `3 a token of its own: ${token}`;
    if (new Set(same.map((body) => JSON.stringify(body))).size > 1)
      yield `3 two requests under one token: ${token}`;
  }
}

function repeated(what: string, all: readonly string[]): Found {
  const twice = all.find((one, at) => all.indexOf(one) !== at);
  return twice !== undefined && `3 a ${what} went out twice: ${twice}`;
}

function promiseStands(state: SequenceState, record: BookingRecord): Found {
  const { promised, world } = state;
  const { booking } = record;
  if (isUnseen(state, record)) return undefined;
  const words =
    promised === null
      ? 'nobody promised it'
      : `${promised.date} ${promised.time} ${promised.party_size} was promised`;
  if (booking.status !== 'confirmed') return promised !== null && `4 ${booking.status}, although ${words}`;
  const bySystem = booking.confirmed_by === 'venue_system' && world.venue.live().length > 0;
  return !bySystem && !(promised !== null && isSame(promised, booking)) && `4 booked, although ${words}`;
}

async function toldInOrder({ world }: SequenceState, record: BookingRecord): Promise<Found[]> {
  const { booking, entries, deliveries } = record;
  const sealed = await listEntries(world.pool, [booking.id]);
  const fault = timelineFault(
    { status: booking.status as BookingStatus, lastSequence: booking.last_sequence },
    sealed,
  );
  const chained = entries.every(
    ({ from_status }, at) => from_status === (entries[at - 1]?.to_status ?? null),
  );
  // A guest who joins the waiting list is reported too, while the status stays.
  const moves = entries
    .filter(({ from_status, to_status, event }) => from_status !== to_status || event === 'waiting')
    .map(({ sequence, to_status }) => ({ sequence, event: to_status }));
  const message = {
    id: 1,
    method: 'tools/call',
    params: { name: 'booking_status', arguments: { booking_id: booking.id } },
  };
  const { body } = await rpc(world.nodes.b.service, CONCIERGE_MCP, message, world.partner.headers);
  const { bookings } = body.result?.['structuredContent'] as { bookings: BookingTold[] };
  const [told] = bookings;
  const last = deliveries.at(-1)?.data;
  const now = told && [
    told.status,
    told.date,
    told.time,
    told.party_size,
    told.reason,
    told.confirmation?.ref ?? null,
  ];
  const hook = last && [
    last.status,
    last.date,
    last.time,
    last.party_size,
    last.reason,
    last.confirmation?.ref ?? null,
  ];
  return [
    fault !== undefined && `5 the chain of the timeline is broken at ${fault.sequence}: ${fault.what}`,
    !chained && '5 a line of the timeline does not begin where the one before ends',
    JSON.stringify(moves.map(({ sequence, event }) => [sequence, event])) !==
      JSON.stringify(deliveries.map(({ sequence, event }) => [sequence, event])) &&
      '5 the webhooks tell other moves than the timeline',
    told?.booked !== (booking.status === 'confirmed') && '4 booked is not what the status says',
    JSON.stringify(now) !== JSON.stringify(hook) &&
      `5 the last webhook says ${JSON.stringify(hook)}, booking_status ${JSON.stringify(now)}`,
  ];
}

const OPEN = ['sent', 'asking', 'offered'];
const FINAL = ['declined', 'no_answer', 'cancelled'];

/** Nobody waits longer than was asked for, beside a table or unnoticed, and nobody is asked while a guest waits. */
function waitKept({ world }: SequenceState, { booking, entries, asks, deliveries }: BookingRecord): Found[] {
  const { wait_until, waiting, status, reason } = booking;
  const joined = entries.some(({ event }) => event === 'waiting');
  const told = deliveries.some(({ data }) => data.waiting !== null);
  const until = Math.min(Date.parse(wait_until ?? ''), Date.parse(booking.table_at));
  return [
    (joined || told) && wait_until === null && '11 a guest waits who did not want to',
    joined && !told && '11 the partner does not know that its guest waits',
    waiting && '11 a guest is left waiting',
    waiting && booking.held !== null && '11 a guest waits beside a table',
    reason === 'wait_over' && world.clock.now().getTime() < until && '11 the wait ended too early',
    status === 'declined' &&
      reason === 'venue_declined' &&
      wait_until !== null &&
      Date.parse(entries.at(-1)?.at ?? '') < until &&
      booking.revision === 1 &&
      !entries.some(({ event }) => event === 'offered') &&
      '11 a guest who wanted to wait was sent away',
    waiting &&
      asks.some(({ state }) => UNDER_WAY.includes(state)) &&
      '11 somebody is asked while the guest waits',
  ];
}

/** One table at most; each venue had its turn in order, for a reason, and once; and nothing of a choice is left open. */
async function choiceKept({ world }: SequenceState, { choice }: BookingRecord): Promise<Found[]> {
  if (choice === null) return [];
  const { bookings, turns, refused, place_ids, ended_at } = choice;
  const sealed = Map.groupBy(
    await listEntries(
      world.pool,
      bookings.map(({ id }) => id),
    ),
    ({ bookingId }) => bookingId,
  );
  const holders = bookings.filter(({ status, held }) => status === 'confirmed' || held !== null);
  const turnsTaken = [...bookings.map(({ position }) => position), ...Object.keys(refused).map(Number)];
  turnsTaken.sort((a, b) => a - b);
  return [
    holders.length > 1 && `10 ${holders.length} venues have a table of one choice`,
    turnsTaken.join() !== Array.from({ length: turns }, (_, nth) => nth + 1).join() &&
      `10 the turns were ${turnsTaken.join()}`,
    holders.length === 0 &&
      ended_at === null &&
      turns < place_ids.length &&
      `10 venue ${turns + 1} never had its turn`,
    ...bookings.flatMap((booking, at) => [
      OPEN.includes(booking.status) && `10 venue ${booking.position} is left ${booking.status}`,
      booking.asks.some(({ state }) => UNDER_WAY.includes(state)) &&
        `10 an ask of venue ${booking.position} is left open`,
      at > 0 && !hadReason(choice, at) && `10 venue ${booking.position} was asked without a reason`,
      timelineFault(
        { status: booking.status as BookingStatus, lastSequence: booking.last_sequence },
        sealed.get(booking.id) ?? [],
      ) !== undefined && `10 the timeline of venue ${booking.position} is broken`,
      JSON.stringify(
        booking.entries
          .filter(({ from_status, to_status }) => from_status !== to_status)
          .map(({ sequence, event }) => [sequence, event, booking.position]),
      ) !== JSON.stringify(booking.deliveries.map((one) => [one.sequence, one.event, one.position])) &&
        `10 the webhooks of venue ${booking.position} tell other moves than its timeline`,
      booking.status === 'cancelled' &&
        booking.asks.some(
          ({ step, state, channel }) => step === 'ask' && state === 'ended' && channel !== 'desk',
        ) &&
        !booking.asks.some(({ step, state }) => step === 'notify_cancelled' && state !== 'failed') &&
        `10 venue ${booking.position} was asked, and does not know that it is over`,
    ]),
  ];
}

/** Whether the venue before had ended without a table, or was silent for long enough, when this one got its turn. */
function hadReason({ bookings, answer_within_minutes: within }: ChoiceRecord, at: number): boolean {
  const opened = Date.parse(bookings[at]?.entries[0]?.at ?? '');
  const before = bookings[at - 1];
  const ended = before?.entries.some(
    ({ to_status, at: when }) => FINAL.includes(to_status) && Date.parse(when) <= opened,
  );
  const silent = before?.asks.some(
    ({ step, at: when }) => step === 'ask' && Date.parse(when) + within * MINUTE_MS <= opened,
  );
  return ended === true || silent === true;
}

/** Every coded message of the partner is with the venue, or the desk calls; the partner hears of each word of the venue. */
function* messagesArrive({ world }: SequenceState, record: BookingRecord): Generator<Found> {
  const { asks, booking, coded, entries, messages, notices, place } = record;
  const language = venueLanguage(place);
  const written = [
    ...world.phones.texts(world.phone).map((text) => text.get('Body') ?? ''),
    ...messages.map(({ body }) => body ?? ''),
  ];
  const calls = asks.some(
    ({ channel, step, state: now }) => channel === 'desk' && step === 'notify_message' && now !== 'failed',
  );
  for (const { sender, code, minutes, seen_at } of coded) {
    if (sender !== 'partner' || seen_at !== null || calls || booking.status !== 'confirmed') continue;
    const words = codedSentence({ code: code as 'late', minutes, allergens: null, at: null }, language);
    if (!written.some((text) => text.includes(words))) yield `9 the venue does not know: ${words}`;
  }
  const said = entries.filter(({ event }) => event === 'message_seen' || event === 'venue_message');
  if (
    JSON.stringify(said.map(({ sequence }) => sequence)) !==
    JSON.stringify(notices.map(({ sequence }) => sequence))
  )
    yield '9 the webhooks tell other messages than the timeline';
  const sent = entries.filter(({ event }) => event === 'message_sent' || event === 'venue_message');
  if (
    JSON.stringify(sent.map(({ sequence }) => sequence)) !==
    JSON.stringify(coded.map(({ sequence }) => sequence))
  )
    yield '9 the timeline tells other messages than there are';
}

const UNDER_WAY = ['queued', 'sending', 'pending', 'posted'];

function nothingOpen({ booking, asks, messages }: BookingRecord): Found[] {
  return [
    ['sent', 'asking', 'offered'].includes(booking.status) && `7 still ${booking.status}`,
    ...asks
      .filter(({ state }) => UNDER_WAY.includes(state))
      .map(({ step, channel, state }) => `7 ${step} by ${channel} is left ${state}`),
    ...messages
      .filter(({ state }) => state === 'queued' || state === 'sending')
      .map(({ purpose, state }) => `7 a ${purpose} message is left ${state}`),
  ];
}

/** A venue that said yes, or is still deciding, hears when the table is no longer wanted. */
function* venueKnows({ booking, asks, entries }: BookingRecord): Generator<Found> {
  if (booking.status !== 'cancelled') return;
  const ended = entries.findLast(({ event }) => event === 'cancelled');
  if (ended?.actor !== 'partner' || ended.from_status !== 'confirmed') return;
  const told = asks.some(({ step, state }) => step === 'notify_cancelled' && state !== 'failed');
  if (!told) yield '8 the partner gave a confirmed table back, and the venue does not know';
}

/** People at the venue keep no table for nobody: what they promised is named to them once nobody comes, and so is the change. */
function* venueKeepsNothing(state: SequenceState, record: BookingRecord): Generator<Found> {
  const { givenUp, world } = state;
  const { booking, asks, messages, place } = record;
  if (
    booking.status !== 'cancelled' ||
    record.entries.findLast(({ event }) => event === 'cancelled')?.actor !== 'partner'
  )
    return;
  const calls = asks.some(
    ({ channel, step, state: now }) => channel === 'desk' && step === 'notify_cancelled' && now !== 'failed',
  );
  const written = [
    ...world.phones.texts(world.phone).map((text) => text.get('Body') ?? ''),
    ...messages.map(({ body }) => body ?? ''),
  ];
  const language = venueLanguage(place);
  const isNamed = (table: NamedTable) => {
    const named = (['message.cancelled', 'subject.cancelled'] as const).map((key) =>
      sentenceAbout(
        { ...table, timeUntil: table.time_until ?? null, partySize: table.party_size },
        language,
        key,
      ),
    );
    return calls
      ? booking.released?.some((one) => isSame(one, table)) === true
      : written.some((text) => named.some((words) => text.includes(words)));
  };
  if (givenUp !== null && !isNamed(givenUp))
    yield `8 the venue keeps ${givenUp.date} ${givenUp.time} for nobody`;
  const asked = asks.some(
    ({ channel, step, state: now, revision }) =>
      (channel === 'sms' || channel === 'mail') &&
      step === 'ask' &&
      now === 'ended' &&
      revision === booking.revision,
  );
  if (asked && !isNamed(booking)) yield `8 the venue may still answer about ${booking.date} ${booking.time}`;
}
