import { findBooking } from '../../../bookings/booking-row.ts';
import { waitingAnswer } from '../../../bookings/waiting/waiting.ts';
import { formatCount } from '../../../core/text/format-count.ts';
import { html, type Html } from '../../../core/text/html.ts';
import type { Place } from '../../../directory/place/place.ts';
import type { MemberTable } from '../../../members/list-tables.ts';
import type { Member } from '../../../members/member.ts';
import { userText } from '../frame/components.ts';
import { icon } from '../frame/icon.ts';
import { definePage } from '../person/page.ts';
import type { PageRequest, PageState } from '../person/page-request.ts';
import { member } from '../person/people.ts';
import { pictureBand } from '../traveller/place-picture.ts';
import { contactButtons } from '../traveller/place/practical-sections.ts';
import {
  acceptOwnOffer,
  cancelOwnTable,
  changeOwnTable,
  declineOwnOffer,
  findOwnTable,
  tablePath,
} from './own-table.ts';
import { rateOwnTable, ratingForm } from './rate-table.ts';
import { hasCalendarEntry } from './table-calendar.ts';
import { statusWords, tableForms, tableMap, tableWhen, termLines } from './table-card.ts';
import { tableTimeline } from './table-timeline.ts';

/** One table of a member: how it stands, what the member can do, the way there, and what happened so far. */
export const tablePage = definePage({
  path: '/member/tables/:bookingId',
  follows: ({ person }) => [person.id],
  who: member,
  load: async (req) => {
    const found = await findOwnTable(req);
    return { ...found, ahead: found.table.waiting ? await guestsAhead(req, found.table) : undefined };
  },
  view: (req, { table, place, address, ahead }, state) => ({
    title: table.placeName ?? 'A place that is no longer listed',
    lead: html`<a class="touch" href="/member/tables"><span aria-hidden="true">‹&nbsp;</span>Your tables</a>`,
    scripts: req.deps.streets.map === undefined ? [] : ['street-map.js'],
    body: html`<div class="own-table-page">
      ${stateCard(req, { table, ahead }, state)} ${place !== undefined && wayCard(req, table, place, address)}
      ${tableTimeline(table)}
    </div>`,
  }),
  actions: [acceptOwnOffer, declineOwnOffer, changeOwnTable, cancelOwnTable, rateOwnTable],
});

async function guestsAhead({ deps }: PageRequest<Member>, { bookingId }: MemberTable) {
  const booking = await findBooking(deps.pool, bookingId);
  return booking && (await waitingAnswer(deps.pool, booking))?.ahead;
}

function stateCard(
  req: PageRequest<Member>,
  { table, ahead }: { table: MemberTable; ahead: number | undefined },
  state: PageState,
): Html {
  const { notes, bookingId } = table;
  return html`<section class="flow own-state" aria-label="The table">
    <div class="card flow">
      ${tableWhen(table)}
      <p class="table-status" role="status">
        ${statusWords(table, req.now)}
        ${
          ahead !== undefined &&
          (ahead === 0 ? 'You are the first to be asked.' : `${formatCount(ahead, 'guest')} before you.`)
        }
      </p>
      ${notes !== null && html`<p class="hint">Your note: <q>${userText(notes)}</q></p>`}
      ${termLines(table.terms)}
      ${
        hasCalendarEntry(table) &&
        html`<p>
          <a class="button plain small" href="${tablePath(bookingId)}/table.ics" download
            >${icon('calendar-days')} Add to calendar</a
          >
        </p>`
      }
      ${tableForms(req, table, state)} ${againLink(table)}
    </div>
    ${table.ratable && html`<div id="rate">${ratingForm(req, table, state)}</div>`}
  </section>`;
}

/** Leads from a table that is over to the form for another one. */
function againLink({ status, past, placeId }: MemberTable): Html | false {
  const isOver = past || status === 'declined' || status === 'no_answer' || status === 'cancelled';
  return (
    isOver &&
    placeId !== null &&
    html`<p><a class="button plain" href="/p/${placeId}#table">Ask for another table here</a></p>`
  );
}

/** How to reach the venue: its picture, address, contacts and map. */
function wayCard(req: PageRequest<Member>, table: MemberTable, place: Place, address: string): Html {
  return html`<section class="card flow own-way" aria-labelledby="way">
    ${pictureBand(place, req.deps.config.serviceName)}
    <h2 id="way">How to get there</h2>
    ${place.closed_at !== null && html`<p>This place has closed.</p>`}
    ${address !== '' && html`<p>${userText(address)}</p>`} ${contactButtons({ place })}
    ${tableMap(req, table)}
    <p><a class="touch" href="/p/${place.id}">Page of the place</a></p>
  </section>`;
}
