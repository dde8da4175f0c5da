import { dateOfDay, DAY_MINUTES } from '../../../../directory/hours/compile/compiled-hours.ts';
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
