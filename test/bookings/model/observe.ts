import { mayMoveBooking, type MoveCondition } from '../../../src/bookings/moves.ts';
import type { BookingStatus, BookingMover } from '../../../src/bookings/booking.ts';
import type { BookingRecord, Move } from './booking-record.ts';
import type { Outcome, SequenceState } from './sequence-state.ts';
import { startOf } from './world.ts';

type Entry = BookingRecord['entries'][number];

/** State outside the record: the tables and calls of the venue's system, and the messages to phones. */
export function outsideOf({ world: { venue, phones } }: SequenceState): string {
  return JSON.stringify([[...venue.tables.values()], venue.calls.length, phones.taken.length]);
}

/**
 * Looks at what a step has done: what was refused left no trace, and each new line of the timeline has its cause, which
 * is what somebody said. What people at the venue said is what they write into their own book.
 */
export function observe(
  state: SequenceState,
  step: { line: string; outcome: Outcome; before: BookingRecord | undefined; outside: string },
): void {
  const { line, outcome, before, outside } = step;
  const { record: after } = state;
  const alone = !line.includes(' | ');
  if (outcome === 'refused' && alone) {
    if (JSON.stringify(before) !== JSON.stringify(after) || outside !== outsideOf(state))
      state.faults.push(`6 a refused call left a trace: ${line}${traceOf(before, after)}`);
  }
  if (after === undefined) return;
  for (const entry of after.entries.slice(before?.entries.length ?? 0)) {
    if (entry.from_status !== entry.to_status) move(state, line, before, entry);
  }
  if (alone && before !== undefined) checkHeard(state, line, outcome, before, after);
  desk(state, before);
}

function traceOf(before: BookingRecord | undefined, after: BookingRecord | undefined): string {
  const keys = [
    'booking',
    'entries',
    'asks',
    'offers',
    'undo',
    'messages',
    'deliveries',
    'notices',
    'coded',
    'choice',
    'jobs',
    'place',
  ] as const;
  const changed = keys.filter((key) => JSON.stringify(before?.[key]) !== JSON.stringify(after?.[key]));
  return ` (${changed.join(', ') || 'at the venue'})`;
}

/** Each move is allowed, delivered once, and made by somebody who may make it. */
function move(state: SequenceState, line: string, before: BookingRecord | undefined, entry: Entry): void {
  const { record, world } = state;
  const told = record?.deliveries.filter(({ sequence }) => sequence === entry.sequence) ?? [];
  const data = told[0]?.data;
  if (told.length !== 1 || told[0]?.event !== entry.event || data === undefined) {
    state.faults.push(`5 move ${entry.sequence} (${entry.event}) was told ${told.length} times`);
    return;
  }
  checkAllowed(state, entry);
  const words = causeOf(state, before, entry, data);
  if (words !== undefined) state.faults.push(`4 ${entry.event} by ${entry.actor}, but ${words}: ${line}`);
  promise(state, entry, data);
  if (entry.event === 'cancelled' && entry.actor === 'partner' && entry.from_status === 'confirmed') {
    const kept = world.venue.live().find(({ booking_id }) => world.venue.refusedBack.has(booking_id));
    if (kept?.status === 'CONFIRMED')
      state.faults.push(
        `1 cancelled, although the venue's system has refused to take the table back: ${line}`,
      );
  }
}

const CONDITIONS: readonly MoveCondition[] = ['held', 'frozen', 'undo', 'choice', 'waits'];

function checkAllowed(state: SequenceState, { from_status, to_status, actor, sequence }: Entry): void {
  const [from, to] = [from_status as BookingStatus | null, to_status as BookingStatus];
  if (!mayMoveBooking(from, to, actor as BookingMover, CONDITIONS))
    state.faults.push(`5 move ${sequence} is not one that there is: ${from ?? '-'} to ${to} by ${actor}`);
}

/** Why a move should not have been made, or undefined where somebody has said what it tells. */
function causeOf(
  state: SequenceState,
  before: BookingRecord | undefined,
  { event, actor, from_status: from }: Entry,
  data: Move,
): string | undefined {
  const said = (...words: string[]) => words.some((one) => state.said.includes(one));
  const { venue, clock } = state.world;
  const no = [`${actor} no`, `${actor} stop`, `${actor} cancel`, 'desk back'];
  switch (`${event} ${actor}`) {
    case 'confirmed venue':
    case 'confirmed desk':
      return said(`${actor} yes`, ...(data.reason === null ? [] : no)) ? undefined : 'nobody said yes';
    case 'confirmed venue_system': {
      const table = venue.tables.get(data.confirmation?.ref ?? '');
      const reverts = data.reason !== null;
      const given =
        table?.status === 'CONFIRMED' || (table !== undefined && state.said.includes('partner cancel'));
      return reverts || given ? undefined : 'its record does not say so';
    }
    case 'declined venue':
    case 'declined desk':
    case 'cancelled venue':
    case 'cancelled desk':
      return said(...no, `${actor} none_free`) ? undefined : 'nobody said no';
    case 'cancelled venue_system':
      return state.everSaid.has('system cancels') ? undefined : 'it did not cancel';
    case 'offered venue':
    case 'offered desk':
      return said(`${actor} offer`, `${actor} free`) ? undefined : 'nobody offered anything';
    case 'asking venue':
    case 'asking desk':
      return said(`${actor} undo`) ? undefined : 'nobody took anything back';
    case 'asking partner':
      return said('partner change') ? undefined : 'the partner changed nothing';
    case 'cancelled partner':
      return state.everSaid.has('partner cancel') ? undefined : 'the partner did not cancel';
    case 'confirmed partner':
      if (data.reason !== null)
        return state.everSaid.has('partner decline') ? undefined : 'the partner declined no offer';
      return state.everSaid.has('partner accept') ? undefined : 'the partner took no offer';
    case 'declined service':
      return before?.booking.waiting === true && data.reason === 'wait_over' ? undefined : 'no wait is over';
    case 'no_answer service': {
      const deadline = before?.booking.answer_by;
      return deadline == null || Date.parse(deadline) <= clock.now().getTime()
        ? undefined
        : 'there is time left';
    }
    default:
      return from === 'confirmed' ? 'nobody may end a confirmed table like this' : undefined;
  }
}

/** Promises of people at the venue, and the table that they then write into their own system. */
function promise(state: SequenceState, { event, actor }: Entry, data: Move): void {
  const { venue } = state.world;
  const byPeople = actor === 'venue' || actor === 'desk';
  const table = { date: data.date, time: data.time, party_size: data.party_size };
  if (event === 'confirmed' && byPeople && data.reason === null) {
    state.promisedBefore = state.promised;
    state.promised = table;
    venue.agreeOn(startOf(table), table.party_size);
  } else if (event === 'confirmed' && actor === 'partner' && data.reason === null) {
    const offer = state.record?.offers.find(({ state: now }) => now === 'accepted');
    state.promised = offer?.made_by === 'venue_system' ? null : table;
    if (state.promised !== null) venue.agreeOn(startOf(table), table.party_size);
  } else if (event === 'confirmed' && actor === 'venue_system' && data.reason === null) {
    if (state.promised !== null)
      state.faults.push('2 a table in the system, beside the one that people promised');
    state.promised = null;
  } else if (event === 'asking' && byPeople) {
    state.promised = state.promisedBefore;
  } else if (event === 'cancelled' || event === 'declined') {
    if (event === 'cancelled' && (actor === 'partner' || actor === 'service')) state.givenUp = state.promised;
    state.promised = null;
    if (byPeople) venue.clearTables();
  }
}

/** Somebody answered what was being asked, alone and without a crash: then it counts. */
function checkHeard(
  state: SequenceState,
  line: string,
  outcome: Outcome,
  { booking: before, asks }: BookingRecord,
  { booking: after }: BookingRecord,
): void {
  if (outcome !== 'done' || (line.startsWith('call') && !isOnPhone(asks))) return;
  const open = (before.status === 'asking' || before.status === 'sent') && !before.waiting;
  const newest = line === 'tap yes' || line === 'call 1' || line === 'desk yes';
  const spoken = state.said.some((one) => one.endsWith(' yes'));
  if (
    spoken &&
    newest &&
    open &&
    after.revision === before.revision &&
    after.status !== 'confirmed' &&
    after.reason !== 'other_venue_confirmed' &&
    after.reason !== 'choice_cancelled' &&
    isCurrent(state)
  )
    state.faults.push(`4 the venue said yes and was not heard: ${line} while ${before.status}`);
  if (line === 'call 3' && open && state.said.length > 0 && !isAtDesk(state))
    state.faults.push(`4 the venue wants to offer another time, and nobody calls it`);
  if (line.startsWith('cancel') && state.told !== undefined && state.told.status !== after.status)
    state.faults.push(`4 the partner was told ${state.told.status}, and it is ${after.status}`);
}

/** Nobody presses a key on a call that is over. */
function isOnPhone(asks: BookingRecord['asks']): boolean {
  return asks.findLast(({ channel }) => channel === 'phone')?.state === 'asked';
}

function isAtDesk({ record }: SequenceState): boolean {
  const { booking, asks } = record ?? { asks: [] };
  return asks.some(({ channel, revision }) => channel === 'desk' && revision === booking?.revision);
}

/** Whether the newest question that the venue has is about what is asked now. */
function isCurrent({ record }: SequenceState): boolean {
  const asked = record?.asks.filter(({ step }) => step === 'ask' || step === 'reminder') ?? [];
  return asked.at(-1)?.revision === record?.booking.revision;
}

/** A call that the desk has made is heard at the venue: its book then says what ours does. */
function desk(state: SequenceState, before: BookingRecord | undefined): void {
  const { record, world } = state;
  if (record === undefined || !state.said.some((one) => one === 'desk told' || one === 'desk back')) return;
  const was = new Map(before?.asks.map(({ id, state: one }) => [id, one]));
  const made = record.asks.filter(
    ({ id, channel, step, state: now }) =>
      channel === 'desk' && step.startsWith('notify_') && now === 'asked' && was.get(id) === 'waiting',
  );
  const { booking } = record;
  for (const { step, ref } of made) {
    if (step === 'notify_kept' || step === 'notify_accepted')
      world.venue.agreeOn(startOf(booking), booking.party_size);
    else if (booking.status !== 'confirmed') world.venue.clearTables();
    else if (ref !== null && ref !== booking.confirmed_ref) world.venue.clearTables(ref);
  }
}
