import type { FastifyReply } from 'fastify';
import type { Tap } from '../../../bookings/answering/find-tap.ts';
import type { Table } from '../../../bookings/booking.ts';
import { dayWords, tableWords } from '../../../bookings/table-words.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { definitionList } from '../frame/definition-list.ts';
import { page } from '../frame/layout.ts';
import { sendPage } from '../frame/send-page.ts';
import { siteOf } from '../frame/site.ts';
import type { PageRequest, PageState } from '../person/page-request.ts';
import { answerForms, undoForm, withdrawForm } from './tap-forms.ts';
import { outcomeOf } from './tap-outcome.ts';

/** The page behind the link in a message: the question with its answers, or how it ended. */
export function sendTapPage(request: PageRequest<Tap>, state: PageState = {}): Promise<FastifyReply> {
  const { deps, reply, person: tap } = request;
  const { title, body, status } = tap.together.length > 1 ? several(request, state) : one(request, state);
  reply.code(state.status ?? status);
  const markup = page({
    site: siteOf(deps),
    title,
    description: 'A question to a venue about one table.',
    indexed: false,
    nav: [],
    styles: ['tap.css'],
    body: html`<div class="wrap page tap">
      <header>
        <p class="soft"><bdi>${tap.placeName}</bdi></p>
        <h1>${title}</h1>
      </header>
      ${state.notice !== undefined && html`<div class="notice bad" role="alert"><p>${state.notice.text}</p></div>`}
      ${body}
    </div>`,
  });
  return sendPage(reply, markup);
}

interface Shown {
  title: string;
  body: Html;
  status: number;
}

function one(request: PageRequest<Tap>, state: PageState): Shown {
  return request.person.open ? question(request, state) : ending(request);
}

/** Several tables of one evening, each with its own answer. */
function several(request: PageRequest<Tap>, state: PageState): Shown {
  const { together, askId, booking } = request.person;
  const shown = together.map((tap) => one({ ...request, person: tap }, tap.askId === askId ? state : {}));
  return {
    title: `${together.length} tables on ${dayWords(booking.date)}`,
    status: Math.min(...shown.map(({ status }) => status)),
    body: html`${shown.map(
      ({ title, body }, at) =>
        html`<section class="card flow" id="ask-${together[at]?.askId}">
          <h2>${title}</h2>
          ${body}
        </section>`,
    )}`,
  };
}

function question(request: PageRequest<Tap>, state: PageState): Shown {
  const { deps, person: tap } = request;
  const { booking } = tap;
  const { held, answerBy, timezone } = booking;
  return {
    title: held === null ? 'Do you have this table?' : 'Could you change this table?',
    status: 200,
    body: html`${facts(booking, booking)}
      ${
        held !== null &&
        html`<p>The guest has ${tableWords(held)} with you. If you say no, that table stays as it is.</p>`
      }
      ${answerForms(request, state)} ${tap.stands && withdrawForm(request)}
      <p class="soft">
        ${answerBy !== null && html`Please answer by ${clockWords(answerBy, timezone)}, your time. `}
        ${deps.config.serviceName} asks for a guest: nobody is charged, and no card is taken.
      </p>`,
  };
}

function ending(request: PageRequest<Tap>): Shown {
  const { deps, person: tap } = request;
  const { booking, offer, stands, undoUntil } = tap;
  // What is over is no longer the venue's business: the page says how it ended, and nothing of the guest.
  const shown = stands || undoUntil !== null;
  const { words, ...outcome } = outcomeOf(tap);
  return {
    ...outcome,
    body: html`<p class="lead">${words}</p>
      ${shown && facts(offer ?? booking, booking)} ${undoUntil !== null && undoForm(request, undoUntil)}
      ${undoUntil === null && stands && withdrawForm(request)}
      <p class="soft">
        Something is wrong, or has changed? Write to
        <a href="mailto:${deps.config.contactEmail}">${deps.config.contactEmail}</a> and a person looks at it.
      </p>`,
  };
}

function facts(table: Table, { guestName, notes }: { guestName: string; notes: string | null }): Html {
  return definitionList('table-facts', [
    [dayWords(table.date), table.time, 'when'],
    ['Guests', table.partySize],
    ['Name', html`<bdi>${guestName}</bdi>`],
    ['Note', notes && html`<bdi>${notes}</bdi>`, 'note'],
  ]);
}

function clockWords(at: Date, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    weekday: 'long',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
  });
  return format.format(at).replace(',', '');
}
