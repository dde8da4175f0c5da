import { findContact } from '../../../core/text/contact/contact-data.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { line } from '../../../core/text/text.ts';
import { listMemberTables } from '../../../members/list-tables.ts';
import { DISPLAY_NAME_MAX, setDisplayName, type Member } from '../../../members/member.ts';
import { actionForm } from '../form/action-form.ts';
import { textInput } from '../form/fields.ts';
import { definitionList } from '../frame/definition-list.ts';
import { defineAction, type Action } from '../person/action.ts';
import { anybody } from '../person/audience.ts';
import { definePage } from '../person/page.ts';
import type { PageRequest, PageState } from '../person/page-request.ts';
import { member } from '../person/people.ts';
import { signOutAction } from '../person/sign-out.ts';
import { NO_TABLES, findTablePictures, memberTableCard, upcomingTables } from './tables-page.ts';

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

export const memberSignOut: Action<unknown> = signOutAction({
  session: 'member',
  path: '/member/sign-out',
  who: anybody,
  to: '/member/sign-in',
});

/** The member's start page: the next table, and the account. */
export const memberPage = definePage({
  path: '/member',
  follows: ({ person }) => [person.id],
  who: member,
  load: async ({ deps, person, now }) => {
    const next = upcomingTables(await listMemberTables(deps.pool, person.id, now))[0];
    return { next, photos: await findTablePictures(deps.pool, next === undefined ? [] : [next]) };
  },
  view: (req, { next, photos }, state) => ({
    title: `Hello, ${req.person.displayName}`,
    lead: 'Your next table, and what venues know about you.',
    body: html`<section class="flow" aria-labelledby="next">
        <h2 id="next">Your next table</h2>
        ${
          next === undefined
            ? NO_TABLES
            : html`<ul class="own-cards">
                ${memberTableCard(next, photos, req.now)}
              </ul>`
        }
        <p><a class="touch" href="/member/tables">All your tables</a></p>
      </section>
      ${aboutYou(req, state)}`,
  }),
  actions: [rename],
});

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
