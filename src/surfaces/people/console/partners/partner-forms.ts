import type { ListedPartner } from '../../../../accounts/partners/partner-roster.ts';
import { html, safeHref, type Html } from '../../../../core/text/html.ts';
import { csrfField } from '../../form/csrf.ts';
import { areaField, choiceField } from '../../form/form-field.ts';
import { payPerCallFields } from '../../pay-per-call-form.ts';
import { sentenceCase } from '../../frame/wording.ts';
import { DESK, LEADS, REVIEWERS, type PageRequest } from '../console-route.ts';
import { PLAN_NAMES } from './partners-page.ts';

/** Which form was sent with faults, and what they are, by field. */
export interface FormFaults {
  form: string;
  fields: Record<string, string>;
}

/** What may be done to the partner in its state, by this person. A revoked one stays so. */
export function partnerForms(visit: PageRequest, partner: ListedPartner, faults?: FormFaults): Html {
  const { role } = visit.staff;
  if (partner.status === 'revoked')
    return html`<section class="card">
      <p>The account was closed for good. The partner can write to us.</p>
    </section>`;
  const faultsOf = (form: string) => (faults?.form === form ? faults.fields : {});
  const move = partner.status === 'active' ? 'suspend' : 'unsuspend';
  return html`${DESK.includes(role) && bookingsForm(visit, partner, faultsOf(''))}
  ${DESK.includes(role) && payForm(visit, partner, faultsOf('pay-per-call'))}
  ${LEADS.includes(role) && planForm(visit, partner, faultsOf('plan'))}
  ${
    REVIEWERS.includes(role) &&
    measure(visit, partner, move, move === 'suspend' ? 'Suspend' : 'Lift the suspension', faultsOf(move))
  }
  ${LEADS.includes(role) && measure(visit, partner, 'revoke', 'Close the account', faultsOf('revoke'))}`;
}

function formAround(
  visit: PageRequest,
  partner: ListedPartner,
  path: string,
  title: string,
  body: Html,
): Html {
  const { deps, request, reply } = visit;
  return html`<form
    class="card flow"
    method="post"
    action="${safeHref(`/console/partners/${partner.id}${path === '' ? '' : `/${path}`}`)}"
  >
    <h2>${title}</h2>
    ${csrfField(deps, request, reply)} ${body}
  </form>`;
}

/** Why bookings cannot be switched on for a partner yet, and what leads there; undefined when they can. */
export function bookingsObstacle({ deps }: PageRequest, partner: ListedPartner): string | undefined {
  if (partner.email_verified_at !== null) return undefined;
  return `Nobody has proven the mailbox ${partner.email} yet, so the key may be in the hands of a stranger who named it. Ask the partner to sign in once at ${deps.config.baseUrl}/partner/sign-in: that proves the mailbox, ends the key from before and shows a new one.`;
}

function bookingsForm(visit: PageRequest, partner: ListedPartner, faults: Record<string, string>): Html {
  const obstacle = bookingsObstacle(visit, partner);
  if (obstacle !== undefined)
    return html`<section class="card flow">
      <h2>Bookings cannot be switched on</h2>
      <p><bdi>${obstacle}</bdi></p>
    </section>`;
  const to = partner.bookings_enabled ? 'off' : 'on';
  return formAround(
    visit,
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
      ${reasonField('bookings', faults)}
      <button class="button ${to === 'off' && 'danger'}" type="submit">Switch bookings ${to}</button>`,
  );
}

function payForm(visit: PageRequest, partner: ListedPartner, faults: Record<string, string>): Html {
  return formAround(
    visit,
    partner,
    'pay-per-call',
    'Pay-per-call',
    html`${payPerCallFields(partner, faults, Object.keys(faults).length > 0 ? visit.form : undefined)}
      <button class="button plain" type="submit">Save pay-per-call</button>`,
  );
}

function planForm(visit: PageRequest, partner: ListedPartner, faults: Record<string, string>): Html {
  return formAround(
    visit,
    partner,
    'plan',
    'Plan',
    html`${choiceField({
        name: 'plan',
        label: 'Plan',
        value: partner.plan,
        fault: faults['plan'],
        choices: PLAN_NAMES.map((name) => [name, sentenceCase(name)] as const),
      })}
      ${reasonField('plan', faults)} <button class="button plain" type="submit">Change the plan</button>`,
  );
}

function measure(
  visit: PageRequest,
  partner: ListedPartner,
  move: string,
  title: string,
  faults: Record<string, string>,
): Html {
  return formAround(
    visit,
    partner,
    move,
    title,
    html`${reasonField(move, faults)}
      <button class="button ${move === 'unsuspend' ? 'plain' : 'danger'}" type="submit">${title}</button>`,
  );
}

function reasonField(form: string, faults: Record<string, string>): Html {
  return areaField({
    name: 'reason',
    id: `${form}-reason`,
    label: 'Reason',
    hint: 'The partner is told.',
    fault: faults['reason'],
    rows: 2,
    maxlength: 1000,
    required: true,
  });
}
