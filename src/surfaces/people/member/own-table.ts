import { z } from 'zod';
import type { Booking } from '../../../bookings/booking.ts';
import { cancelBooking, finishCancelling } from '../../../bookings/request/cancel-booking.ts';
import { acceptOffer, changeBooking, declineOffer } from '../../../bookings/request/change-booking.ts';
import { isHalted, refuseWhenHalted } from '../../../bookings/kill-switch/kill-switch.ts';
import { WRITES_A_DAY, WRITES_A_MINUTE } from '../../../bookings/request/limits.ts';
import { PARTY_SIZE_MAX } from '../../../bookings/request/table-fields.ts';
import { AppError, type ErrorCode } from '../../../core/errors.ts';
import { findPlace } from '../../../directory/place/place.ts';
import { listMemberTables } from '../../../members/list-tables.ts';
import { lockMemberTable } from '../../../members/member-table.ts';
import type { Member } from '../../../members/member.ts';
import { hiddenInput, numberInput, textInput } from '../form/fields.ts';
import { defineAction, refuse, type ActionContext, type ActionResult } from '../person/action.ts';
import type { PageRequest } from '../person/page-request.ts';
import { member } from '../person/people.ts';
import { wholeAddress } from '../traveller/place/practical-sections.ts';

/** Day, time and number of people, as a person enters them for a table. */
export const tableInputs = {
  date: {
    ...textInput(z.iso.date(), { label: 'Day', type: 'date', required: true }),
    error: 'Choose a day.',
  },
  time: {
    ...textInput(z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/), {
      label: 'Time',
      type: 'time',
      required: true,
    }),
    error: 'Choose a time, such as 19:30.',
  },
  party_size: {
    ...numberInput(z.int().min(1).max(PARTY_SIZE_MAX), { label: 'People', type: 'number', required: true }),
    error: `Enter 1 to ${PARTY_SIZE_MAX} people.`,
  },
};

/** Limits of a member's requests: the same as those of a partner. */
export const TABLE_LIMITS = [WRITES_A_MINUTE, WRITES_A_DAY];

/** Sentences for guests where those for programs name tools. */
const REFUSALS: Partial<Record<ErrorCode, string>> = {
  booking_final: 'This request has ended. Ask for a new table.',
  bookings_halted: 'Table requests are stopped at the moment. Nothing was changed. Please try again later.',
  contact_data_refused: 'The venue receives only a name: leave out telephone numbers, addresses and links.',
  duplicate_request: 'You have already asked for this table. Its answer will appear here.',
  in_the_past: 'This time has already passed at the place. Choose a later one.',
  invalid_move: 'The venue is being asked at the moment. Wait for its answer, or cancel and ask again.',
  not_cancellable: 'The venue no longer accepts a cancellation of this table. Please call it.',
  offer_expired: 'This offer has expired. Ask for another time.',
  validation_failed: 'Choose another day, another time or another number of people.',
  venue_daily_cap: 'This venue gets no more requests for now. Choose another place, or ask tomorrow.',
};

/** Runs a request, and shows a refusal on the page of its form. */
export async function orRefuse<Result>(request: () => Promise<Result>): Promise<Result> {
  try {
    return await request();
  } catch (thrown) {
    if (!(thrown instanceof AppError) || (thrown.status >= 500 && thrown.code !== 'bookings_halted'))
      throw thrown;
    const { code, status, message, hint } = thrown;
    const text = REFUSALS[code] ?? (code === 'closed_at_that_time' ? `${message} ${hint ?? ''}` : message);
    return refuse({ status, notice: { kind: 'bad', text } });
  }
}

export const LIST_PATH = '/member/tables';

/** Path of the page of a table. */
export function tablePath(bookingId: string): string {
  return `${LIST_PATH}/${encodeURIComponent(bookingId)}`;
}

/** Returns to the page of the table, which shows its state. */
function shownAt({ id }: Booking): ActionResult {
  return { to: tablePath(id) };
}

/** Reads a table of the member with its place, for its page and its calendar entry. */
export async function findOwnTable({ deps, person, params, now }: PageRequest<Member>) {
  const { bookingId = '' } = params;
  const [table] = await listMemberTables(deps.pool, person.id, now, { bookingId });
  if (table === undefined)
    throw new AppError('booking_not_found', 'You have no such table.', {
      hint: 'Your tables are listed at /member/tables.',
    });
  const place = table.placeId === null ? undefined : await findPlace(deps.pool, table.placeId);
  return { table, place, address: place === undefined ? '' : wholeAddress(place) };
}

const PATH = `${LIST_PATH}/:bookingId`;

/** The booking in the path of an action, locked. */
function lockOwn(act: ActionContext<Member>): Promise<Booking> {
  const { bookingId = '' } = act.params;
  act.audit(bookingId);
  return lockMemberTable(act.db, act.person.id, bookingId);
}

export const acceptOwnOffer = defineAction({
  name: 'accept_offered_table',
  path: `${PATH}/accept`,
  who: member,
  fields: { offer: hiddenInput(z.string().max(40)) },
  button: 'Accept',
  plain: false,
  rateLimits: TABLE_LIMITS,
  run: (act, { offer }) =>
    orRefuse(async () => {
      await refuseWhenHalted(act.db);
      return shownAt(await acceptOffer(act, await lockOwn(act), offer));
    }),
});

export const declineOwnOffer = defineAction({
  name: 'decline_offered_table',
  path: `${PATH}/decline`,
  who: member,
  button: 'No, thank you',
  rateLimits: TABLE_LIMITS,
  run: (act) => orRefuse(async () => shownAt(await declineOffer(act, await lockOwn(act)))),
});

export const changeOwnTable = defineAction({
  name: 'change_own_table',
  path: `${PATH}/change`,
  who: member,
  fields: tableInputs,
  button: 'Ask for this instead',
  plain: false,
  rateLimits: TABLE_LIMITS,
  run: (act, { date, time, party_size: partySize }) =>
    orRefuse(async () => {
      await refuseWhenHalted(act.db);
      return shownAt(await changeBooking(act, await lockOwn(act), { date, time, partySize }));
    }),
});

export const cancelOwnTable = defineAction({
  name: 'cancel_own_table',
  path: `${PATH}/cancel`,
  who: member,
  button: 'Cancel the table',
  danger: true,
  // A guest who cannot come must be able to cancel.
  rateLimits: TABLE_LIMITS.map((limit) => ({ ...limit, refuses: false })),
  run: (act) => orRefuse(() => cancelOwn(act)),
});

async function cancelOwn(act: ActionContext<Member>): Promise<ActionResult> {
  const halted = await isHalted(act.db);
  const booking = await lockOwn(act);
  if (booking.status === 'cancelled') {
    act.unchanged();
    return shownAt(booking);
  }
  const reached = await cancelBooking(act, booking, { reason: null, halted });
  // The venue's own system cancels its table first.
  if (reached.status !== 'cancelled')
    act.afterCommit((outside) => orRefuse(async () => shownAt(await finishCancelling(outside, booking.id))));
  return shownAt(booking);
}
