import type { FastifyInstance, FastifyReply } from 'fastify';
import type { z } from 'zod';
import { forgiveAttempt, takeAttempt, type Attempt } from '../../../../accounts/sign-in/sign-in-lock.ts';
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
import { sentForm } from '../../form/form-body.ts';
import { textField } from '../../form/form-field.ts';
import { form } from '../../frame/frame.ts';
import { count } from '../../frame/wording.ts';
import { refuse, type Action } from '../../person/action.ts';
import type { PageRequest, PageState } from '../../person/page-request.ts';
import { EVERYONE, staff, unfinishedStaff, type Staff } from '../../person/people.ts';
import { addAction, addPage } from '../../person/person-route.ts';
import { sendConsolePage } from '../console-page.ts';
import { momentOf } from '../moment.ts';
import { deviceWords } from './device-words.ts';
import { sendRecoveryCodes, WRONG_CODE } from './enrol-page.ts';
import { originOf } from './sign-in-page.ts';
import { PASSWORD_FAULTS, passwordForm, sendPasswordPage } from './password-page.ts';
import { table } from '../../frame/table.ts';

const PATH = '/console/account';
const CHANGED = 'The password is changed. Your other sessions ended.';

export function addAccount(scope: FastifyInstance, deps: Deps): void {
  addPage(scope, deps, {
    path: '/console/password',
    who: unfinishedStaff,
    show: (request) => sendPasswordPage(request, {}),
  });
  addAction(scope, deps, changePassword);
  addPage(scope, deps, {
    path: PATH,
    who: staff(EVERYONE),
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
  who: unfinishedStaff,
  async prepare(context) {
    const sent = sentForm(context.request);
    const field = (name: string) => sent.get(name) ?? '';
    const change = { current: field('current'), next: field('next'), repeated: field('repeated') };
    const { deps, inTransaction } = context;
    const checked = await checkNewPassword(
      { db: deps.pool, inTransaction, line: deps.passwordLine },
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
    act.audit(id, { address: originOf(act.request).address });
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
  who: staff(EVERYONE),
  async prepare(context) {
    const attempt = attemptOf(context);
    const until = await context.inTransaction((tx) => takeAttempt(tx, attempt));
    if (until !== undefined) refuse({ faults: { totp: WRONG_CODE } });
    return attempt;
  },
  async run(act, _values, attempt) {
    const { id } = act.person;
    const codes = await renewRecoveryCodes(act.db, act, id, act.form.get('totp') ?? '');
    if (codes === undefined) refuse({ faults: { totp: WRONG_CODE } });
    await forgiveAttempt(act.db, attempt);
    act.audit(id, { address: originOf(act.request).address });
    const text = 'The old codes no longer work.';
    return { show: (request) => sendRecoveryCodes(request, codes, { kind: 'good', text }) };
  },
  page: sendAccountPage,
};

/** Whoever has a session of somebody else may guess no more often than whoever has none, and strangers do not count. */
function attemptOf({ person, request, now }: PageRequest<Staff>): Attempt {
  return { email: person.email, address: callerGroup(request), standing: 'session', now };
}

/** What a person can do about their own sign-in. */
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
        <p>${count(codes, 'code')} left. New ones take the place of all old ones.</p>
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
            <span class="soft agent-string">${deviceWords(session.user_agent)}</span>
          </th>
          <td data-label="Since">${momentOf(session.created_at)}</td>
          <td data-label="Last seen">${momentOf(session.last_seen_at)}</td>
        </tr>`,
    ),
  );
}
