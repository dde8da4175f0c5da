import type { FastifyReply } from 'fastify';
import { countRecoveryCodes } from '../../../../accounts/staff/second-factor.ts';
import { listSessions, type SessionInfo } from '../../../../accounts/sign-in/staff-session.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import { csrfField } from '../../form/csrf.ts';
import { textField } from '../../form/form-field.ts';
import { count } from '../../frame/wording.ts';
import { sendConsolePage } from '../console-page.ts';
import type { Notice } from '../../person/page-request.ts';
import type { PageRequest } from '../console-route.ts';
import { momentOf } from '../moment.ts';
import { passwordForm, type PasswordFault } from './password-page.ts';

/** What a person can do about their own sign-in. */
export async function sendAccountPage(
  visit: PageRequest,
  told: { notice?: Notice; passwordFault?: PasswordFault; codeFault?: string } = {},
): Promise<FastifyReply> {
  const { deps, staff, session, now } = visit;
  const [sessions, codes] = await Promise.all([
    listSessions(deps.pool, staff.id, session.tokenHash, now),
    countRecoveryCodes(deps.pool, staff.id),
  ]);
  return sendConsolePage(visit, {
    title: 'Your account',
    current: '/console/account',
    lead: `${staff.email}, role ${staff.role}`,
    notice: told.notice,
    body: html`<div class="columns">
      <section class="card flow">
        <h2>Sessions</h2>
        ${sessionTable(sessions)}
        <form method="post" action="/console/sign-out">
          ${csrfField(deps, visit.request, visit.reply)}
          <input type="hidden" name="everywhere" value="yes" />
          <button class="button danger" type="submit">Sign out everywhere</button>
        </form>
      </section>
      <section class="card flow">
        <h2>Password</h2>
        ${passwordForm(visit, told.passwordFault)}
      </section>
      <section class="card flow">
        <h2>Recovery codes</h2>
        <p>${count(codes, 'code')} left. New ones take the place of all old ones.</p>
        <form class="flow" method="post" action="/console/recovery-codes">
          ${csrfField(deps, visit.request, visit.reply)}
          ${textField({
            name: 'totp',
            label: 'Code',
            hint: 'From your authenticator.',
            fault: told.codeFault,
            autocomplete: 'one-time-code',
            maxlength: 20,
            required: true,
          })}
          <p><button class="button plain" type="submit">Make new codes</button></p>
        </form>
      </section>
    </div>`,
  });
}

function sessionTable(sessions: readonly SessionInfo[]): Html {
  return html`<table class="dense stack">
    <thead>
      <tr>
        <th scope="col">Where</th>
        <th scope="col">Since</th>
        <th scope="col">Last seen</th>
      </tr>
    </thead>
    <tbody>
      ${sessions.map(
        (session) =>
          html`<tr>
            <th scope="row">
              ${session.address} ${session.this_one && html`<span class="badge good">this one</span>`}
              <span class="soft agent-string">${session.user_agent.slice(0, 80)}</span>
            </th>
            <td data-label="Since">${momentOf(session.created_at)}</td>
            <td data-label="Last seen">${momentOf(session.last_seen_at)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}
