import { clockText, dateOfDay, DAY_MINUTES } from '../../../../directory/hours/compile/compiled-hours.ts';
import { hoursVerified } from '../../../../directory/hours/place-open.ts';
import { isOpenAt } from '../../../../directory/hours/open-at.ts';
import { localMinuteOf } from '../../../../directory/hours/zone-clock.ts';
import { tableInstant } from '../../../../bookings/asking/timing.ts';
import { MINUTE_MS } from '../../../../core/time.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import type { Destination } from '../../../../directory/destinations.ts';
import type { Place } from '../../../../directory/place/place.ts';
import { requestMemberTable } from '../../../../members/member-table.ts';
import { notesField } from '../../../../bookings/request/table-fields.ts';
import { actionForm, formFields } from '../../form/action-form.ts';
import { checkInput, textInput } from '../../form/fields.ts';
import { titledSection } from '../../frame/sections.ts';
import { orRefuse, TABLE_LIMITS, tableInputs, tablePath } from '../../member/own-table.ts';
import { tableForms, tableState, termLines } from '../../member/table-card.ts';
import { defineAction } from '../../person/action.ts';
import type { Notice } from '../../person/page-request.ts';
import { member } from '../../person/people.ts';
import type { MemberVisit, PlaceModel } from './place-model.ts';
import { bookingSection, callLine } from './practical-sections.ts';

/** The member asks the venue for a table, on the page of the place. */
export const requestTableHere = defineAction({
  name: 'request_own_table',
  path: '/p/:placeId/table',
  who: member,
  fields: {
    ...tableInputs,
    notes: textInput(notesField, {
      label: 'Note for the venue (optional)',
      hint: 'An allergy, a high chair. No contact data.',
      maxlength: 280,
    }),
    wait: checkInput('If it is full, wait for a free table'),
  },
  button: 'Ask for this table',
  plain: false,
  rateLimits: TABLE_LIMITS,
  run: (act, { date, time, party_size: partySize, notes, wait: waits }) =>
    orRefuse(async () => {
      const placeId = act.params['placeId'] ?? '';
      const wanted = { placeId, date, time, partySize, notes: notes || null, waits };
      const booking = await requestMemberTable(act, act.person, wanted);
      act.audit(booking.id, { place_id: placeId, party_size: partySize });
      return { to: tablePath(booking.id) };
    }),
});

/** Query parameters that carry a table through the sign-in. */
export const WANTED_PARAMETERS = ['date', 'time', 'party_size'] as const;

/** Renders how to get a table: by asking here where the venue takes requests, otherwise how it is booked. */
export function tableSection(model: PlaceModel): Html | false {
  const { place, visit } = model;
  const isAsked = place.booking_method === 'request';
  const tables = visit?.tables ?? [];
  const notice = visit?.state.notice;
  if (!isAsked && tables.length === 0 && notice === undefined) return bookingSection(place);
  return titledSection(
    'table',
    tables.length > 0 ? 'Your table' : 'Ask for a table',
    html`${notice !== undefined && noticeLine(notice)}
    ${visit !== undefined && tables.length > 0 && ownTables(visit)} ${isAsked && termLines(model.terms)}
    ${isAsked && (visit === undefined ? openForm(model) : memberForm(model, visit))}`,
    'booking card flow',
  );
}

function noticeLine({ kind, text }: Notice): Html {
  return html`<p class="notice ${kind}" role="alert">${text}</p>`;
}

function ownTables({ req, tables, state }: MemberVisit): Html {
  return html`${tables.map(
    (table) =>
      html`<div class="own-table flow">
        ${tableState(table, req.now)}
        <p>
          <a class="button plain" href="${tablePath(table.bookingId)}">Way, calendar and what happened</a>
        </p>
        ${tableForms(req, table, state)}
      </div>`,
  )}`;
}

/** The form for visitors who are not signed in: it leads through the sign-in and back. */
function openForm({ place, destination, now }: PlaceModel): Html {
  const values = firstTable(place, destination, now);
  return html`<form class="table-form" action="/p/${place.id}/table" method="get">
      ${formFields({ name: 'table', fields: tableInputs }, {}, { values })}
      ${tableChips(place, destination, now)}
      <p class="row-forms"><button class="button">Ask for a table</button></p>
    </form>
    <p class="soft">
      You sign in with a code by mail, and come back here. The venue decides; a request is not a booking until
      the venue accepts. ${callLine(place)}
    </p>`;
}

function memberForm({ place, destination, now }: PlaceModel, { req, tables, state }: MemberVisit): Html {
  const wanted = WANTED_PARAMETERS.map((name) => [name, req.query.get(name)] as const);
  const carried = Object.fromEntries(wanted.filter(([, value]) => value !== null));
  const values = { ...firstTable(place, destination, now), ...carried };
  const form = actionForm(req, requestTableHere, state.action === requestTableHere.name ? state : {}, {
    className: 'table-form',
    params: { placeId: place.id },
    values,
    more: tableChips(place, destination, now),
  });
  const note = html`<p class="soft">
    The venue gets the name ${req.person.displayName} and decides. A request is not a booking until the venue
    accepts.
  </p>`;
  if (tables.length === 0) return html`${form}${note}`;
  return html`<details ${state.action === requestTableHere.name && html` open`}>
    <summary>Ask for another table</summary>
    ${form}${note}
  </details>`;
}

const DAY_WORDS = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  timeZone: 'UTC',
});
const SHORT_DAY = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', timeZone: 'UTC' });
const SLOT_MINUTES = 30;
/** Tables are asked for from breakfast until late; with more times than this, only full hours and those of meals are shown. */
const SLOTS = { first: 7 * 60, last: 23 * 60 + SLOT_MINUTES, shownMax: 14 };
const MEAL_TIMES: ReadonlySet<string> = new Set(
  '12:00 12:30 13:00 13:30 14:00 19:00 19:30 20:00 20:30 21:00'.split(' '),
);

/**
 * Renders the next days with the times at which the place is open, from which a script draws chips. Without it the fields
 * for day and time are used.
 */
function tableChips(place: Place, destination: Destination, now: Date): Html {
  const today = Math.floor(localMinuteOf(destination.timezone, now) / DAY_MINUTES);
  const isVerified = hoursVerified(place, now);
  const days = Array.from({ length: DAYS }, (_, ahead) => {
    const date = dateOfDay(today + ahead);
    const { times, isClosed } = timesOn(place, destination, date, now);
    const day = DAY_WORDS.format(new Date(date));
    const label = ['Today', 'Tomorrow'][ahead] ?? SHORT_DAY.format(new Date(date));
    if (!isClosed)
      return { date, label, times, ...(times.length === 0 && { note: `No more times on ${day}.` }) };
    return isVerified
      ? { date, label, times: [], isClosed, note: `Closed on ${day}. Choose another day.` }
      : {
          date,
          label,
          times: [...MEAL_TIMES],
          isClosed,
          note: `Usually closed on ${day}, by hours that are not verified.`,
        };
  });
  return html`<div class="table-chips" id="table-chips" data-days="${JSON.stringify(days)}" hidden></div>`;
}

/** Returns the times of a day at which the place is open and still has time to answer; those of meals where its hours are unknown. */
function timesOn(
  { hours }: Place,
  { timezone }: Destination,
  date: string,
  now: Date,
): { times: string[]; isClosed: boolean } {
  const compiled = hours?.compiled ?? null;
  const isOpen = (at: Date) => compiled === null || isOpenAt(compiled, timezone, at) !== false;
  const slots = Array.from({ length: (SLOTS.last - SLOTS.first) / SLOT_MINUTES + 1 }, (_, at) => {
    const time = clockText(SLOTS.first + at * SLOT_MINUTES);
    const start = tableInstant(timezone, date, time);
    const isWhole = isOpen(start) && isOpen(new Date(start.getTime() + SLOT_MINUTES * MINUTE_MS - 1));
    return { time, isWhole, isEarly: start.getTime() - now.getTime() >= NOTICE_MS };
  });
  const open = slots.filter(({ isWhole }) => isWhole);
  const times = open.filter(({ isEarly }) => isEarly).map(({ time }) => time);
  const isShort = compiled !== null && times.length <= SLOTS.shownMax;
  const isShown = (time: string) => MEAL_TIMES.has(time) || (compiled !== null && time.endsWith(':00'));
  return { times: isShort ? times : times.filter(isShown), isClosed: open.length === 0 };
}

const TIMES = ['19:30', '20:00', '19:00', '13:00', '12:30', '11:00', '09:00'];
const DAYS = 7;
/** Time that a venue needs to answer before the table. */
const NOTICE_MS = 90 * MINUTE_MS;

/** Returns a table that is likely to be wanted: the next evening on which the place is open. */
function firstTable(place: Place, { timezone }: Destination, now: Date) {
  const today = Math.floor(localMinuteOf(timezone, now) / DAY_MINUTES);
  const compiled = place.hours?.compiled ?? null;
  for (const time of TIMES)
    for (let day = 0; day < DAYS; day++) {
      const date = dateOfDay(today + day);
      const at = tableInstant(timezone, date, time);
      if (at.getTime() - now.getTime() < NOTICE_MS) continue;
      if (compiled === null || isOpenAt(compiled, timezone, at) !== false)
        return { date, time, party_size: '2' };
    }
  return { date: dateOfDay(today + 1), time: '19:30', party_size: '2' };
}
