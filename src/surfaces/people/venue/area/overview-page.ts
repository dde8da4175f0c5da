import type { FastifyReply } from 'fastify';
import type { Place } from '../../../../directory/place/place.ts';
import { listUpcomingTables } from '../../../../bookings/answering/upcoming-tables.ts';
import { countOpenRequests } from '../../../../bookings/answering/venue-tables.ts';
import { html, safeHref, type Html } from '../../../../core/text/html.ts';
import { listEdits, type ListingPart, type VenueEdit } from '../../../../venue/edit-listing.ts';
import { listRepresentatives } from '../../../../venue/representative.ts';
import { csrfField } from '../../form/csrf.ts';
import { sendFrame } from '../../frame/frame.ts';
import { formatCount } from '../../../../core/text/format-count.ts';
import type { Notice, PageRequest } from '../../person/page-request.ts';
import type { Venue } from '../../person/people.ts';
import { hoursWords } from '../../traveller/place/hours-words.ts';
import { ANSWER_NOTICES, representativesSection } from './representatives-section.ts';

const EDITS_SHOWN = 10;
const TABLES_COUNTED = 100;

const PARTS: Readonly<Record<ListingPart, string>> = {
  hours: 'Hours',
  menu: 'Menu',
  about: 'Description',
  booking: 'Booking',
  photo: 'Photo',
  contacts: 'Contacts',
};

const BOOKING_METHODS: Readonly<Record<string, string>> = {
  request: 'Guests may ask for a table through us; you confirm each request.',
  venue_system: 'Guests are sent to your own booking page.',
  phone: 'Guests are given your telephone number.',
  not_through: 'We do not send you bookings.',
};

/** Sends the venue's overview of its listing: current values, missing ones and recent changes. */
export async function sendOverviewPage(page: PageRequest<Venue>): Promise<FastifyReply> {
  const { deps, request, reply } = page;
  const { place, destination } = page.person;
  const [edits, representatives, tables, requests] = await Promise.all([
    listEdits(deps.pool, place.id, EDITS_SHOWN),
    listRepresentatives(deps.pool, place.id),
    listUpcomingTables(deps.pool, { placeId: place.id }, { now: page.now, limit: TABLES_COUNTED }),
    countOpenRequests(deps.pool, place.id, page.now),
  ]);
  const hasUnanswered = representatives.some(({ answer }) => answer === null);
  const representativesCard = representativesSection(page, representatives);
  const token = () => csrfField(deps, request, reply);
  return sendFrame(page, 'venue', {
    title: place.name,
    lead: html`<span class="badge sign">Claimed</span> What you set here is shown to travellers and agents at
      once. <a href="/p/${place.id}">See your page</a>`,
    current: '/venue',
    notice: noticeOf(page.query.get('done') ?? '', edits, token),
    body: html`${hasUnanswered && representativesCard} ${tablesLine(requests, tables.length)}
      <ul class="columns parts">
        ${partCards(place)}
      </ul>
      ${!hasUnanswered && representativesCard}
      <section class="flow" aria-labelledby="edits">
        <h2 id="edits">Your last changes</h2>
        ${edits.length === 0 ? EMPTY : editList(edits, destination.timezone, token)}
      </section>
      <form method="post" action="/venue/sign-out">
        ${token()}<button class="button plain" type="submit">Sign out</button>
      </form>`,
  });
}

/** Summarizes open requests and confirmed tables. It comes first because guests depend on it. */
function tablesLine(requests: number, promised: number): Html {
  const tables = promised === 1 ? 'one coming table' : `${promised} coming tables`;
  const coming = promised === TABLES_COUNTED ? `${promised} or more coming tables` : tables;
  return html`${
      requests > 0 &&
      html`<p class="notice warn">
        <a href="/venue/tables"
          >${requests === 1 ? 'One request for a table is waiting' : `${requests} requests for tables are waiting`}
          for your answer</a
        >
      </p>`
    }
    <p>
      ${promised === 0 ? 'You have no upcoming confirmed tables.' : html`You have confirmed <a href="/venue/tables">${coming}</a>.`}
    </p>`;
}

function noticeOf(done: string, edits: readonly VenueEdit[], token: () => Html): Notice | undefined {
  if (done === 'claim')
    return { kind: 'good', text: 'You now manage this listing. It shows the Claimed badge.' };
  const answered = Object.hasOwn(ANSWER_NOTICES, done) ? ANSWER_NOTICES[done] : undefined;
  if (answered !== undefined) return answered;
  if (done === 'undo') return { kind: 'good', text: 'The change was undone.' };
  if (done === 'late')
    return {
      kind: 'bad',
      text: 'This change cannot be undone. It was already undone, or a later change depends on it.',
    };
  const edit = edits.find(({ part, undoable }) => part === done && undoable);
  if (!Object.hasOwn(PARTS, done)) return undefined;
  return {
    kind: 'good',
    text: html`<p>${PARTS[done as ListingPart]}: saved. Travellers and agents see it now.</p>
      ${edit !== undefined && undoForm(edit, token)}`,
  };
}

function undoForm({ id, part }: VenueEdit, token: () => Html): Html {
  return html`<form method="post" action="/venue/undo">
    ${token()}<input type="hidden" name="edit" value="${id}" />
    <button class="button plain" type="submit">
      Undo<span class="unseen"> the change of ${PARTS[part]}</span>
    </button>
  </form>`;
}

const NO_CONTACTS = 'Guests see no telephone number, email address or website.';

function contactLine({ phone, email, website }: Place): string {
  const contacts = [phone, email, website].filter((contact) => contact !== null);
  return contacts.length === 0 ? NO_CONTACTS : contacts.join(', ');
}

function partCards(place: Place): Html[] {
  const hours = place.hours?.text ?? null;
  const dishes = place.menu?.sections.reduce((sum, { items }) => sum + items.length, 0) ?? 0;
  const sections = place.menu?.sections.length ?? 0;
  const cards: [part: ListingPart, what: string | Html, empty: boolean][] = [
    [
      'hours',
      hours === null ? 'No hours yet. Guests are asked to check before they go.' : hoursWords(hours),
      hours === null,
    ],
    [
      'menu',
      dishes === 0
        ? 'No menu yet.'
        : `${formatCount(dishes, 'entry', 'entries')} in ${formatCount(sections, 'section')}.`,
      dishes === 0,
    ],
    [
      'about',
      place.about ?? 'No description yet: two sentences help a guest to choose.',
      place.about === null,
    ],
    ['contacts', contactLine(place), contactLine(place) === NO_CONTACTS],
    ['booking', BOOKING_METHODS[place.booking_method] ?? '', !place.chosen_by_venue],
    [
      'photo',
      place.listing_photo === null
        ? 'No photo yet.'
        : html`<img
            class="thumbnail"
            src="${safeHref(`/photos/listing/${place.listing_photo}`)}"
            alt="Your photo"
            loading="lazy"
          />`,
      place.listing_photo === null,
    ],
  ];
  return cards.map(
    ([part, what, empty]) =>
      html`<li class="card flow">
        <h2>${PARTS[part]}</h2>
        <div class="what ${empty && 'soft'}"><bdi>${what}</bdi></div>
        <p>
          <a class="button plain" href="/venue/${part}"
            >${empty ? 'Set' : 'Change'} ${PARTS[part].toLowerCase()}</a
          >
        </p>
      </li>`,
  );
}

const EMPTY = html`<p class="empty">
  There are no changes yet. Your changes appear here for a while, so that you can undo them.
</p>`;

function editList(edits: readonly VenueEdit[], timezone: string, token: () => Html): Html {
  const when = new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: timezone,
  });
  return html`<ul class="edits">
    ${edits.map(
      (edit) =>
        html`<li>
          <span>${PARTS[edit.part]}, ${when.format(edit.edited_at)} local time</span>
          ${edit.undone ? html`<span class="badge">Undone</span>` : edit.undoable && undoForm(edit, token)}
        </li>`,
    )}
  </ul>`;
}
