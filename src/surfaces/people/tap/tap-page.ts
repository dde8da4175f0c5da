import { localDate } from '../../../bookings/booking-range.ts';
import { endingOf, type Tap } from '../../../bookings/answering/find-tap.ts';
import type { Booking, TableRequest } from '../../../bookings/booking.ts';
import type { EndingName } from '../../../bookings/language/catalogue.ts';
import type { VenueLanguage } from '../../../bookings/language/venue-language.ts';
import {
  dayValues,
  dayWords,
  momentValues,
  nearDayWords,
  sentenceAbout,
  timesWords,
} from '../../../bookings/table-words.ts';
import { termSentences } from '../../../bookings/terms/term-words.ts';
import { isWaiting } from '../../../bookings/waiting/waiting.ts';
import { waitEndWords } from '../../../bookings/waiting/waiting-words.ts';
import type { StreetMap } from '../../../streets/street-tiles.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { userText } from '../frame/components.ts';
import { pointMap, showsStreets } from '../traveller/map/street-figure.ts';
import { definitionList } from '../frame/definition-list.ts';
import { page } from '../frame/layout.ts';
import { sendPage } from '../frame/send-page.ts';
import { siteOf } from '../frame/site.ts';
import type { PageRequest, PageState, View } from '../person/page-request.ts';
import type { Frame } from '../person/page.ts';
import {
  answerForms,
  messageSection,
  outcomeForms,
  undoForm,
  waitingForms,
  withdrawForm,
} from './tap-forms.ts';
import { languageLink, tapLanguage } from './tap-language.ts';

/** Draws the page behind the link in a message, in the language of its reader. */
export const tapFrame: Frame<Tap> = (
  req,
  _page,
  { title, body, notice, status = 200, live, scripts = [] },
) => {
  const { deps, reply, person: tap, query, params } = req;
  const { text, code, direction } = tapLanguage(tap, query);
  const markup = page({
    site: siteOf(deps),
    lang: code,
    direction,
    skip: { text: text('page.skip'), target: 'main' },
    title,
    description: text('page.nothingCharged', { service: deps.config.serviceName }),
    indexed: false,
    nav: [],
    styles: ['tap.css'],
    scripts,
    ...(live !== undefined && { live: { since: live } }),
    body: html`<div class="wrap page tap">
      <header>
        ${languageLink(tap, query, `/v/${params['token'] ?? ''}`)}
        <p class="soft"><bdi>${tap.placeName ?? text('page.yourVenue')}</bdi></p>
        <h1>${title}</h1>
      </header>
      ${notice !== undefined && html`<div class="notice bad" role="alert"><p>${notice.text}</p></div>`}
      ${body}
    </div>`,
  });
  return sendPage(reply.code(status), markup);
};

/** Shows the question with its answers, or its outcome. */
export function tapView(request: PageRequest<Tap>, state: PageState): View {
  const content =
    request.person.batch.length > 1 ? groupContent(request, state) : singleContent(request, state);
  const map = request.person.open && venueMap(request.person, request.deps.streets.map);
  return {
    ...content,
    body: html`${content.body} ${map}`,
    scripts: map === false ? [] : ['street-map.js'],
    status: state.status ?? content.status,
  };
}

/** The streets around the venue, below the answers, so that a person who looks after several places sees which it is. */
function venueMap({ placeName, point }: Tap, map: StreetMap | undefined): Html | false {
  if (placeName === null || point === null || !showsStreets(map, point)) return false;
  return pointMap({ map, point, still: true, label: placeName });
}

type TapContent = View & { status: number };

function singleContent(request: PageRequest<Tap>, state: PageState): TapContent {
  return request.person.open ? question(request, state) : ending(request, state);
}

/** Shows several tables of one evening, each with its own answer. */
function groupContent(request: PageRequest<Tap>, state: PageState): TapContent {
  const { batch, askId, booking } = request.person;
  const language = tapLanguage(request.person, request.query);
  const contents = batch.map((tap) =>
    singleContent({ ...request, person: tap }, tap.askId === askId ? state : {}),
  );
  return {
    title: language.text('page.severalTitle', { tables: batch.length, ...dayValues(booking.date, language) }),
    status: Math.min(...contents.map(({ status }) => status)),
    body: html`${contents.map(
      ({ title, body }, at) =>
        html`<section class="card flow" id="ask-${batch[at]?.askId}">
          <h2>${title}</h2>
          ${body}
        </section>`,
    )}`,
  };
}

function question(request: PageRequest<Tap>, state: PageState): TapContent {
  const { deps, person: tap } = request;
  const { booking } = tap;
  const { held, answerBy, timezone } = booking;
  const language = tapLanguage(tap, request.query);
  const { text } = language;
  return {
    title: text(held === null ? 'page.askTitle' : 'page.changeTitle'),
    status: 200,
    body: html`${facts(language, booking, booking, request.now)}
      ${held !== null && html`<p>${sentenceAbout(held, language, 'page.guestHolds')}</p>`}
      ${answerForms(request, state)} ${tap.withdrawable && withdrawForm(request)}
      ${termList(language, booking)} ${recordLine(request.person, language)}
      <p class="soft">
        ${answerBy !== null && `${text('page.answerBy', momentValues(answerBy, timezone, language))} `}
        ${text('page.nothingCharged', { service: deps.config.serviceName })}
      </p>`,
  };
}

function ending(request: PageRequest<Tap>, state: PageState): TapContent {
  const { deps, person: tap } = request;
  const { booking, offer, withdrawable, undoUntil } = tap;
  const language = tapLanguage(tap, request.query);
  const { text } = language;
  // After the end, the page shows only the outcome and no guest data, which the venue no longer needs.
  const name = endingOf(tap);
  const waits = name === 'waiting';
  const showsTable = withdrawable || waits || undoUntil !== null;
  return {
    title: text(`outcome.${name}.title`),
    status: statusOf(name),
    body: html`<p class="lead">${leadOf(tap, name, language)}</p>
      ${showsTable && facts(language, offer ?? booking, booking, request.now)}
      ${waits && waitingForms(request, state)} ${showsTable && termList(language, booking)}
      ${undoUntil !== null && undoForm(request, undoUntil)} ${outcomeForms(request)}
      ${messageSection(request)} ${undoUntil === null && withdrawable && withdrawForm(request)}
      <p class="soft">
        ${text('page.help')} <a href="mailto:${deps.config.contactEmail}">${deps.config.contactEmail}</a>
      </p>`,
  };
}

function leadOf({ booking, optedOut }: Tap, name: EndingName, language: VenueLanguage): string {
  const { text } = language;
  const outcome = text(`outcome.${name}.text`);
  if (name !== 'changeDeclined' && name !== 'changeEnded') return outcome;
  const stays = sentenceAbout(booking, language, 'page.staysAsItWas');
  return [stays, outcome, ...(optedOut ? [text('page.neverAgain')] : [])].join(' ');
}

function facts(language: VenueLanguage, table: TableRequest, booking: Booking, now: Date): Html {
  const { text } = language;
  const near = nearDayWords(table.date, localDate(booking.timezone, now), language);
  const day = dayWords(table.date, language);
  return definitionList('table-facts', [
    [near === undefined ? day : `${day} (${near})`, timesWords(table, language), 'when'],
    [text('page.guests'), table.partySize],
    [text('page.name'), userText(booking.guestName)],
    [text('page.guestOf'), booking.askedBy && userText(booking.askedBy), 'whole'],
    [text('page.waitsUntil'), isWaiting(booking) && waitEndWords(booking, language), 'whole'],
    [text('page.note'), booking.notes && userText(booking.notes), 'note'],
  ]);
}

/** Outcomes of the partner's earlier tables, before the venue answers. */
function recordLine({ booking: { askedBy }, partnerRecord }: Tap, { text }: VenueLanguage): Html | false {
  if (askedBy === null || partnerRecord === null) return false;
  return html`<p class="soft">${text('page.partnerRecord', { partner: askedBy, ...partnerRecord })}</p>`;
}

/** The terms that the guest has read, in the venue's language. */
function termList(language: VenueLanguage, { terms }: Booking): Html | false {
  const sentences = termSentences(terms, language);
  if (sentences.length === 0) return false;
  return html`<h3>${language.text('terms.title')}</h3>
    <ul>
      ${sentences.map((sentence) => html`<li>${sentence}</li>`)}
    </ul>`;
}

const OWN_ANSWERS: readonly EndingName[] = [
  'booked',
  'changed',
  'changeDeclined',
  'offered',
  'declined',
  'waiting',
  'stopped',
];

/** Returns 200 when the outcome is the venue's own answer, 410 when the question ended without one. */
function statusOf(ending: EndingName): 200 | 410 {
  return OWN_ANSWERS.includes(ending) ? 200 : 410;
}
