import { listUpcomingTables } from '../../../../bookings/answering/upcoming-tables.ts';
import { listVenueTables } from '../../../../bookings/answering/venue-tables.ts';
import type { Booking } from '../../../../bookings/booking.ts';
import { listCodedMessages, takesMessages } from '../../../../bookings/coded/coded-message.ts';
import { listUntoldTables } from '../../../../bookings/outcomes/table-outcome.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import { badge, userText } from '../../frame/components.ts';
import { recordTable } from '../../frame/table.ts';
import { definePage } from '../../person/page.ts';
import { venue } from '../../person/people.ts';
import { areaLanguage, areaNotice, type AreaKey, type AreaLanguage } from '../language/area-language.ts';
import { GUEST_ACTIONS, guestNotices, messageCards, outcomeCards } from './guest-messages.ts';
import { waitingList } from './waiting-list.ts';
import { requestList, tableActions, tableCard, tableLine, tableMessages } from './table-cards.ts';
import { venueFrame } from './venue-menu.ts';

const PATH = '/venue/tables';
const SHOWN_MAX = 200;
const OVER_MAX = 50;

const actions = tableActions(PATH);

/** The venue's open requests, confirmed tables and past ones. */
export const venueTablesPage = definePage({
  path: PATH,
  follows: ({ person }) => [person.place.id],
  who: venue,
  async load({ deps: { pool }, person: { place }, now }) {
    const [tables, promised, untold] = await Promise.all([
      listVenueTables(pool, place.id, { now, overMax: OVER_MAX }),
      listUpcomingTables(pool, { placeId: place.id }, { now, limit: SHOWN_MAX }),
      listUntoldTables(pool, place.id, now),
    ]);
    const writable = promised.map(({ booking }) => booking).filter((booking) => takesMessages(booking, now));
    const messages = await listCodedMessages(
      pool,
      writable.map(({ id }) => id),
    );
    return { tables, promised, untold, writable, messages };
  },
  view(req, { tables, promised, untold, writable, messages }, state) {
    const language = areaLanguage(req);
    const { area, text } = language;
    const coming = html`<ul class="columns">
      ${promised.map(({ booking }) => tableCard(req, actions, booking))}
    </ul>`;
    return {
      language: venueFrame(req, PATH),
      title: area('nav.tables'),
      lead: area('tables.lead', { town: req.person.destination.name }),
      notice: areaNotice(req, state, { ...tableMessages(language), ...guestNotices(language) }),
      body: html`${section('requests', area('requests.title'), requestList(req, actions, tables, state))}
        ${
          tables.waiting.length > 0 &&
          section('waiting', area('waiting.title'), waitingList(req, actions, tables.waiting, state))
        }
        ${section('coming', area('tables.coming'), promised.length === 0 ? empty(area('tables.none')) : coming)}
        ${writable.length > 0 && section('messages', text('form.messageGuest'), messageCards(req, writable, messages))}
        ${untold.length > 0 && section('untold', text('page.afterwards'), outcomeCards(req, untold))}
        ${section(
          'over',
          area('tables.over'),
          tables.over.length === 0 ? empty(area('tables.noneOver')) : overTable(tables.over, language),
        )}
        <p><a href="/venue/rules">${area('part.rules')}</a>: ${area('part.rulesMeans')}</p>
        <p><a href="/venue/terms">${area('part.terms')}</a>: ${area('part.termsMeans')}</p>
        <p><a href="/venue">${area('back')}</a></p>`,
    };
  },
  actions: [...Object.values(actions), ...GUEST_ACTIONS],
});

function section(id: string, title: string, content: Html): Html {
  return html`<section class="flow" aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${content}
  </section>`;
}

function empty(text: string): Html {
  return html`<p class="empty">${text}</p>`;
}

const ENDS: Readonly<Record<Booking['status'], readonly [kind: string, key: AreaKey]>> = {
  sent: ['', 'status.unanswered'],
  asking: ['', 'status.unanswered'],
  offered: ['', 'status.offerNotTaken'],
  confirmed: ['good', 'status.confirmed'],
  declined: ['', 'answered.no'],
  no_answer: ['', 'status.unanswered'],
  cancelled: ['', 'status.cancelled'],
};

/** Lists past tables. For those that did not take place, the venue sees the table but no guest data. */
function overTable(over: readonly Booking[], language: AreaLanguage): Html {
  const { text, area } = language;
  return html`${recordTable('stack', over, [
    [area('tables.table'), (booking) => tableLine(booking, language)],
    [
      area('tables.outcome'),
      ({ status, reason }) =>
        badge(
          ENDS[status][0],
          area(reason === 'venue_cancelled' ? 'status.cancelledByYou' : ENDS[status][1]),
        ),
    ],
    [text('page.name'), ({ status, guestName }) => status === 'confirmed' && userText(guestName)],
  ])}
  ${over.length === OVER_MAX && html`<p class="soft">${area('tables.lastShown', { count: OVER_MAX })}</p>`}`;
}
