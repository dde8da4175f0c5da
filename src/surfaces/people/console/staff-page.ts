import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import {
  listRoster,
  resetStaff,
  setStaffDisabled,
  type RosterEntry,
} from '../../../accounts/staff/staff-roster.ts';
import { preparePassword, type HashedPassword } from '../../../accounts/staff/password.ts';
import { addStaff, STAFF_ROLES, StaffExistsError } from '../../../accounts/staff/staff.ts';
import type { Deps } from '../../../core/context.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { emailAddress } from '../../../core/text/text.ts';
import { choiceField, textField } from '../form/form-field.ts';
import { form } from '../frame/frame.ts';
import { sentenceCase } from '../frame/wording.ts';
import { conflict, refuse, type Action, type ActionContext } from '../person/action.ts';
import type { Notice, PageRequest, PageState } from '../person/page-request.ts';
import { LEAD_ROLES, staff, type Staff } from '../person/people.ts';
import { addActions, addPage } from '../person/person-route.ts';
import { sendConsolePage } from './console-page.ts';
import { formatTime } from './moment.ts';
import { table } from '../frame/table.ts';

const PATH = '/console/staff';
const LEAD = staff(LEAD_ROLES);
const newPerson = z.object({ email: emailAddress(), role: z.enum(STAFF_ROLES) });

export function addStaffPages(scope: FastifyInstance, deps: Deps): void {
  addPage(scope, deps, { path: PATH, who: LEAD, show: (request) => sendStaffPage(request, {}) });
  addActions(scope, deps, addPerson, reset, setAccess('disable'), setAccess('enable'));
}

/** Adds a person and shows the initial password once. */
const addPerson: Action<Staff, typeof newPerson, HashedPassword> = {
  name: 'staff_add',
  path: PATH,
  who: LEAD,
  form: newPerson,
  prepare: () => preparePassword(),
  async run(act, person, initialPassword) {
    const password = await addStaff(act.db, act.newId, act.now, person, initialPassword).catch(
      (thrown: unknown) => {
        if (!(thrown instanceof StaffExistsError)) throw thrown;
        return refuse({ status: 409, faults: { email: 'This person is already on the list.' } });
      },
    );
    act.audit(person.email, { role: person.role });
    return { again: { notice: passwordNotice(person.email, password) } };
  },
  page: sendStaffPage,
};

const reset: Action<Staff, z.ZodObject, HashedPassword> = {
  name: 'staff_reset',
  path: `${PATH}/:id/reset`,
  who: LEAD,
  prepare: () => preparePassword(),
  async run(act, _values, initialPassword) {
    const id = otherPerson(act);
    const start = (await resetStaff(act.db, id, initialPassword)) ?? refuseChange();
    act.audit(id);
    return { again: { notice: passwordNotice(start.email, start.password) } };
  },
  page: sendStaffPage,
};

function setAccess(move: 'disable' | 'enable'): Action<Staff> {
  return {
    name: `staff_${move}`,
    path: `${PATH}/:id/${move}`,
    who: LEAD,
    async run(act) {
      const id = otherPerson(act);
      if (!(await setStaffDisabled(act.db, id, move === 'disable', act.now))) refuseChange();
      act.audit(id);
      return { to: PATH };
    },
    page: sendStaffPage,
  };
}

/** Refuses a change to one's own account, so that there is always a lead. */
function otherPerson({ params: { id = '' }, person }: ActionContext<Staff>): string {
  return id === person.id ? refuseChange() : id;
}

function refuseChange(): never {
  conflict(
    'Nothing was changed: there is no such person, it is yourself, or somebody else has already changed it.',
  );
}

function passwordNotice(email: string, password: string): Notice {
  return {
    kind: 'good',
    text: html`Tell ${email} this password for the first sign-in; it is shown only now:
      <code data-password>${password}</code>. At the first sign-in they choose another and set up the second
      factor.`,
  };
}

async function sendStaffPage(request: PageRequest<Staff>, state: PageState): Promise<FastifyReply> {
  const roster = await listRoster(request.deps.pool);
  return sendConsolePage(request, {
    title: 'Staff',
    current: PATH,
    lead: 'Reviewers decide about submissions, the desk talks to venues, leads do both and manage staff.',
    notice: state.notice,
    body: html`<div class="review">
      <div class="evidence">${rosterTable(request, roster)}</div>
      <aside class="verdict" aria-label="Add somebody">${addPersonForm(request, state)}</aside>
    </div>`,
  });
}

function addPersonForm(request: PageRequest, { faults, form: submitted }: PageState): Html {
  return form(
    request,
    PATH,
    html`<h2>Add somebody</h2>
      ${textField({
        name: 'email',
        label: 'Email',
        type: 'email',
        value: faults && (submitted?.get('email') ?? ''),
        fault: faults?.['email'],
        maxlength: 254,
        required: true,
      })}
      ${choiceField({
        name: 'role',
        label: 'Role',
        value: faults && (submitted?.get('role') ?? ''),
        fault: faults?.['role'],
        choices: STAFF_ROLES.map((role) => [role, sentenceCase(role)] as const),
      })}
      <button class="button" type="submit">Add</button>`,
    { className: 'card flow' },
  );
}

function rosterTable(request: PageRequest<Staff>, roster: readonly RosterEntry[]): Html {
  return table(
    {
      className: 'dense stack',
      columns: ['Person', 'Role', 'Second factor', 'Last seen', { unseen: 'What can be done' }],
    },
    roster.map(
      (person) =>
        html`<tr>
          <th scope="row">
            ${person.email} ${person.disabled_at !== null && html`<span class="badge bad">no access</span>`}
          </th>
          <td>${sentenceCase(person.role)}</td>
          <td data-label="second factor">${person.second_factor ? 'set up' : 'not yet'}</td>
          <td data-label="last seen">
            ${person.last_seen_at === null ? '–' : formatTime(person.last_seen_at)}
          </td>
          <td class="row-forms">${person.id !== request.person.id && personForms(request, person)}</td>
        </tr>`,
    ),
  );
}

function personForms(request: PageRequest<Staff>, person: RosterEntry): Html {
  const move = (path: string, label: string) =>
    form(
      request,
      `/console/staff/${person.id}/${path}`,
      html`<button class="button plain small" type="submit" aria-label="${`${label}: ${person.email}`}">
        ${label}
      </button>`,
      { className: '' },
    );
  if (person.disabled_at !== null) return move('enable', 'Give access back');
  return html`${move('disable', 'End access')}
    <details>
      <summary>Reset sign-in</summary>
      <p class="hint">
        The password and the second factor stop working at once. You get a new password to pass on, and they
        set up both again.
      </p>
      ${move('reset', 'Reset sign-in')}
    </details>`;
}
