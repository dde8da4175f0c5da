import { z } from 'zod';
import { findContact } from '../../../core/text/contact/contact-data.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { line } from '../../../core/text/text.ts';
import { listMemberTables, type MemberTable } from '../../../members/list-tables.ts';
import { DISPLAY_NAME_MAX, setDisplayName, type Member } from '../../../members/member.ts';
import { rateTable, STARS_MAX } from '../../../members/place-rating.ts';
import { actionForm } from '../form/action-form.ts';
import { illustrationUrl } from '../traveller/place-picture.ts';
import { hiddenInput, textInput, type FormField } from '../form/fields.ts';
import { definitionList } from '../frame/definition-list.ts';
import { defineAction, refuse, type Action } from '../person/action.ts';
import { anybody } from '../person/audience.ts';
import { definePage } from '../person/page.ts';
import type { PageRequest, PageState } from '../person/page-request.ts';
import { member } from '../person/people.ts';
import { signOutAction } from '../person/sign-out.ts';
import { acceptOwnOffer, cancelOwnTable, changeOwnTable } from './own-table.ts';
import { tableForms, tableMap, tableState, tableWhen } from './table-card.ts';
import { tableTimeline } from './table-timeline.ts';

/** The member's name. Venues see it, so it must not contain contact data. */
export function displayNameInput(look: { autofocus?: true } = {}) {
  const schema = line(1, DISPLAY_NAME_MAX).superRefine((name, check) => {
    const contact = findContact(name);
    if (contact !== undefined)
      check.addIssue({ code: 'custom', message: `contains ${contact}. Venues receive only a name` });
  });
  return textInput(schema, {
    label: 'Name',
    hint: 'As a venue should write it in its reservation book, such as Ana P. No telephone number and no address.',
    autocomplete: 'name',
    maxlength: DISPLAY_NAME_MAX,
    required: true,
    ...look,
  });
}

const rename = defineAction({
  name: 'set_display_name',
  path: '/member/name',
  who: member,
  title: 'Your name',
  fields: { display_name: displayNameInput() },
  button: 'Save the name',
  plain: true,
  done: 'Your name is saved. Venues see it from now on.',
  async run(act, { display_name }) {
    await setDisplayName(act.db, act.person.id, display_name);
    act.audit(act.person.id);
    return { done: true };
  },
});

/** Plain radio buttons, which work by touch, by keyboard and without JavaScript. The hint names the place. */
const starsInput: FormField<z.ZodType<number>> = {
  schema: z
    .string()
    .regex(/^[1-5]$/)
    .transform(Number),
  error: `Choose 1 to ${STARS_MAX} stars. Nothing was changed.`,
  render: ({ name, label, hint, value: stars, fault }) =>
    html`<fieldset class="stars">
      <legend>${label}<span class="unseen"> (${hint})</span></legend>
      ${fault !== undefined && html`<p class="fault">${fault}</p>`}
      ${Array.from({ length: STARS_MAX }, (_, i) => String(i + 1)).map(
        (value) =>
          html`<label
            ><input
              type="radio"
              name="${name}"
              value="${value}"
              required
              ${value === stars && html` checked`}
            />
            <span
              >${value}<span aria-hidden="true"> ★</span
              ><span class="unseen"> of ${STARS_MAX} stars</span></span
            ></label
          >`,
      )}
    </fieldset>`,
};

const rate = defineAction({
  name: 'rate_table',
  path: '/member/rate',
  who: member,
  fields: { booking_id: hiddenInput(z.string()), stars: starsInput },
  done: 'Thank you. Your rating counts; nobody sees that it is yours.',
  async run(act, { booking_id: bookingId, stars }) {
    const text = 'Only a confirmed table of yours whose time has passed can be rated. Nothing was changed.';
    if (!(await rateTable(act.db, { memberId: act.person.id, bookingId, stars, now: act.now })))
      refuse({ notice: { kind: 'bad', text } });
    act.audit(bookingId);
    return { done: true };
  },
});

export const memberSignOut: Action<unknown> = signOutAction({
  session: 'member',
  path: '/member/sign-out',
  who: anybody,
  to: '/member/sign-in',
});

export const memberPage = definePage({
  path: '/member',
  follows: ({ person }) => [person.id],
  who: member,
  load: ({ deps, person, now }) => listMemberTables(deps.pool, person.id, now),
  view: (req, tables, state) => ({
    title: `Hello, ${req.person.displayName}`,
    lead: 'Your tables, and what venues know about you.',
    scripts: req.deps.streets.map === undefined ? [] : ['street-map.js'],
    body: html`${tables.length === 0 ? NO_TABLES : ownTables(req, tables, state)} ${aboutYou(req, state)}`,
  }),
  actions: [rename, rate, acceptOwnOffer, changeOwnTable, cancelOwnTable],
});

const NO_TABLES = html`<div class="empty">
  <h3>No tables yet</h3>
  <p>
    Ask for a table on the page of a place, and it appears here with the venue's answer. A concierge can ask
    in your name too, once you have <a href="/member/link">given it a link code</a>.
  </p>
</div>`;

/** A request that ended without a table. */
const ENDED: ReadonlySet<MemberTable['status']> = new Set(['declined', 'no_answer', 'cancelled']);

/** Renders the coming tables, the next one first and those without a table last, and then the past ones, the latest first. */
function ownTables(req: PageRequest<Member>, tables: readonly MemberTable[], state: PageState): Html {
  const [ended = [], coming = []] = [true, false].map((isOver) =>
    tables.filter((table) => !table.past && ENDED.has(table.status) === isOver).toReversed(),
  );
  const past = tables.filter((table) => table.past);
  return html`<section class="flow" aria-labelledby="tables">
      <h2 id="tables">Coming</h2>
      ${
        coming.length === 0
          ? html`<p class="soft">No table is coming.</p>`
          : html`<ul class="columns">
              ${coming.map((table) => tableCard(req, table, state))}
            </ul>`
      }
      ${ended.length > 0 && tableRows(req, ended, state)}
    </section>
    ${
      past.length > 0 &&
      html`<section class="flow" aria-labelledby="past-tables">
        <h2 id="past-tables">Past</h2>
        ${tableRows(req, past, state)}
      </section>`
    }`;
}

function aboutYou(req: PageRequest<Member>, state: PageState): Html {
  const { displayName, email, id } = req.person;
  return html`<div class="columns">
    ${actionForm(req, rename, state, { values: { display_name: displayName } })}
    <section class="card flow" aria-labelledby="account">
      <h2 id="account">Your account</h2>
      ${definitionList('about', [
        ['Email, seen by nobody else', email],
        ['Member id, for partners', html`<code>${id}</code>`],
      ])}
      ${actionForm(req, memberSignOut, state)}
      <p><a class="touch" href="/member/forget">Forget me</a></p>
    </section>
  </div>`;
}

function tableRows(req: PageRequest<Member>, tables: readonly MemberTable[], state: PageState): Html {
  return html`<ul class="table-rows">
    ${tables.map((table) => tableRow(req, table, state))}
  </ul>`;
}

function tableRow(req: PageRequest<Member>, table: MemberTable, state: PageState): Html {
  return html`<li>
    <div>${placeHeading(table)} ${tableWhen(table)} ${tableTimeline(table)}</div>
    ${table.ratable && ratingForm(req, table, state)}
  </li>`;
}

function placeHeading({ placeId, placeName }: MemberTable): Html {
  return html`<h3>
    ${
      placeId === null
        ? 'A place that is no longer listed'
        : html`<a href="/p/${placeId}"><bdi>${placeName}</bdi></a>`
    }
  </h3>`;
}

function tableCard(req: PageRequest<Member>, table: MemberTable, state: PageState): Html {
  return html`<li class="card flow own-card">
    ${tablePicture(table)} ${placeHeading(table)} ${tableState(table, req.now)} ${tableMap(req, table)}
    ${tableTimeline(table)} ${tableForms(req, table, state)}
  </li>`;
}

function tablePicture({ placeId, category, vertical, cuisine }: MemberTable): Html | false {
  if (placeId === null || category === null) return false;
  const kind = { category, vertical: vertical ?? category, cuisine: cuisine ?? [] };
  return html`<img src="${illustrationUrl(kind, placeId)}" alt="" width="320" height="200" />`;
}

function ratingForm(
  req: PageRequest<Member>,
  { bookingId, stars, placeName }: MemberTable,
  state: PageState,
): Html | false {
  const rated = stars !== null;
  const isSubmitted = state.form?.get('booking_id') === bookingId;
  return actionForm(req, rate, isSubmitted ? state : {}, {
    values: { booking_id: bookingId, stars: rated ? String(stars) : '' },
    fields: { stars: { label: rated ? 'Your rating' : 'How was it?', hint: placeName ?? '' } },
    button: rated ? 'Change the rating' : 'Rate',
    className: 'flow',
  });
}
