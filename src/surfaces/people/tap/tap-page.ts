import type { FastifyReply } from 'fastify';
import type { Tap } from '../../../bookings/answering/find-tap.ts';
import type { TableRequest } from '../../../bookings/booking.ts';
import type { VenueLanguage } from '../../../bookings/language/venue-language.ts';
import type { EndingName } from '../../../bookings/language/words.ts';
import { dayWords, momentWords, sentenceAbout, timeWords } from '../../../bookings/table-words.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { definitionList } from '../frame/definition-list.ts';
import { page } from '../frame/layout.ts';
import { sendPage } from '../frame/send-page.ts';
import { siteOf } from '../frame/site.ts';
import type { PageRequest, PageState } from '../person/page-request.ts';
import { answerForms, undoForm, withdrawForm } from './tap-forms.ts';
import { languageLink, tapLanguage } from './tap-language.ts';
import { outcomeOf, statusOf } from './tap-outcome.ts';

/** Sends the page behind the link in a message: the question with its answers, or its outcome. */
export function sendTapPage(request: PageRequest<Tap>, state: PageState = {}): Promise<FastifyReply> {
  const { deps, reply, person: tap, query, params } = request;
  const { words, code } = tapLanguage(tap, query);
  const { title, body, status } =
    tap.batch.length > 1 ? groupContent(request, state) : singleContent(request, state);
  reply.code(state.status ?? status);
  const markup = page({
    site: siteOf(deps),
    lang: code,
    skip: words.skip,
    title,
    description: words.nothingCharged(deps.config.serviceName),
    indexed: false,
    nav: [],
    styles: ['tap.css'],
    body: html`<div class="wrap page tap">
      <header>
        ${languageLink(tap, query, `/v/${params['token'] ?? ''}`)}
        <p class="soft"><bdi>${tap.placeName ?? words.yourVenue}</bdi></p>
        <h1>${title}</h1>
      </header>
      ${state.notice !== undefined && html`<div class="notice bad" role="alert"><p>${state.notice.text}</p></div>`}
      ${body}
    </div>`,
  });
  return sendPage(reply, markup);
}

interface TapContent {
  title: string;
  body: Html;
  status: number;
}

function singleContent(request: PageRequest<Tap>, state: PageState): TapContent {
  return request.person.open ? question(request, state) : ending(request);
}

/** Shows several tables of one evening, each with its own answer. */
function groupContent(request: PageRequest<Tap>, state: PageState): TapContent {
  const { batch, askId, booking } = request.person;
  const language = tapLanguage(request.person, request.query);
  const contents = batch.map((tap) =>
    singleContent({ ...request, person: tap }, tap.askId === askId ? state : {}),
  );
  return {
    title: language.words.severalTitle(batch.length, dayWords(booking.date, language)),
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
  const { words } = language;
  return {
    title: held === null ? words.askTitle : words.changeTitle,
    status: 200,
    body: html`${facts(language, booking, booking)}
      ${held !== null && html`<p>${sentenceAbout(held, language, words.guestHolds)}</p>`}
      ${answerForms(request, state)} ${tap.withdrawable && withdrawForm(request)}
      <p class="soft">
        ${answerBy !== null && `${words.answerBy(...momentWords(answerBy, timezone, language))} `}
        ${words.nothingCharged(deps.config.serviceName)}
      </p>`,
  };
}

function ending(request: PageRequest<Tap>): TapContent {
  const { deps, person: tap } = request;
  const { booking, offer, withdrawable, undoUntil } = tap;
  const language = tapLanguage(tap, request.query);
  const { endings, help } = language.words;
  // After the end, the page shows only the outcome and no guest data, which the venue no longer needs.
  const showsTable = withdrawable || undoUntil !== null;
  const name = outcomeOf(tap);
  return {
    title: endings[name].title,
    status: statusOf(name),
    body: html`<p class="lead">${leadOf(tap, name, language)}</p>
      ${showsTable && facts(language, offer ?? booking, booking)}
      ${undoUntil !== null && undoForm(request, undoUntil)}
      ${undoUntil === null && withdrawable && withdrawForm(request)}
      <p class="soft">
        ${help} <a href="mailto:${deps.config.contactEmail}">${deps.config.contactEmail}</a>
      </p>`,
  };
}

function leadOf({ booking, optedOut }: Tap, name: EndingName, language: VenueLanguage): string {
  const { endings, staysAsItWas, neverAgain } = language.words;
  if (name !== 'changeDeclined' && name !== 'changeEnded') return endings[name].words;
  const stays = sentenceAbout(booking, language, staysAsItWas);
  return [stays, endings[name].words, ...(optedOut ? [neverAgain] : [])].join(' ');
}

function facts(
  language: VenueLanguage,
  table: TableRequest,
  { guestName, notes }: { guestName: string; notes: string | null },
): Html {
  const { words } = language;
  return definitionList('table-facts', [
    [dayWords(table.date, language), timeWords(table.time, language), 'when'],
    [words.guests, table.partySize],
    [words.name, html`<bdi>${guestName}</bdi>`],
    [words.note, notes && html`<bdi>${notes}</bdi>`, 'note'],
  ]);
}
