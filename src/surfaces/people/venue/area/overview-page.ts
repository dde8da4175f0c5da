import { z } from 'zod';
import { closeSession } from '../../../../accounts/sign-in/session.ts';
import { listUpcomingTables } from '../../../../bookings/answering/upcoming-tables.ts';
import { listVenueTables } from '../../../../bookings/answering/venue-tables.ts';
import { localDate } from '../../../../bookings/booking-range.ts';
import type { Booking } from '../../../../bookings/booking.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import { listEdits, undoEdit, type ListingPart, type VenueEdit } from '../../../../venue/edit-listing.ts';
import { latestMove } from '../../../../venue/move-pin.ts';
import { listRepresentatives } from '../../../../venue/representative.ts';
import { listRules, setRule, type VenueRule } from '../../../../venue/venue-rules.ts';
import { actionForm } from '../../form/action-form.ts';
import { hiddenInput, pressedInput } from '../../form/fields.ts';
import { badge, valueButton } from '../../frame/components.ts';
import { findThumbnails } from '../../traveller/place-picture.ts';
import { defineAction } from '../../person/action.ts';
import type { Notice, PageRequest } from '../../person/page-request.ts';
import { definePage } from '../../person/page.ts';
import { venue, type Venue } from '../../person/people.ts';
import { areaLanguage, areaNotice, type AreaKey, type AreaLanguage } from '../language/area-language.ts';
import { listingSummary } from './listing-summary.ts';
import { answerRepresentation, representativesSection } from './representatives-section.ts';
import { requestList, tableActions, tableCard, tableLine, tableMessages } from './table-cards.ts';
import { venueFrame } from './venue-menu.ts';

const EDITS_SHOWN = 10;
const TABLES_MAX = 100;

const tables = tableActions('/venue/today');

const stopToday = defineAction({
  name: 'set_venue_rule',
  path: '/venue/today/days',
  who: venue,
  fields: { kind: pressedInput(['full', 'closed']) },
  async run(act, { kind }) {
    const { place } = act.person;
    const today = todayOf(act);
    await setRule(act.db, act.now, today, { placeId: place.id, kind, fromDate: today, untilDate: today });
    act.audit(place.id, { rule: kind });
    return { done: 'today' };
  },
});

const undo = defineAction({
  name: 'undo_edit',
  path: '/venue/undo',
  who: venue,
  fields: { edit: hiddenInput(z.string()) },
  async run(act, { edit: editId }) {
    const undone = await undoEdit(act.db, act, { placeId: act.person.place.id, editId });
    if (undone !== undefined) return { done: 'undo' };
    act.unchanged();
    return { done: 'late' };
  },
});

const signOut = defineAction({
  name: 'venue_sign_out',
  path: '/venue/sign-out',
  who: venue,
  async run(act) {
    act.setCookie(await closeSession(act, 'venue', act.request));
    act.audit(act.person.place.id);
    return { to: '/venue' };
  },
});

function todayOf({ person: { destination }, now }: Pick<PageRequest<Venue>, 'person' | 'now'>): string {
  return localDate(destination.timezone, now);
}

/** The venue's home: requests to answer, the tables of today, then its listing next to how guests see it. */
export const venueOverviewPage = definePage({
  path: '/venue',
  follows: ({ person }) => [person.place.id],
  who: venue,
  async load({ deps: { pool }, person, now }) {
    const { id } = person.place;
    const [edits, representatives, requests, upcoming, move, rules, thumbnails] = await Promise.all([
      listEdits(pool, id, EDITS_SHOWN),
      listRepresentatives(pool, id),
      listVenueTables(pool, id, { now, overMax: 0 }),
      listUpcomingTables(pool, { placeId: id }, { now, limit: TABLES_MAX }),
      latestMove(pool, id),
      listRules(pool, id, todayOf({ person, now })),
      findThumbnails(pool, [{ ...person.place, place_id: id }]),
    ]);
    return { edits, representatives, requests, upcoming, rules, summary: { move, thumbnails } };
  },
  view(req, { edits, representatives, requests, upcoming, rules, summary }, state) {
    const { place, destination } = req.person;
    const language = areaLanguage(req);
    const { area } = language;
    const hasUnanswered = representatives.some(({ answer }) => answer === null);
    const representativesCard = representativesSection(req, representatives);
    const bookings = upcoming.map(({ booking }) => booking);
    return {
      language: venueFrame(req, '/venue'),
      title: place.name,
      lead: html`<span class="badge sign">${area('home.claimed')}</span> ${area('home.lead')}
        <a href="/p/${place.id}">${area('home.see')}</a>`,
      notice: areaNotice(req, state, messages(language)) ?? editNotice(req, edits, language),
      body: html`<section class="flow" aria-labelledby="requests">
          <h2 id="requests">${area('requests.title')}</h2>
          ${requestList(req, tables, requests, state)}
        </section>
        ${todaySection(req, { bookings, rules }, language)} ${hasUnanswered && representativesCard}
        ${listingSummary(req, summary)} ${!hasUnanswered && representativesCard}
        <section class="flow" aria-labelledby="edits">
          <h2 id="edits">${area('edits.title')}</h2>
          ${
            edits.length === 0
              ? html`<p class="empty">${area('edits.none')}</p>`
              : editList(req, edits, destination.timezone, language)
          }
        </section>
        ${actionForm(req, signOut, {}, { button: area('signOut') })}`,
    };
  },
  actions: [...Object.values(tables), stopToday, undo, answerRepresentation, signOut],
});

function messages(language: AreaLanguage): Readonly<Record<string, string>> {
  const { area } = language;
  return {
    ...tableMessages(language),
    today: area('done.today'),
    claim: area('done.claim'),
    undo: area('done.undo'),
    acts_yes: area('done.actsYes'),
    acts_no: area('done.actsNo'),
  };
}

interface Coming {
  bookings: readonly Booking[];
  rules: readonly VenueRule[];
}

/** Shows the tables of today by hour, and buttons to take no more of them. */
function todaySection(req: PageRequest<Venue>, { bookings, rules }: Coming, language: AreaLanguage): Html {
  const { area } = language;
  const today = todayOf(req);
  const current = bookings.map((booking) => booking.held ?? booking);
  const ofToday = bookings.filter((_, at) => current[at]?.date === today);
  const next = current.find(({ date }) => date > today);
  return html`<section class="flow" aria-labelledby="today">
    <h2 id="today">${area('today.title')}</h2>
    ${
      ofToday.length === 0
        ? html`<p class="empty">${area('today.none')}</p>`
        : html`<ul class="columns">
            ${ofToday.map((booking) => tableCard(req, tables, booking))}
          </ul>`
    }
    ${next !== undefined && html`<p>${area('today.next', { table: tableLine(next, language) })}</p>`}
    ${todayRule(req, rules, language)}
    <p><a href="/venue/tables">${area('nav.tables')}</a></p>
  </section>`;
}

function todayRule(
  req: PageRequest<Venue>,
  rules: readonly VenueRule[],
  { area }: AreaLanguage,
): Html | false {
  const today = todayOf(req);
  const rule = rules.find(
    ({ kind, fromDate }) => (kind === 'closed' || kind === 'full') && fromDate !== null && fromDate <= today,
  );
  if (rule !== undefined)
    return html`<p>
      ${badge('warn', area(rule.kind === 'closed' ? 'today.isClosed' : 'today.isFull'))}
      <a href="/venue/rules">${area('part.rules')}</a>
    </p>`;
  const buttons = html`${valueButton('kind', 'full', area('today.full'), 'plain')}
  ${valueButton('kind', 'closed', area('today.closed'), 'plain')}`;
  return actionForm(req, stopToday, {}, { buttons });
}

/** Confirms a saved part, with a button to undo it; or explains why a change cannot be undone. */
function editNotice(
  req: PageRequest<Venue>,
  edits: readonly VenueEdit[],
  language: AreaLanguage,
): Notice | undefined {
  const { area } = language;
  const done = req.query.get('done') ?? '';
  if (done === 'late') return { kind: 'bad', text: area('done.late') };
  if (!isPart(done)) return undefined;
  const edit = edits.find(({ part, undoable }) => part === done && undoable);
  return {
    kind: 'good',
    text: html`<p>${area('done.saved', { part: partName(done, language) })}</p>
      ${edit !== undefined && undoForm(req, edit, language)}`,
  };
}

const PARTS: Readonly<Record<ListingPart, AreaKey>> = {
  hours: 'part.hours',
  menu: 'part.menu',
  about: 'part.about',
  booking: 'part.booking',
  photo: 'part.photo',
  contacts: 'part.contacts',
  position: 'part.position',
};

function isPart(name: string): name is ListingPart {
  return Object.hasOwn(PARTS, name);
}

function partName(part: ListingPart, { area }: AreaLanguage): string {
  return area(PARTS[part]);
}

function undoForm(req: PageRequest<Venue>, { id, part }: VenueEdit, language: AreaLanguage): Html | false {
  const { area } = language;
  const buttonLabel = area('edits.undo', { part: partName(part, language) });
  return actionForm(req, undo, {}, { values: { edit: id }, button: area('undo'), buttonLabel });
}

function editList(
  req: PageRequest<Venue>,
  edits: readonly VenueEdit[],
  timeZone: string,
  language: AreaLanguage,
): Html {
  const { area, locale } = language;
  // Every clock of the area has 24 hours.
  const when = new Intl.DateTimeFormat(locale, {
    ...{ dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23', timeZone },
  });
  return html`<ul class="edits">
    ${edits.map(
      (edit) =>
        html`<li>
          <span
            >${area('edits.entry', { part: partName(edit.part, language), when: when.format(edit.edited_at) })}</span
          >
          ${edit.undone ? badge('', area('edits.undone')) : edit.undoable && undoForm(req, edit, language)}
        </li>`,
    )}
  </ul>`;
}
