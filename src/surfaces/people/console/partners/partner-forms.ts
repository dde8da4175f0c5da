import type { ListedPartner } from '../../../../accounts/partners/partner-roster.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import { choiceField, reasonField } from '../../form/form-field.ts';
import { form } from '../../frame/frame.ts';
import { sentenceCase } from '../../frame/wording.ts';
import { payPerCallFields } from '../../pay-per-call-form.ts';
import type { PageRequest, PageState } from '../../person/page-request.ts';
import { DESK_ROLES, LEAD_ROLES, REVIEWER_ROLES, type Staff } from '../../person/people.ts';
import { PLAN_NAMES } from './partners-page.ts';

/** Submitted values and errors of one form; empty when another form was submitted. */
interface SubmittedForm {
  form: URLSearchParams | undefined;
  faults: Readonly<Record<string, string>>;
}

const NOT_SUBMITTED: SubmittedForm = { form: undefined, faults: {} };

/** Forms for the actions that this person may take in the partner's current state. A revocation is final. */
export function partnerForms(request: PageRequest<Staff>, partner: ListedPartner, state: PageState): Html {
  const { role } = request.person;
  if (partner.status === 'revoked')
    return html`<section class="card">
      <p>The account was closed for good. The partner can write to us.</p>
    </section>`;
  const submittedTo = (name: string): SubmittedForm =>
    state.action === `partner_${name}` ? { form: state.form, faults: state.faults ?? {} } : NOT_SUBMITTED;
  const move = partner.status === 'active' ? 'suspend' : 'unsuspend';
  return html`${DESK_ROLES.includes(role) && bookingsForm(request, partner, submittedTo('bookings'))}
  ${DESK_ROLES.includes(role) && payForm(request, partner, submittedTo('pay_per_call'))}
  ${LEAD_ROLES.includes(role) && planForm(request, partner, submittedTo('plan'))}
  ${
    REVIEWER_ROLES.includes(role) &&
    statusForm(
      request,
      partner,
      move,
      move === 'suspend' ? 'Suspend' : 'Lift the suspension',
      submittedTo(move),
    )
  }
  ${LEAD_ROLES.includes(role) && statusForm(request, partner, 'revoke', 'Close the account', submittedTo('revoke'))}`;
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

/**
 * Explains why bookings cannot be enabled for the partner yet and how to change that; undefined when they can be
 * enabled.
 */
export function bookingsObstacle(
  { baseUrl }: { baseUrl: string },
  partner: ListedPartner,
): string | undefined {
  if (partner.email_verified_at !== null) return undefined;
  return `The mailbox ${partner.email} is not verified yet, so somebody else may have signed up with it and have the key. Ask the partner to sign in once at ${baseUrl}/partner/sign-in: that verifies the mailbox, revokes the old key and shows a new one.`;
}

function bookingsForm(request: PageRequest, partner: ListedPartner, submitted: SubmittedForm): Html {
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
            ? 'Its key can no longer request tables. Confirmed tables stay confirmed.'
            : 'Its key can request tables from the next call on.'
        }
      </p>
      <input type="hidden" name="bookings_enabled" value="${to}" />
      ${reasonInput('bookings', submitted)}
      <button class="button ${to === 'off' && 'danger'}" type="submit">Switch bookings ${to}</button>`,
  );
}

function payForm(
  request: PageRequest,
  partner: ListedPartner,
  { form: submitted, faults }: SubmittedForm,
): Html {
  return formAround(
    request,
    partner,
    '/pay-per-call',
    'Pay-per-call',
    html`${payPerCallFields(partner, faults, submitted)}
      <button class="button plain" type="submit">Save pay-per-call</button>`,
  );
}

function planForm(request: PageRequest, partner: ListedPartner, submitted: SubmittedForm): Html {
  return formAround(
    request,
    partner,
    '/plan',
    'Plan',
    html`${choiceField({
        name: 'plan',
        label: 'Plan',
        value: submitted.form?.get('plan') ?? partner.plan,
        fault: submitted.faults['plan'],
        choices: PLAN_NAMES.map((name) => [name, sentenceCase(name)] as const),
      })}
      ${reasonInput('plan', submitted)} <button class="button plain" type="submit">Change the plan</button>`,
  );
}

function statusForm(
  request: PageRequest,
  partner: ListedPartner,
  move: string,
  title: string,
  submitted: SubmittedForm,
): Html {
  return formAround(
    request,
    partner,
    `/${move}`,
    title,
    html`${reasonInput(move, submitted)}
      <button class="button ${move === 'unsuspend' ? 'plain' : 'danger'}" type="submit">${title}</button>`,
  );
}

function reasonInput(name: string, { form: submitted, faults }: SubmittedForm): Html {
  const value = submitted?.get('reason') ?? '';
  return reasonField({
    id: `${name}-reason`,
    hint: 'The partner is notified.',
    value,
    fault: faults['reason'],
  });
}
