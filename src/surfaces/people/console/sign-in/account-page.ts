import type { FastifyInstance, FastifyReply } from 'fastify';
import type { z } from 'zod';
import { undoAttempt, countAttempt, type Attempt } from '../../../../accounts/sign-in/sign-in-lock.ts';
import { listSessions, type SessionInfo } from '../../../../accounts/sign-in/staff-session.ts';
import { countRecoveryCodes } from '../../../../accounts/staff/second-factor.ts';
import {
  checkNewPassword,
  renewRecoveryCodes,
  setPassword,
} from '../../../../accounts/staff/staff-enrolment.ts';
import type { Deps } from '../../../../core/context.ts';
import { callerGroup } from '../../../../core/text/address-group.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import { rawForm } from '../../form/form-body.ts';
import { textField } from '../../form/form-field.ts';
import { form } from '../../frame/frame.ts';
import { formatCount } from '../../../../core/text/format-count.ts';
import { refuse, type Action } from '../../person/action.ts';
import type { PageRequest, PageState } from '../../person/page-request.ts';
import { ALL_ROLES, staff, anyStaff, type Staff } from '../../person/people.ts';
import { addAction, addPage } from '../../person/person-route.ts';
import { sendConsolePage } from '../console-page.ts';
import { formatTime } from '../moment.ts';
import { describeDevice } from './describe-device.ts';
import { sendRecoveryCodes, WRONG_CODE } from './enrol-page.ts';
import { requestOrigin } from './sign-in-page.ts';
import { PASSWORD_FAULTS, passwordForm, sendPasswordPage } from './password-page.ts';
import { table } from '../../frame/table.ts';

const PATH = '/console/account';
const CHANGED = 'The password is changed. Your other sessions ended.';

export function addStaffAccount(scope: FastifyInstance, deps: Deps): void {
  addPage(scope, deps, {
    path: '/console/password',
    who: anyStaff,
    show: (request) => sendPasswordPage(request, {}),
  });
  addAction(scope, deps, changePassword);
  addPage(scope, deps, {
    path: PATH,
    who: staff(ALL_ROLES),
    show: (request) =>
      sendAccountPage(
        request,
        request.query.get('done') === 'password' ? { notice: { kind: 'good', text: CHANGED } } : {},
      ),
  });
  addAction(scope, deps, renewCodes);
}

const changePassword: Action<Staff, z.ZodObject, string> = {
  name: 'staff_password_changed',
  path: '/console/password',
  who: anyStaff,
  async prepare(context) {
    const submitted = rawForm(context.request);
    const field = (name: string) => submitted.get(name) ?? '';
    const change = { current: field('current'), next: field('next'), repeated: field('repeated') };
    const { deps, inTransaction } = context;
    const checked = await checkNewPassword(
      { db: deps.pool, inTransaction, line: deps.passwordHashQueue },
      attemptOf(context),
      change,
    );
    if ('hash' in checked) return checked.hash;
    const faults = PASSWORD_FAULTS[checked.fault];
    if (checked.until === undefined) refuse({ faults });
    const retryAfterSeconds = Math.ceil((checked.until.getTime() - context.now.getTime()) / 1000);
    refuse({ status: 429, retryAfterSeconds, faults });
  },
  async run(act, _values, hash) {
    const { id, session } = act.person;
    await setPassword(act.db, session, hash);
    act.audit(id, { address: requestOrigin(act.request).address });
    return { to: session.pending === undefined ? `${PATH}?done=password` : '/console/enrol' };
  },
  page: (request, state) =>
    request.person.session.pending === undefined
      ? sendAccountPage(request, state)
      : sendPasswordPage(request, state),
};

const renewCodes: Action<Staff, z.ZodObject, Attempt> = {
  name: 'staff_recovery_codes_renewed',
  path: '/console/recovery-codes',
  who: staff(ALL_ROLES),
  async prepare(context) {
    const attempt = attemptOf(context);
    const until = await context.inTransaction((tx) => countAttempt(tx, attempt));
    if (until !== undefined) refuse({ faults: { totp: WRONG_CODE } });
    return attempt;
  },
  async run(act, _values, attempt) {
    const { id } = act.person;
    const codes = await renewRecoveryCodes(act.db, act, id, act.form.get('totp') ?? '');
    if (codes === undefined) refuse({ faults: { totp: WRONG_CODE } });
    await undoAttempt(act.db, attempt);
    act.audit(id, { address: requestOrigin(act.request).address });
    const text = 'The old codes no longer work.';
    return { show: (request) => sendRecoveryCodes(request, codes, { kind: 'good', text }) };
  },
  page: sendAccountPage,
};

/**
 * Attempts within a session are limited too, so that the holder of a stolen session cannot guess more often than a
 * stranger. They are counted apart from attempts by strangers.
 */
function attemptOf({ person, request, now }: PageRequest<Staff>): Attempt {
  return { email: person.email, address: callerGroup(request), trust: 'session', now };
}

/** Sends the page on which staff manage their sessions, password and recovery codes. */
export async function sendAccountPage(request: PageRequest<Staff>, state: PageState): Promise<FastifyReply> {
  const { deps, person, now } = request;
  const [sessions, codes] = await Promise.all([
    listSessions(deps.pool, person.id, person.session.tokenHash, now),
    countRecoveryCodes(deps.pool, person.id),
  ]);
  return sendConsolePage(request, {
    title: 'Your account',
    current: PATH,
    lead: `${person.email}, role ${person.role}`,
    notice: state.notice,
    body: html`<div class="columns">
      <section class="card flow">
        <h2>Sessions</h2>
        ${sessionTable(sessions)}
        ${form(
          request,
          '/console/sign-out',
          html`<input type="hidden" name="everywhere" value="yes" />
            <button class="button danger" type="submit">Sign out everywhere</button>`,
        )}
      </section>
      <section class="card flow">
        <h2>Password</h2>
        ${passwordForm(request, state)}
      </section>
      <section class="card flow">
        <h2>Recovery codes</h2>
        <p>${formatCount(codes, 'code')} left. New codes replace all old ones.</p>
        ${form(
          request,
          '/console/recovery-codes',
          html`${textField({
              name: 'totp',
              label: 'Code',
              hint: 'From your authenticator.',
              fault: state.faults?.['totp'],
              autocomplete: 'one-time-code',
              maxlength: 20,
              required: true,
            })}
            <p><button class="button plain" type="submit">Make new codes</button></p>`,
        )}
      </section>
    </div>`,
  });
}

function sessionTable(sessions: readonly SessionInfo[]): Html {
  return table(
    { className: 'dense stack', columns: ['Where', 'Since', 'Last seen'] },
    sessions.map(
      (session) =>
        html`<tr>
          <th scope="row">
            ${session.address} ${session.this_one && html`<span class="badge good">this one</span>`}
            <span class="soft agent-string">${describeDevice(session.user_agent)}</span>
          </th>
          <td data-label="Since">${formatTime(session.created_at)}</td>
          <td data-label="Last seen">${formatTime(session.last_seen_at)}</td>
        </tr>`,
    ),
  );
}
