import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Deps } from '../../../core/context.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { listMemberTables, type MemberTable } from '../../../members/list-tables.ts';
import { rateTable, STARS_MAX } from '../../../members/place-rating.ts';
import type { Member } from '../../../members/member.ts';
import { definitionList } from '../frame/definition-list.ts';
import { form, sendFrame } from '../frame/frame.ts';
import { formatCount } from '../../../core/text/format-count.ts';
import { refuse, type Action } from '../person/action.ts';
import { doneNotice, type PageRequest, type PageState } from '../person/page-request.ts';
import { member } from '../person/people.ts';
import { addActions, addPage } from '../person/person-route.ts';
import { nameField, saveName } from './display-name.ts';

const PATH = '/member';

export function addMemberAccount(scope: FastifyInstance, deps: Deps): void {
  addPage(scope, deps, { path: PATH, who: member, show: (req) => sendAccountPage(req, {}) });
  addActions(scope, deps, rename, rate);
}

const rename: Action<Member> = {
  name: 'set_display_name',
  path: '/member/name',
  who: member,
  async run(act) {
    const saved = await saveName(act.db, act.person.id, act.form);
    if (!saved.ok) refuse({ faults: { display_name: saved.fault } });
    act.audit(act.person.id);
    return { to: `${PATH}?done=name` };
  },
  page: sendAccountPage,
};

const rate: Action<Member> = {
  name: 'rate_table',
  path: '/member/rate',
  who: member,
  async run(act) {
    const { db, person, form, now } = act;
    const stars = form.get('stars') ?? '';
    if (!/^[1-5]$/.test(stars)) refuse(bad(`Choose 1 to ${STARS_MAX} stars. Nothing was changed.`));
    const bookingId = form.get('booking_id') ?? '';
    if (!(await rateTable(db, { memberId: person.id, bookingId, stars: Number(stars), now })))
      refuse(bad('Only a confirmed table of yours whose time has passed can be rated. Nothing was changed.'));
    act.audit(bookingId);
    return { to: `${PATH}?done=rating` };
  },
  page: sendAccountPage,
};

function bad(text: string): PageState {
  return { notice: { kind: 'bad', text } };
}

/** Explains each booking status to the guest. */
const STATES: Readonly<
  Record<MemberTable['status'], readonly [kind: string, word: string, meaning: string]>
> = {
  sent: ['warn', 'Not asked yet', 'The venue is about to be asked. This is not a booking.'],
  asking: ['warn', 'Asked', 'The venue has been asked and has not answered. This is not a booking.'],
  offered: [
    'warn',
    'Other time offered',
    'The venue offers another table; the partner who asked for you decides.',
  ],
  confirmed: ['good', 'Confirmed', 'The venue has said yes.'],
  declined: ['bad', 'Declined', 'The venue has said no.'],
  no_answer: ['bad', 'No answer', 'The venue did not answer in time. There is no table.'],
  cancelled: ['', 'Cancelled', 'There is no table.'],
};

async function sendAccountPage(req: PageRequest<Member>, state: PageState): Promise<FastifyReply> {
  const { deps, person, now } = req;
  const tables = await listMemberTables(deps.pool, person.id, now);
  return sendFrame(req, 'member', {
    title: `Hello, ${person.displayName}`,
    lead: 'Tables that partners requested in your name, and what venues know about you.',
    current: PATH,
    notice: state.notice ?? doneNotice(req.query, DONE),
    body: html`<section class="flow" aria-labelledby="tables">
        <h2 id="tables">Your tables</h2>
        ${tables.length === 0 ? NO_TABLES : tableList(req, tables)}
      </section>
      ${aboutYou(req, state)}`,
  });
}

const NO_TABLES = html`<div class="empty">
  <h3>No tables yet</h3>
  <p>
    When a concierge requests a table in your name, it appears here with the venue's answer. To allow a
    concierge to do this, <a href="/member/link">give it a link code</a>.
  </p>
</div>`;

function aboutYou(req: PageRequest<Member>, { form: submitted, faults = {} }: PageState): Html {
  const { person } = req;
  return html`<div class="columns">
    <section class="card flow" aria-labelledby="name">
      <h2 id="name">Your name</h2>
      ${form(
        req,
        '/member/name',
        html`${nameField({
            value: submitted?.get('display_name') ?? person.displayName,
            fault: faults['display_name'],
          })}
          <p><button class="button plain" type="submit">Save the name</button></p>`,
      )}
    </section>
    <section class="card flow" aria-labelledby="account">
      <h2 id="account">Your account</h2>
      ${definitionList('about', [
        ['Email, seen by nobody else', person.email],
        ['Member id, for partners', html`<code>${person.id}</code>`],
      ])}
      ${form(req, '/member/sign-out', html`<button class="button plain" type="submit">Sign out</button>`)}
      <p><a class="touch" href="/member/forget">Forget me</a></p>
    </section>
  </div>`;
}

function tableList(req: PageRequest, tables: readonly MemberTable[]): Html {
  return html`<ul class="columns">
    ${tables.map((table) => tableCard(req, table))}
  </ul>`;
}

function tableCard(req: PageRequest, table: MemberTable): Html {
  const [kind, word, meaning] = STATES[table.status];
  const { placeId, placeName } = table;
  return html`<li class="card flow">
    <div class="table-head">
      <h3>
        ${
          placeId === null
            ? 'A place that is no longer listed'
            : html`<a href="/p/${placeId}"><bdi>${placeName}</bdi></a>`
        }
      </h3>
      <span class="badge ${kind}">${word}</span>
    </div>
    <p>
      <strong>${dayOf(table.date)}, ${table.time}</strong> (local time),
      ${formatCount(table.partySize, 'person', 'people')}. Requested by <bdi>${table.partnerName}</bdi>.
    </p>
    <p class="hint">${meaning}</p>
    ${table.ratable && ratingForm(req, table)}
  </li>`;
}

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' });

function dayOf(date: string): string {
  return DAY.format(new Date(`${date}T00:00:00Z`));
}

/** Rating form with plain radio buttons, which work by touch, by keyboard and without JavaScript. */
function ratingForm(req: PageRequest, { bookingId, stars, placeName }: MemberTable): Html {
  const choices = Array.from({ length: STARS_MAX }, (_, i) => i + 1);
  return form(
    req,
    '/member/rate',
    html`<input type="hidden" name="booking_id" value="${bookingId}" />
      <fieldset class="stars">
        <legend>
          ${stars === null ? 'How was it?' : 'Your rating'}<span class="unseen"> (${placeName})</span>
        </legend>
        ${choices.map(
          (value) =>
            html`<label
              ><input
                type="radio"
                name="stars"
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
      </fieldset>
      <p>
        <button class="button plain" type="submit">${stars === null ? 'Rate' : 'Change the rating'}</button>
      </p>`,
  );
}

const DONE = {
  name: 'Your name is saved. Venues see it from now on.',
  rating: 'Thank you. Your rating counts; nobody sees that it is yours.',
};
