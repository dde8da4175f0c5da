import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ListedPartner } from '../../../accounts/partners/partner-roster.ts';
import { setPayPerCall } from '../../../accounts/partners/partner-settings.ts';
import type { Deps } from '../../../core/context.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { monthUsage, usageByMonth } from '../../../metering/partner-usage.ts';
import { usdOfMillicents } from '../../../metering/plan-table.ts';
import { CONCIERGE_CALL, DIRECTORY_CALL, PARTNER_PLANS } from '../../../metering/plans.ts';
import { requirePayments } from '../../../wallet/payments.ts';
import { CONNECTIONS_PATH } from '../../../oauth/paths.ts';
import { keyFacts } from '../console/account-facts.ts';
import { definitionList } from '../frame/definition-list.ts';
import { form, sendFrame } from '../frame/frame.ts';
import { formatNumber } from '../../../core/text/format-count.ts';
import { sentenceCase } from '../frame/wording.ts';
import { payPerCallFields, readPayPerCall } from '../pay-per-call-form.ts';
import { refuse, type Action } from '../person/action.ts';
import { anybody } from '../person/audience.ts';
import { doneNotice, type PageRequest, type PageState } from '../person/page-request.ts';
import { partner } from '../person/people.ts';
import { addAction, addPage } from '../person/person-route.ts';
import { addSignOut } from '../person/sign-out.ts';
import { usageSection } from '../usage-section.ts';

const MONTHS = 6;
const DONE: Readonly<Record<string, string>> = {
  saved: 'It is saved, and a mail about it is on its way to you.',
  same: 'Nothing was changed: it is already set this way.',
};

/** Adds the page with a partner's usage and its settings for calls beyond the allowance. */
export function addUsagePage(scope: FastifyInstance, deps: Deps): void {
  addPage(scope, deps, {
    path: '/partner',
    who: partner,
    show: (request) => sendUsage(request, { notice: doneNotice(request.query, DONE) }),
  });
  addAction(scope, deps, changePayPerCall);
  const to = () => '/partner/sign-in';
  addSignOut(scope, deps, { session: 'partner', path: '/partner/sign-out', who: anybody, to });
}

const changePayPerCall: Action<ListedPartner> = {
  name: 'partner_pay_per_call',
  path: '/partner/pay-per-call',
  who: partner,
  async run(act) {
    const read = readPayPerCall(act.form);
    if (!read.ok) {
      const notice = { kind: 'bad', text: 'Nothing was changed. Please check the marked field.' } as const;
      refuse({ notice, faults: read.faults });
    }
    const { id } = act.person;
    const { enabled, spendLimitCents } = read.to;
    if (enabled) requirePayments(act.deps);
    if (!(await setPayPerCall(act.db, act, id, read.to))) {
      act.unchanged();
      return { to: '/partner?done=same' };
    }
    act.invalidateKeyCaches();
    act.audit(id, { enabled, spend_limit_cents: spendLimitCents });
    return { to: '/partner?done=saved' };
  },
  page: sendUsage,
};

async function sendUsage(request: PageRequest<ListedPartner>, state: PageState): Promise<FastifyReply> {
  const { deps, person, now } = request;
  await deps.meter.settle(person.id);
  const [tools, months] = await Promise.all([
    monthUsage(deps.pool, person.id, now),
    usageByMonth(deps.pool, person.id, now, MONTHS),
  ]);
  return sendFrame(request, 'partner', {
    title: person.name,
    lead: html`Usage of your partner account, <code>${person.id}</code>.`,
    notice: state.notice,
    body: html`${usageSection(person, tools, months, true)} ${planSection(request, person)}
    ${payForm(request, state)}
    ${form(
      request,
      '/partner/sign-out',
      html`<p class="soft">
        Signed in as <bdi>${person.email}</bdi>. <button class="button plain" type="submit">Sign out</button>
      </p>`,
    )}`,
  });
}

function planSection({ deps }: PageRequest, partner: ListedPartner): Html {
  const { included, per_minute } = PARTNER_PLANS[partner.plan];
  return html`<section class="card flow">
    <h2>Plan and key</h2>
    ${definitionList('record', [
      ['Plan', sentenceCase(partner.plan)],
      ['Limits', `${formatNumber(included)} calls a month included, ${formatNumber(per_minute)} a minute`],
      ...keyFacts(partner),
      ['Table requests', partner.bookings_enabled ? 'on' : 'off; our staff switch them on'],
      ['Status', sentenceCase(partner.status)],
    ])}
    <p class="soft">
      For a larger plan or for table requests write to
      <a href="mailto:${deps.config.contactEmail}">${deps.config.contactEmail}</a>. You get a new key with
      <code>POST /api/partner/signup</code> and the same address. Clients that need no key are among your
      <a href="${CONNECTIONS_PATH}">connected clients</a>.
    </p>
  </section>`;
}

function payForm(request: PageRequest<ListedPartner>, { form: submitted, faults }: PageState): Html {
  const directory = usdOfMillicents(DIRECTORY_CALL);
  const concierge = usdOfMillicents(CONCIERGE_CALL);
  return html`<section class="card flow">
    <h2>Pay-per-call</h2>
    <p class="soft">
      Beyond the plan, a call of a directory tool costs ${directory} and
      <code>concierge_answer</code> ${concierge}.
    </p>
    ${form(
      request,
      '/partner/pay-per-call',
      html`${payPerCallFields(request.person, faults, submitted)}
        <p><button class="button" type="submit">Save</button></p>`,
    )}
  </section>`;
}
