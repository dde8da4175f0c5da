import { readApplications } from '../../../accounts/partners/partner-application.ts';
import { setPayPerCall } from '../../../accounts/partners/partner-settings.ts';
import { formatNumber } from '../../../core/text/format-count.ts';
import { html } from '../../../core/text/html.ts';
import { monthUsage, usageByMonth } from '../../../metering/partner-usage.ts';
import { planTable, usdOfMillicents } from '../../../metering/plan-table.ts';
import {
  CONCIERGE_CALL,
  DIRECTORY_CALL,
  PARTNER_PLANS,
  type PartnerPlanName,
} from '../../../metering/plans.ts';
import { requirePayments } from '../../../wallet/payments.ts';
import { actionForm } from '../form/action-form.ts';
import { choiceInput } from '../form/fields.ts';
import { badge, card } from '../frame/components.ts';
import { recordTable } from '../frame/table.ts';
import { sentenceCase } from '../frame/wording.ts';
import { payPerCallFields, payPerCallOf, payPerCallValues } from '../pay-per-call-form.ts';
import { defineAction, refuse } from '../person/action.ts';
import { definePage, ofAccount } from '../person/page.ts';
import { partner } from '../person/people.ts';
import { usageSection } from '../usage-section.ts';
import {
  APPLICATION_DONE,
  applicationCard,
  applicationLimit,
  applicationReason,
  sendApplication,
} from './application-section.ts';

const PATH = '/partner/plan';
const MONTHS = 6;
const PLAN_NAMES = Object.keys(PARTNER_PLANS) as PartnerPlanName[];

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

const applyForPlan = defineAction({
  name: 'partner_apply_for_plan',
  path: PATH,
  who: partner,
  title: 'Apply for another plan',
  help: 'Our staff read it, change the plan and mail you. Nothing is charged before that.',
  fields: {
    plan: choiceInput(
      PLAN_NAMES.map((name) => [name, sentenceCase(name)] as const),
      { label: 'Plan', placeholder: 'Choose a plan' },
      'must be one of the plans',
    ),
    reason: applicationReason('What you need it for', 'For example how many calls a month you expect.'),
  },
  rateLimits: [applicationLimit],
  button: 'Apply',
  done: APPLICATION_DONE,
  run(act, { plan, reason }) {
    if (plan === act.person.plan) refuse({ faults: { plan: 'is your plan already' } });
    return sendApplication(act, reason, plan);
  },
});

/** Usage and costs by month, the plan beside the others, pay-per-call, and the application for another plan. */
export const planPage = definePage({
  path: PATH,
  ...ofAccount(partner),
  nav: { label: 'Plan' },
  async load({ deps, person, now }) {
    const { id } = person;
    await deps.meter.settle(id);
    const [{ plan: application }, tools, months] = await Promise.all([
      readApplications(deps.pool, id),
      monthUsage(deps.pool, id, now),
      usageByMonth(deps.pool, id, now, MONTHS),
    ]);
    return { application, tools, months };
  },
  view: (req, { application, tools, months }, state) => {
    const { person, deps } = req;
    return {
      title: 'Plan',
      lead: `Your plan is ${sentenceCase(person.plan)}. Months are those of UTC.`,
      body: html`${usageSection(person, tools, months, true)}
      ${card(
        'Plans',
        recordTable('dense stack', planTable(deps.config), [
          [
            'Plan',
            ({ name }) => html`${sentenceCase(name)} ${name === person.plan && badge('good', 'Yours')}`,
          ],
          [
            { number: 'Calls a month' },
            (plan) => formatNumber(plan.included_calls_per_month),
            'Calls a month',
          ],
          [{ number: 'Calls a minute' }, (plan) => formatNumber(plan.calls_per_minute), 'Calls a minute'],
          ['Beyond that', (plan) => sentenceCase(`pay-per-call ${plan.pay_per_call}`), 'Beyond that'],
          ['Price', ({ price }) => price, 'Price'],
        ]),
      )}
      ${application !== undefined && applicationCard(application)}
      ${application?.state !== 'open' && actionForm(req, applyForPlan, state)}
      ${actionForm(req, changePayPerCall, state, { values: payPerCallValues(person) })}`,
    };
  },
  actions: [changePayPerCall, applyForPlan],
});
