import type { ListedPartner } from '../../../accounts/partners/partner-roster.ts';
import { setPayPerCall } from '../../../accounts/partners/partner-settings.ts';
import { formatNumber } from '../../../core/text/format-count.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { monthUsage, usageByMonth } from '../../../metering/partner-usage.ts';
import { usdOfMillicents } from '../../../metering/plan-table.ts';
import { CONCIERGE_CALL, DIRECTORY_CALL, PARTNER_PLANS } from '../../../metering/plans.ts';
import { CONNECTIONS_PATH } from '../../../oauth/paths.ts';
import { requirePayments } from '../../../wallet/payments.ts';
import { keyFacts } from '../console/record-parts.ts';
import { actionForm } from '../form/action-form.ts';
import { card } from '../frame/components.ts';
import { definitionList } from '../frame/definition-list.ts';
import { sentenceCase } from '../frame/wording.ts';
import { payPerCallFields, payPerCallOf, payPerCallValues } from '../pay-per-call-form.ts';
import { defineAction, type Action } from '../person/action.ts';
import { anybody } from '../person/audience.ts';
import { definePage } from '../person/page.ts';
import type { PageRequest } from '../person/page-request.ts';
import { partner } from '../person/people.ts';
import { signOutAction } from '../person/sign-out.ts';
import { usageSection } from '../usage-section.ts';

const MONTHS = 6;

const changePayPerCall = defineAction({
  name: 'partner_pay_per_call',
  path: '/partner/pay-per-call',
  who: partner,
  title: 'Pay-per-call',
  help: html`Beyond the plan, a call of a directory tool costs ${usdOfMillicents(DIRECTORY_CALL)} and
    <code>concierge_answer</code> ${usdOfMillicents(CONCIERGE_CALL)}.`,
  fields: payPerCallFields,
  button: 'Save',
  done: {
    saved: 'It is saved, and a mail about it is on its way to you.',
    same: 'Nothing was changed: it is already set this way.',
  },
  async run(act, values) {
    const { id } = act.person;
    const settings = payPerCallOf(values);
    if (settings.enabled) requirePayments(act.deps);
    if (!(await setPayPerCall(act.db, act, id, settings))) {
      act.unchanged();
      return { done: 'same' };
    }
    act.invalidateKeyCaches();
    act.audit(id, { enabled: settings.enabled, spend_limit_cents: settings.spendLimitCents });
    return { done: 'saved' };
  },
});

export const partnerSignOut: Action<unknown> = signOutAction({
  session: 'partner',
  path: '/partner/sign-out',
  who: anybody,
  to: '/partner/sign-in',
});

/** A partner's usage, and its settings for calls beyond the allowance. */
export const usagePage = definePage({
  path: '/partner',
  who: partner,
  async load({ deps, person, now }) {
    await deps.meter.settle(person.id);
    return Promise.all([
      monthUsage(deps.pool, person.id, now),
      usageByMonth(deps.pool, person.id, now, MONTHS),
    ]);
  },
  view(req, [tools, months], state) {
    const { person } = req;
    return {
      title: person.name,
      lead: html`Usage of your partner account, <code>${person.id}</code>.`,
      body: html`${usageSection(person, tools, months, true)} ${planSection(req)}
      ${actionForm(req, changePayPerCall, state, { values: payPerCallValues(person) })}
      ${actionForm(req, partnerSignOut, state, {
        more: html`<p class="soft">Signed in as <bdi>${person.email}</bdi>.</p>`,
      })}`,
    };
  },
  actions: [changePayPerCall],
});

function planSection({ deps, person: partner }: PageRequest<ListedPartner>): Html {
  const { included, per_minute } = PARTNER_PLANS[partner.plan];
  return card(
    'Plan and key',
    html`${definitionList('record', [
        ['Plan', sentenceCase(partner.plan)],
        ['Limits', `${formatNumber(included)} calls a month included, ${formatNumber(per_minute)} a minute`],
        ...keyFacts(partner),
        ['Table requests', partner.bookings_enabled ? 'on' : 'off; our staff switch them on'],
        ['Status', sentenceCase(partner.status)],
      ])}
      <p class="soft">
        For a larger plan or for table requests write to
        <a href="mailto:${deps.config.contactEmail}">${deps.config.contactEmail}</a>. Create and replace your
        key under <a href="/partner/keys">Keys</a>. Programs that you allowed by signing in, without a key,
        are listed under <a href="${CONNECTIONS_PATH}">connected clients</a>.
      </p>`,
  );
}
