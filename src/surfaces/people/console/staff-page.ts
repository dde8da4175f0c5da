import {
  listRoster,
  resetStaff,
  setStaffDisabled,
  type RosterEntry,
} from '../../../accounts/staff/staff-roster.ts';
import { preparePassword } from '../../../accounts/staff/password.ts';
import { addStaff, STAFF_ROLES, StaffExistsError } from '../../../accounts/staff/staff.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { actionForm } from '../form/action-form.ts';
import { choiceInput, emailInput } from '../form/fields.ts';
import { badge } from '../frame/components.ts';
import { recordTable } from '../frame/table.ts';
import { sentenceCase } from '../frame/wording.ts';
import { conflict, defineAction, refuse, type ActionContext } from '../person/action.ts';
import { definePage } from '../person/page.ts';
import type { Notice, PageRequest, PageState } from '../person/page-request.ts';
import { leads, type Staff } from '../person/people.ts';
import { formatPast } from './moment.ts';

const PATH = '/console/staff';

/** Adds a person and shows the initial password once. */
export const addPerson = defineAction({
  name: 'staff_add',
  path: PATH,
  who: leads,
  title: 'Add somebody',
  fields: {
    email: emailInput(),
    role: choiceInput(
      STAFF_ROLES.map((role) => [role, sentenceCase(role)] as const),
      { label: 'Role' },
    ),
  },
  button: 'Add',
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
});

const reset = defineAction({
  name: 'staff_reset',
  path: `${PATH}/:id/reset`,
  who: leads,
  button: 'Reset sign-in',
  confirm:
    'The password and the second factor stop working at once. You get a new password to pass on, and they set up both again.',
  prepare: () => preparePassword(),
  async run(act, _values, initialPassword) {
    const id = otherPerson(act);
    const start = (await resetStaff(act.db, id, initialPassword)) ?? refuseChange();
    act.audit(id);
    return { again: { notice: passwordNotice(start.email, start.password) } };
  },
});

const disable = setAccess('disable', 'End access');
const enable = setAccess('enable', 'Give access back');

function setAccess(move: 'disable' | 'enable', button: string) {
  return defineAction({
    name: `staff_${move}`,
    path: `${PATH}/:id/${move}`,
    who: leads,
    button,
    async run(act: ActionContext<Staff>) {
      const id = otherPerson(act);
      if (!(await setStaffDisabled(act.db, id, move === 'disable', act.now))) refuseChange();
      act.audit(id);
      return { to: PATH };
    },
  });
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

export const staffPage = definePage({
  path: PATH,
  who: leads,
  nav: { label: 'Staff', key: 's' },
  load: ({ deps }) => listRoster(deps.pool),
  view: (req, roster, state) => ({
    title: 'Staff',
    lead: 'Reviewers decide about submissions, the desk talks to venues, leads do both and manage staff.',
    body: html`<div class="review">
      <div class="evidence">${rosterTable(req, roster, state)}</div>
      <aside class="verdict" aria-label="Add somebody">${actionForm(req, addPerson, state)}</aside>
    </div>`,
  }),
  actions: [addPerson, reset, disable, enable],
});

function rosterTable(req: PageRequest<Staff>, roster: readonly RosterEntry[], state: PageState): Html {
  return recordTable('dense stack', roster, [
    [
      'Person',
      ({ email, disabled_at }) => html`${email} ${disabled_at !== null && badge('bad', 'no access')}`,
    ],
    ['Role', ({ role }) => sentenceCase(role)],
    ['Second factor', ({ second_factor }) => (second_factor ? 'set up' : 'not yet'), 'second factor'],
    ['Last seen', ({ last_seen_at: at }) => (at === null ? 'never' : formatPast(at, req.now)), 'last seen'],
    [
      { unseen: 'What can be done' },
      (person) => person.id !== req.person.id && personForms(req, person, state),
      false,
      'row-forms',
    ],
  ]);
}

function personForms(
  req: PageRequest<Staff>,
  { id, email, disabled_at }: RosterEntry,
  state: PageState,
): Html {
  const formOf = (action: typeof reset | typeof enable) =>
    actionForm(req, action, state, { params: { id }, buttonLabel: `${action.button ?? ''}: ${email}` });
  return disabled_at === null ? html`${formOf(disable)} ${formOf(reset)}` : html`${formOf(enable)}`;
}
