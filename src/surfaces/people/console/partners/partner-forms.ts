import type { ListedPartner } from '../../../../accounts/partners/partner-roster.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import { choiceField, reasonField } from '../../form/form-field.ts';
import { form } from '../../frame/frame.ts';
import { sentenceCase } from '../../frame/wording.ts';
import { payPerCallFields } from '../../pay-per-call-form.ts';
import type { PageRequest, PageState } from '../../person/page-request.ts';
import { DESK, LEADS, REVIEWERS, type Staff } from '../../person/people.ts';
import { PLAN_NAMES } from './partners-page.ts';

/** What was sent to one of the forms and what was wrong with it; nothing when another one was sent. */
interface Sent {
  form: URLSearchParams | undefined;
  faults: Readonly<Record<string, string>>;
}

const NOT_SENT: Sent = { form: undefined, faults: {} };

/** What may be done to the partner in its state, by this person. A revoked one stays so. */
export function partnerForms(request: PageRequest<Staff>, partner: ListedPartner, state: PageState): Html {
  const { role } = request.person;
  if (partner.status === 'revoked')
    return html`<section class="card">
      <p>The account was closed for good. The partner can write to us.</p>
    </section>`;
  const sentTo = (name: string): Sent =>
    state.action === `partner_${name}` ? { form: state.form, faults: state.faults ?? {} } : NOT_SENT;
  const move = partner.status === 'active' ? 'suspend' : 'unsuspend';
  return html`${DESK.includes(role) && bookingsForm(request, partner, sentTo('bookings'))}
  ${DESK.includes(role) && payForm(request, partner, sentTo('pay_per_call'))}
  ${LEADS.includes(role) && planForm(request, partner, sentTo('plan'))}
  ${
    REVIEWERS.includes(role) &&
    measure(request, partner, move, move === 'suspend' ? 'Suspend' : 'Lift the suspension', sentTo(move))
  }
  ${LEADS.includes(role) && measure(request, partner, 'revoke', 'Close the account', sentTo('revoke'))}`;
}

function formAround(
  request: PageRequest,
  partner: ListedPartner,
  path: '' | `/${string}`,
  title: string,
  body: Html,
): Html {
  const fields = html`<h2>${title}</h2>
    ${body}`;
  return form(request, `/console/partners/${partner.id}${path}`, fields, { className: 'card flow' });
}

/** Why bookings cannot be switched on for a partner yet, and what leads there; undefined when they can. */
export function bookingsObstacle(
  { baseUrl }: { baseUrl: string },
  partner: ListedPartner,
): string | undefined {
  if (partner.email_verified_at !== null) return undefined;
  return `Nobody has proven the mailbox ${partner.email} yet, so the key may be in the hands of a stranger who named it. Ask the partner to sign in once at ${baseUrl}/partner/sign-in: that proves the mailbox, ends the key from before and shows a new one.`;
}

function bookingsForm(request: PageRequest, partner: ListedPartner, sent: Sent): Html {
  const obstacle = bookingsObstacle(request.deps.config, partner);
  if (obstacle !== undefined)
    return html`<section class="card flow">
      <h2>Bookings cannot be switched on</h2>
      <p><bdi>${obstacle}</bdi></p>
    </section>`;
  const to = partner.bookings_enabled ? 'off' : 'on';
  return formAround(
    request,
    partner,
    '',
    `Switch bookings ${to}`,
    html`<p class="soft">
        ${
          partner.bookings_enabled
            ? 'Its key can ask for no more tables. What is confirmed stays confirmed.'
            : 'Its key can ask venues for tables from the next call on.'
        }
      </p>
      <input type="hidden" name="bookings_enabled" value="${to}" />
      ${toldReason('bookings', sent)}
      <button class="button ${to === 'off' && 'danger'}" type="submit">Switch bookings ${to}</button>`,
  );
}

function payForm(request: PageRequest, partner: ListedPartner, { form: sent, faults }: Sent): Html {
  return formAround(
    request,
    partner,
    '/pay-per-call',
    'Pay-per-call',
    html`${payPerCallFields(partner, faults, sent)}
      <button class="button plain" type="submit">Save pay-per-call</button>`,
  );
}

function planForm(request: PageRequest, partner: ListedPartner, sent: Sent): Html {
  return formAround(
    request,
    partner,
    '/plan',
    'Plan',
    html`${choiceField({
        name: 'plan',
        label: 'Plan',
        value: sent.form?.get('plan') ?? partner.plan,
        fault: sent.faults['plan'],
        choices: PLAN_NAMES.map((name) => [name, sentenceCase(name)] as const),
      })}
      ${toldReason('plan', sent)} <button class="button plain" type="submit">Change the plan</button>`,
  );
}

function measure(
  request: PageRequest,
  partner: ListedPartner,
  move: string,
  title: string,
  sent: Sent,
): Html {
  return formAround(
    request,
    partner,
    `/${move}`,
    title,
    html`${toldReason(move, sent)}
      <button class="button ${move === 'unsuspend' ? 'plain' : 'danger'}" type="submit">${title}</button>`,
  );
}

function toldReason(name: string, { form: sent, faults }: Sent): Html {
  const value = sent?.get('reason') ?? '';
  return reasonField({ id: `${name}-reason`, hint: 'The partner is told.', value, fault: faults['reason'] });
}
