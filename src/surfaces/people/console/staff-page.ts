import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import {
  hireStaff,
  listRoster,
  resetStaff,
  setStaffDisabled,
  type RosterEntry,
} from '../../../accounts/staff/staff-roster.ts';
import { STAFF_ROLES, StaffExistsError } from '../../../accounts/staff/staff.ts';
import type { Deps } from '../../../core/context.ts';
import { html, safeHref, type Html } from '../../../core/text/html.ts';
import { emailAddress } from '../../../core/text/text.ts';
import { csrfField } from '../form/csrf.ts';
import { choiceField, textField } from '../form/form-field.ts';
import { readFields } from '../form/read-fields.ts';
import { sentenceCase } from '../frame/wording.ts';
import { sendConsolePage } from './console-page.ts';
import type { Notice } from '../person/page-request.ts';
import { consoleRoute, LEADS, type PageRequest } from './console-route.ts';
import { momentOf } from './moment.ts';

const newPerson = z.object({ email: emailAddress(), role: z.enum(STAFF_ROLES) });

export function addStaffPages(scope: FastifyInstance, deps: Deps): void {
  consoleRoute(scope, deps, {
    method: 'GET',
    path: '/console/staff',
    roles: LEADS,
    handle: (visit) => sendStaffPage(visit),
  });
  consoleRoute(scope, deps, { method: 'POST', path: '/console/staff', roles: LEADS, handle: hire });
  for (const move of ['reset', 'disable', 'enable'] as const) {
    consoleRoute(scope, deps, {
      method: 'POST',
      path: `/console/staff/:id/${move}`,
      roles: LEADS,
      handle: (visit) => change(visit, move),
    });
  }
}

interface Told {
  notice?: Notice;
  faults?: Record<string, string>;
  email?: string;
}

async function sendStaffPage(visit: PageRequest, told: Told = {}): Promise<FastifyReply> {
  const roster = await listRoster(visit.deps);
  return sendConsolePage(visit, {
    title: 'Staff',
    current: '/console/staff',
    lead: 'Reviewers decide about submissions, the desk talks to venues, leads do that and what is on this page.',
    notice: told.notice,
    body: html`<div class="review">
      <div class="evidence">${rosterTable(visit, roster)}</div>
      <aside class="verdict" aria-label="Add somebody">${hireForm(visit, told)}</aside>
    </div>`,
  });
}

function hireForm({ deps, request, reply }: PageRequest, { faults = {}, email }: Told): Html {
  return html`<form class="card flow" method="post" action="/console/staff">
    <h2>Add somebody</h2>
    ${csrfField(deps, request, reply)}
    ${textField({ name: 'email', label: 'Email', type: 'email', value: email, fault: faults['email'], maxlength: 254, required: true })}
    ${choiceField({
      name: 'role',
      label: 'Role',
      fault: faults['role'],
      choices: STAFF_ROLES.map((role) => [role, sentenceCase(role)] as const),
    })}
    <button class="button" type="submit">Add</button>
  </form>`;
}

function rosterTable(visit: PageRequest, roster: readonly RosterEntry[]): Html {
  return html`<table class="dense stack">
    <thead>
      <tr>
        <th scope="col">Person</th>
        <th scope="col">Role</th>
        <th scope="col">Second factor</th>
        <th scope="col">Last seen</th>
        <th scope="col"><span class="unseen">What can be done</span></th>
      </tr>
    </thead>
    <tbody>
      ${roster.map(
        (person) =>
          html`<tr>
            <th scope="row">
              ${person.email} ${person.disabled_at !== null && html`<span class="badge bad">no access</span>`}
            </th>
            <td>${sentenceCase(person.role)}</td>
            <td data-label="second factor">${person.second_factor ? 'set up' : 'not yet'}</td>
            <td data-label="last seen">
              ${person.last_seen_at === null ? '–' : momentOf(person.last_seen_at)}
            </td>
            <td class="row-forms">${person.id !== visit.staff.id && personForms(visit, person)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function personForms(visit: PageRequest, person: RosterEntry): Html {
  const moves =
    person.disabled_at === null
      ? ([
          ['reset', 'New start'],
          ['disable', 'End access'],
        ] as const)
      : ([['enable', 'Give access back']] as const);
  return html`${moves.map(
    ([move, label]) =>
      html`<form method="post" action="${safeHref(`/console/staff/${person.id}/${move}`)}">
        ${csrfField(visit.deps, visit.request, visit.reply)}
        <button class="button plain small" type="submit" aria-label="${`${label}: ${person.email}`}">
          ${label}
        </button>
      </form>`,
  )}`;
}

async function hire(visit: PageRequest): Promise<FastifyReply> {
  const { deps, form, staff, request, reply } = visit;
  const email = form.get('email') ?? '';
  const read = readFields(form, newPerson);
  if (!read.ok) return sendStaffPage({ ...visit, reply: reply.code(422) }, { faults: read.faults, email });
  let password: string;
  try {
    password = await hireStaff(deps, read.values, { staff, requestId: request.id });
  } catch (thrown) {
    if (!(thrown instanceof StaffExistsError)) throw thrown;
    const faults = { email: 'This person is already here.' };
    return sendStaffPage({ ...visit, reply: reply.code(409) }, { faults, email });
  }
  return sendStaffPage(visit, { notice: passwordNotice(read.values.email, password) });
}

async function change(visit: PageRequest, move: 'reset' | 'disable' | 'enable'): Promise<FastifyReply> {
  const { deps, staff, request, reply } = visit;
  const { id } = request.params as { id: string };
  const by = { staff, requestId: request.id };
  if (move === 'reset') {
    const email = (await listRoster(deps)).find((person) => person.id === id)?.email ?? '';
    const password = id === staff.id ? undefined : await resetStaff(deps, id, by);
    if (password !== undefined) return sendStaffPage(visit, { notice: passwordNotice(email, password) });
  } else if (await setStaffDisabled(deps, id, move === 'disable', by)) {
    return reply.redirect('/console/staff', 303);
  }
  const text = 'Nothing was changed: there is no such person, it is you, or somebody was faster.';
  return sendStaffPage({ ...visit, reply: reply.code(409) }, { notice: { kind: 'bad', text } });
}

function passwordNotice(email: string, password: string): Notice {
  return {
    kind: 'good',
    text: html`Tell ${email} this password for the first sign-in; it is shown only now:
      <code data-password>${password}</code>. They choose another and set up the second factor then.`,
  };
}
