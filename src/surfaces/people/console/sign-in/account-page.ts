import { z } from 'zod';
import { undoAttempt, countAttempt } from '../../../../accounts/sign-in/sign-in-lock.ts';
import {
  endSession,
  endSessionsOf,
  listSessions,
  sessionCookie,
  type SessionInfo,
} from '../../../../accounts/sign-in/staff-session.ts';
import { countRecoveryCodes } from '../../../../accounts/staff/second-factor.ts';
import { renewRecoveryCodes } from '../../../../accounts/staff/staff-enrolment.ts';
import { formatCount } from '../../../../core/text/format-count.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import { actionForm } from '../../form/action-form.ts';
import { codeInput, hiddenInput } from '../../form/fields.ts';
import { badge } from '../../frame/components.ts';
import { recordTable } from '../../frame/table.ts';
import { defineAction, refuse } from '../../person/action.ts';
import { definePage } from '../../person/page.ts';
import { allStaff, anyStaff } from '../../person/people.ts';
import { formatTime } from '../moment.ts';
import { describeDevice } from './describe-device.ts';
import { recoveryCodesView, WRONG_CODE } from './enrol-page.ts';
import { attemptOf, passwordAction, usernameField } from './password-page.ts';
import { requestOrigin, signInFrame } from './sign-in-page.ts';

const PATH = '/console/account';

const changePassword = passwordAction(`${PATH}/password`, allStaff);

const renewCodes = defineAction({
  name: 'staff_recovery_codes_renewed',
  path: '/console/recovery-codes',
  who: allStaff,
  title: 'Recovery codes',
  fields: { totp: codeInput({ hint: 'From your authenticator.' }) },
  button: 'Make new codes',
  plain: true,
  async prepare(context) {
    const attempt = attemptOf(context);
    const until = await context.inTransaction((tx) => countAttempt(tx, attempt));
    if (until !== undefined) refuse({ faults: { totp: WRONG_CODE } });
    return attempt;
  },
  async run(act, { totp }, attempt) {
    const { id } = act.person;
    const codes = await renewRecoveryCodes(act.db, act, id, totp);
    if (codes === undefined) refuse({ faults: { totp: WRONG_CODE } });
    await undoAttempt(act.db, attempt);
    act.audit(id, { address: requestOrigin(act.request).address });
    const view = recoveryCodesView(codes, 'The old codes no longer work.');
    return { show: (req) => signInFrame(req, { path: PATH }, view) };
  },
});

const signOut = defineAction({
  name: 'staff_sign_out',
  path: '/console/sign-out',
  who: anyStaff,
  fields: { everywhere: hiddenInput(z.string()) },
  button: 'Sign out everywhere',
  danger: true,
  async run(act, values) {
    const { id, session } = act.person;
    const everywhere = values.everywhere === 'yes';
    if (everywhere) await endSessionsOf(act.db, id);
    else await endSession(act.db, session.tokenHash);
    const operation = everywhere ? 'staff_sign_out_everywhere' : 'staff_sign_out';
    act.audit(id, { address: requestOrigin(act.request).address }, operation);
    act.setCookie(sessionCookie(act.deps, undefined));
    return { to: '/console/sign-in?out' };
  },
});

/** Sessions, password and recovery codes of the signed-in person. */
export const accountPage = definePage({
  path: PATH,
  who: allStaff,
  async load({ deps: { pool }, person, now }) {
    const [sessions, codes] = await Promise.all([
      listSessions(pool, person.id, person.session.tokenHash, now),
      countRecoveryCodes(pool, person.id),
    ]);
    return { sessions, codes };
  },
  view: (req, { sessions, codes }, state) => ({
    title: 'Your account',
    lead: `${req.person.email}, role ${req.person.role}`,
    body: html`<div class="columns">
      <section class="card flow">
        <h2>Sessions</h2>
        ${sessionTable(sessions)} ${actionForm(req, signOut, state, { values: { everywhere: 'yes' } })}
      </section>
      ${actionForm(req, changePassword, state, { title: 'Password', more: usernameField(req) })}
      ${actionForm(req, renewCodes, state, {
        help: `${formatCount(codes, 'code')} left. New codes replace all old ones.`,
      })}
    </div>`,
  }),
  actions: [changePassword, renewCodes, signOut],
});

function sessionTable(sessions: readonly SessionInfo[]): Html {
  return recordTable('dense stack', sessions, [
    [
      'Where',
      ({ address, this_one, user_agent }) =>
        html`${address} ${this_one && badge('good', 'this one')}
          <span class="soft agent-string">${describeDevice(user_agent)}</span>`,
    ],
    ['Since', ({ created_at }) => formatTime(created_at), 'Since'],
    ['Last seen', ({ last_seen_at }) => formatTime(last_seen_at), 'Last seen'],
  ]);
}
