import { z } from 'zod';
import { closeSession } from '../../../../accounts/sign-in/session.ts';
import { listUpcomingTables } from '../../../../bookings/answering/upcoming-tables.ts';
import { countOpenRequests } from '../../../../bookings/answering/venue-tables.ts';
import { AppError } from '../../../../core/errors.ts';
import { formatCount } from '../../../../core/text/format-count.ts';
import { html, safeHref, type Html } from '../../../../core/text/html.ts';
import { publishedNote } from '../../../../directory/place/shown-phones.ts';
import type { Place } from '../../../../directory/place/place.ts';
import { answerRepresentative } from '../../../../submissions/takedown/deny-operator.ts';
import { listEdits, undoEdit, type ListingPart, type VenueEdit } from '../../../../venue/edit-listing.ts';
import { latestMove, type PinMove } from '../../../../venue/move-pin.ts';
import { listRepresentatives, type Representative } from '../../../../venue/representative.ts';
import { actionForm } from '../../form/action-form.ts';
import { hiddenInput, pressedInput } from '../../form/fields.ts';
import { badge, userText } from '../../frame/components.ts';
import { definitionList } from '../../frame/definition-list.ts';
import { defineAction } from '../../person/action.ts';
import type { Notice, PageRequest } from '../../person/page-request.ts';
import { definePage } from '../../person/page.ts';
import { venue, type Venue } from '../../person/people.ts';
import { hoursWords } from '../../traveller/place/hours-words.ts';

const FIELDS: Readonly<Record<string, string>> = {
  name: 'Name',
  address: 'Address',
  phone: 'Telephone',
  email: 'Email',
  website: 'Website',
  about: 'Description',
  languages: 'Languages',
  price_range: 'Prices',
  hours: 'Hours',
};

const RELATIONSHIP_TEXT: Readonly<Record<Representative['relationship'], string>> = {
  owner: 'claims to be the owner of this place',
  authorized_agent: 'claims to manage this place with your permission',
};

/** The venue's answer about an operator that claims to act for it. */
const answerRepresentation = defineAction({
  name: 'answer_for_representative',
  path: '/venue/representative',
  who: venue,
  fields: { agent: hiddenInput(z.string()), answer: pressedInput(['yes', 'no']) },
  done: {
    acts_yes: 'What this operator submits now counts as your own information.',
    acts_no:
      'Everything that this operator submitted about your place is deleted, and the operator is informed.',
  },
  async run(act, { agent: agentId, answer }) {
    const decision = { placeId: act.person.place.id, agentId, answer };
    const outcome = await answerRepresentative(act.db, act, decision);
    if (outcome === 'not_found')
      throw new AppError(
        'not_found',
        'No such operator submitted anything about your place. Nothing was changed.',
        { hint: 'Go back and load the page again.' },
      );
    if (outcome === 'already') act.unchanged();
    return { done: `acts_${answer}` };
  },
});

/** Lists the operators that submitted claims as representatives of the venue, and asks whether each acts for it. */
function representativesSection(request: PageRequest<Venue>, list: readonly Representative[]): Html | false {
  if (list.length === 0) return false;
  const { contactEmail } = request.deps.config;
  return html`<section class="flow" aria-labelledby="representatives">
    <h2 id="representatives">Who acts in your name</h2>
    <p>
      Only you know whether they act for you. <strong>Yes:</strong> what they submitted, and what they submit
      later, counts as your own information, and we may use contacts that they gave to reach you.
      <strong>No:</strong>
      everything that they submitted is deleted from your listing, and they are informed. Until you answer, it
      is marked as submitted by an agent, and fills only fields that nobody else has published. You can change
      your answer at any time.
    </p>
    <ul class="columns">
      ${list.map((one) => representativeCard(request, one))}
    </ul>
    <p class="hint">
      Is something wrong that you cannot change here? Write to
      <a href="mailto:${contactEmail}">${contactEmail}</a>.
    </p>
  </section>`;
}

function representativeCard(request: PageRequest<Venue>, one: Representative): Html {
  const { operatorName, agentName, relationship, since, said: claims } = one;
  const day = new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'medium',
    timeZone: request.person.destination.timezone,
  });
  return html`<li class="card flow">
    <h3><bdi>${operatorName}</bdi> ${RELATIONSHIP_TEXT[relationship]}</h3>
    ${
      claims.length === 0
        ? html`<p class="soft">Your listing contains nothing from this operator.</p>`
        : definitionList(
            'details',
            claims.map(({ field, value }) => [FIELDS[field] ?? field, userText(value)]),
          )
    }
    <p class="soft">Submitted by the agent <bdi>${agentName}</bdi>, first on ${day.format(since)}.</p>
    ${answerForm(request, one)}
  </li>`;
}

function answerForm(
  req: PageRequest<Venue>,
  { agentId, operatorName, answer }: Representative,
): Html | false {
  const button = (value: 'yes' | 'no', label: string, kind: string) =>
    html`<button class="button ${kind}" type="submit" name="answer" value="${value}">
      ${label}<span class="unseen">: ${operatorName}</span>
    </button>`;
  const buttons = html`${answer === 'yes' && badge('good', 'You said yes')}
  ${answer === 'no' && badge('', 'You said no')}
  ${answer === null && button('yes', 'Yes, it acts for us', '')}
  ${answer === null && button('no', 'No, it does not', 'danger')}
  ${answer === 'yes' && button('no', 'Change: it does not act for us', 'plain')}
  ${answer === 'no' && button('yes', 'Change: it acts for us', 'plain')}`;
  return actionForm(req, answerRepresentation, {}, { values: { agent: agentId }, buttons });
}

const EDITS_SHOWN = 10;
const TABLES_COUNTED = 100;

const PARTS: Readonly<Record<ListingPart, string>> = {
  hours: 'Hours',
  menu: 'Menu',
  about: 'Description',
  booking: 'Booking',
  photo: 'Photo',
  contacts: 'Contacts',
  position: 'Position',
};

const BOOKING_METHODS: Readonly<Record<string, string>> = {
  request: 'Guests may ask for a table through us; you confirm each request.',
  venue_system: 'Guests are sent to your own booking page.',
  phone: 'Guests are given your telephone number.',
  not_through: 'We do not send you bookings.',
};

const undo = defineAction({
  name: 'undo_edit',
  path: '/venue/undo',
  who: venue,
  fields: { edit: hiddenInput(z.string()) },
  button: 'Undo',
  done: { undo: 'The change was undone.' },
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
  button: 'Sign out',
  async run(act) {
    act.setCookie(await closeSession(act, 'venue', act.request));
    act.audit(act.person.place.id);
    return { to: '/venue' };
  },
});

/** The venue's overview of its listing: current values, missing ones and recent changes. */
export const venueOverviewPage = definePage({
  path: '/venue',
  follows: ({ person }) => [person.place.id],
  who: venue,
  async load({ deps: { pool }, person: { place }, now }) {
    const [edits, representatives, tables, requests, move] = await Promise.all([
      listEdits(pool, place.id, EDITS_SHOWN),
      listRepresentatives(pool, place.id),
      listUpcomingTables(pool, { placeId: place.id }, { now, limit: TABLES_COUNTED }),
      countOpenRequests(pool, place.id, now),
      latestMove(pool, place.id),
    ]);
    return { edits, representatives, tables: tables.length, requests, move };
  },
  view(req, { edits, representatives, tables, requests, move }, { notice }) {
    const { place, destination } = req.person;
    const hasUnanswered = representatives.some(({ answer }) => answer === null);
    const representativesCard = representativesSection(req, representatives);
    return {
      title: place.name,
      lead: html`<span class="badge sign">Claimed</span> What you set here is shown to travellers and agents
        at once. <a href="/p/${place.id}">See your page</a>`,
      notice: notice ?? editNotice(req, edits),
      body: html`${hasUnanswered && representativesCard} ${tablesLine(requests, tables)}
        <ul class="columns parts">
          ${partCards(place, move)}
        </ul>
        ${!hasUnanswered && representativesCard}
        <section class="flow" aria-labelledby="edits">
          <h2 id="edits">Your last changes</h2>
          ${edits.length === 0 ? EMPTY : editList(req, edits, destination.timezone)}
        </section>
        ${actionForm(req, signOut, {})}`,
    };
  },
  actions: [undo, answerRepresentation, signOut],
  notices: { claim: 'You now manage this listing. It shows the Claimed badge.' },
});

/** Summarizes open requests and confirmed tables. It comes first because guests depend on it. */
function tablesLine(requests: number, promised: number): Html {
  const tables = promised === 1 ? 'one confirmed table' : `${promised} confirmed tables`;
  const coming = promised === TABLES_COUNTED ? `${promised} or more confirmed tables` : tables;
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
      ${promised === 0 ? 'No confirmed tables are ahead.' : html`You have <a href="/venue/tables">${coming}</a> ahead.`}
    </p>`;
}

/** Confirms a saved part, with a button to undo it; or explains why a change cannot be undone. */
function editNotice(req: PageRequest<Venue>, edits: readonly VenueEdit[]): Notice | undefined {
  const done = req.query.get('done') ?? '';
  if (done === 'late')
    return {
      kind: 'bad',
      text: 'This change cannot be undone. It was already undone, or a later change depends on it.',
    };
  if (!Object.hasOwn(PARTS, done)) return undefined;
  const edit = edits.find(({ part, undoable }) => part === done && undoable);
  return {
    kind: 'good',
    text: html`<p>${PARTS[done as ListingPart]}: saved. Travellers and agents see it now.</p>
      ${edit !== undefined && undoForm(req, edit)}`,
  };
}

function undoForm(req: PageRequest<Venue>, { id, part }: VenueEdit): Html | false {
  const buttonLabel = `Undo the change of ${PARTS[part]}`;
  return actionForm(req, undo, {}, { values: { edit: id }, buttonLabel });
}

const NO_CONTACTS = 'Guests see no telephone number, email address or website.';

function contactLine({ phone, email, website, facts: { phone_as_published: written } }: Place): string {
  const published = written === undefined ? null : `${written} (${publishedNote(written)})`;
  const contacts = [phone, published, email, website].filter((contact) => contact !== null);
  return contacts.length === 0 ? NO_CONTACTS : contacts.join(', ');
}

function positionWords({ address, city }: Place, move: PinMove | undefined): Html {
  const at = [address, city].filter((part) => part !== null).join(', ');
  return html`${at === '' ? 'Your pin is on the map.' : html`Your pin is on the map: ${at}.`}
  ${move?.state === 'waiting' && ' We are checking the new position.'}
  ${move?.state === 'rejected' && ' Your last move was not accepted.'}`;
}

function partCards(place: Place, move: PinMove | undefined): Html[] {
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
    [
      'position',
      place.lat === null ? 'No position yet. Guests cannot find you on a map.' : positionWords(place, move),
      place.lat === null,
    ],
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

function editList(req: PageRequest<Venue>, edits: readonly VenueEdit[], timezone: string): Html {
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
          ${edit.undone ? badge('', 'Undone') : edit.undoable && undoForm(req, edit)}
        </li>`,
    )}
  </ul>`;
}
