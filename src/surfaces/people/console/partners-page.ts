import { z } from 'zod';
import {
  readApplications,
  type ApplicationSubject,
  type PartnerApplication,
} from '../../../accounts/partners/partner-application.ts';
import { findPartner, listPartners, type ListedPartner } from '../../../accounts/partners/partner-roster.ts';
import {
  movePartner,
  refuseApplication,
  setBookings,
  setPayPerCall,
  setPlan,
  type PartnerMove,
} from '../../../accounts/partners/partner-settings.ts';
import type { AuditDetail } from '../../../core/audit.ts';
import { AppError } from '../../../core/errors.ts';
import type { Db } from '../../../core/postgres/db.ts';
import { html, type Html } from '../../../core/text/html.ts';
import {
  bookingShare,
  monthUsage,
  usageByMonth,
  type BookingShare,
} from '../../../metering/partner-usage.ts';
import { PARTNER_PLANS, type PartnerPlanName } from '../../../metering/plans.ts';
import { actionForm } from '../form/action-form.ts';
import { choiceInput, hiddenInput, reasonInput } from '../form/fields.ts';
import { badge, card, link, noteCard, rowLink, softText, userText } from '../frame/components.ts';
import { sentenceCase } from '../frame/wording.ts';
import { payPerCallFields, payPerCallOf, payPerCallValues } from '../pay-per-call-form.ts';
import { conflict, defineAction, refuse, type ActionContext, type ActionResult } from '../person/action.ts';
import type { PageRequest, PageState } from '../person/page-request.ts';
import type { Audience } from '../person/audience.ts';
import { definePage } from '../person/page.ts';
import { allStaff, deskStaff, leads, reviewers, type Staff } from '../person/people.ts';
import { usageSection } from '../usage-section.ts';
import {
  emailVerifiedBadge,
  keyFacts,
  recordCard,
  recordColumns,
  statusBadge,
  untrustedLink,
} from './record-parts.ts';
import { choicesAmong, listPage, newestFirst } from './list-page.ts';
import { formatTime } from './moment.ts';

const PLAN_NAMES = Object.keys(PARTNER_PLANS) as PartnerPlanName[];

export const partnersPage = listPage({
  title: 'Partners',
  path: '/console/partners',
  key: 't',
  lead: 'Companies that read the directory and request tables. The newest first.',
  filters: () => ({
    q: { label: 'Name, company, email or id', type: 'search', maxlength: 120 },
    plan: { label: 'Plan', choices: choicesAmong(PLAN_NAMES) },
  }),
  ...newestFirst,
  list: ({ deps }, { q: query, plan }, { cursor: after, limit }) =>
    listPartners(deps.pool, { query, plan, after, limit }),
  columns: () => [
    ['Partner', ({ id, name }) => rowLink(`/console/partners/${id}`, userText(name))],
    ['Email', emailWords],
    ['Status', ({ status }) => statusBadge(status)],
    ['Plan', ({ plan }) => sentenceCase(plan), 'plan'],
    ['Bookings', bookingsBadge, 'bookings'],
    ['Since', ({ created_at }) => formatTime(created_at), 'since'],
  ],
  empty: 'Partners appear here when they sign up for a key.',
  noMatch: 'Nobody matches this.',
});

function emailWords(partner: ListedPartner): Html {
  return html`<bdi>${partner.email}</bdi> ${emailVerifiedBadge(partner)}
    ${partner.company !== null && softText(userText(partner.company))}`;
}

function bookingsBadge({ bookings_enabled }: ListedPartner): Html {
  return bookings_enabled ? badge('good', 'Bookings on') : badge('', 'Bookings off');
}

const PATH = '/console/partners/:id';
const MONTHS = 6;
const reason = reasonInput('The partner is notified.');

const switchBookings = defineAction({
  name: 'partner_bookings',
  path: PATH,
  who: deskStaff,
  title: 'Switch bookings',
  fields: { bookings_enabled: hiddenInput(z.enum(['on', 'off'], 'must be on or off')), reason },
  done: 'Saved. The partner is notified.',
  async run(act, values) {
    const partner = await partnerOf(act.db, act.params);
    const enabled = values.bookings_enabled === 'on';
    const obstacle = enabled ? bookingsObstacle(act.deps.config, partner) : undefined;
    if (obstacle !== undefined) refuse({ faults: { bookings_enabled: obstacle } });
    const to = { enabled, reason: values.reason, staffId: act.person.id };
    const changed = await setBookings(act.db, act, partner.id, to);
    return finish(act, partner, changed, { enabled, reason: values.reason });
  },
});

const switchPayPerCall = defineAction({
  name: 'partner_pay_per_call',
  path: `${PATH}/pay-per-call`,
  who: deskStaff,
  title: 'Pay-per-call',
  fields: payPerCallFields,
  button: 'Save pay-per-call',
  plain: true,
  done: 'Pay-per-call is saved, and the partner is notified.',
  async run(act, values) {
    const partner = await partnerOf(act.db, act.params);
    const settings = payPerCallOf(values);
    const changed = await setPayPerCall(act.db, act, partner.id, settings);
    return finish(act, partner, changed, {
      enabled: settings.enabled,
      spend_limit_cents: settings.spendLimitCents,
    });
  },
});

const changePlan = defineAction({
  name: 'partner_plan',
  path: `${PATH}/plan`,
  who: leads,
  title: 'Plan',
  fields: {
    plan: choiceInput(
      PLAN_NAMES.map((name) => [name, sentenceCase(name)] as const),
      { label: 'Plan' },
      'must be one of the plans',
    ),
    reason,
  },
  button: 'Change the plan',
  plain: true,
  done: 'The plan is changed, and the partner is notified.',
  async run(act, values) {
    const partner = await partnerOf(act.db, act.params);
    return finish(act, partner, await setPlan(act.db, act, partner.id, values), values);
  },
});

function statusAction(
  move: PartnerMove,
  who: Audience<Staff>,
  texts: { title: string; done: string; danger?: boolean; plain?: boolean },
) {
  return defineAction({
    name: `partner_${move}`,
    path: `${PATH}/${move}`,
    who,
    fields: { reason },
    ...texts,
    async run(act, values) {
      const partner = await partnerOf(act.db, act.params);
      const changed = await movePartner(act.db, act, partner.id, { move, ...values });
      if (!changed)
        conflict(
          'Somebody else changed this partner. Your change was not made. Check the state, then try again.',
        );
      return finish(act, partner, changed, values);
    },
  });
}

const suspend = statusAction('suspend', reviewers, {
  title: 'Suspend',
  danger: true,
  done: 'The partner is suspended and notified.',
});
const unsuspend = statusAction('unsuspend', reviewers, {
  title: 'Lift the suspension',
  plain: true,
  done: 'The suspension is lifted, and the partner is notified.',
});
const revoke = statusAction('revoke', leads, {
  title: 'Close the account',
  danger: true,
  done: 'The account is closed, and the partner is notified.',
});

function refusalAction(wants: ApplicationSubject, who: Audience<Staff>) {
  return defineAction({
    name: `partner_refuse_${wants}`,
    path: `${PATH}/${wants}-refusal`,
    who,
    fields: { reason },
    button: 'Refuse the application',
    confirm: 'Nothing changes for the partner, who gets a mail with the reason and may apply again.',
    done: 'The application is refused, and the partner is notified.',
    async run(act, values) {
      const partner = await partnerOf(act.db, act.params);
      if (!(await refuseApplication(act.db, act, partner, { wants, ...values })))
        conflict('The application has been answered. Nothing was changed.');
      act.audit(partner.id, values);
    },
  });
}

const refuseBookings = refusalAction('bookings', deskStaff);
const refusePlan = refusalAction('plan', leads);

/** Invalidates the key caches after a change, because a partner's settings determine what its key may do. */
function finish(
  act: ActionContext<Staff>,
  { id }: ListedPartner,
  changed: boolean,
  detail: AuditDetail,
): ActionResult {
  if (changed) {
    act.audit(id, detail);
    act.invalidateKeyCaches();
  } else act.unchanged();
  return { done: changed || 'same' };
}

/** One partner: who answers for it, what it used, and what can be done about it. */
export const partnerPage = definePage({
  path: PATH,
  who: allStaff,
  async load({ deps, params, now }) {
    const partner = await partnerOf(deps.pool, params);
    const { id } = partner;
    await deps.meter.settle(id);
    const [tools, months, share, applications] = await Promise.all([
      monthUsage(deps.pool, id, now),
      usageByMonth(deps.pool, id, now, MONTHS),
      bookingShare(deps.pool, { id, bookingsFrom: null }, now, deps.config.bookingFeePerCoverCents),
      readApplications(deps.pool, id),
    ]);
    return { partner, tools, months, share, applications };
  },
  view: (req, { partner, tools, months, share, applications }, state) => ({
    title: partner.name,
    lead: html`${statusBadge(partner.status)} ${bookingsBadge(partner)} <code>${partner.id}</code>`,
    notice: noticeOf(state),
    body: recordColumns(
      html`${usageSection(partner, tools, months)} ${recordSection(partner, share)}`,
      html`${applicationSection(req, refuseBookings, applications.bookings, state)}
      ${applicationSection(req, refusePlan, applications.plan, state)} ${partnerForms(req, partner, state)}`,
    ),
  }),
  actions: [
    switchBookings,
    switchPayPerCall,
    changePlan,
    suspend,
    unsuspend,
    revoke,
    refuseBookings,
    refusePlan,
  ],
  notices: { same: 'Nothing was changed: it is already set this way.' },
});

/** Shows an application that waits for its answer. The form that grants it is below. */
function applicationSection(
  req: PageRequest<Staff>,
  refusal: ReturnType<typeof refusalAction>,
  application: PartnerApplication | undefined,
  state: PageState,
): Html | false {
  if (application?.state !== 'open') return false;
  const { plan, reason: why, made_at: at } = application;
  return card(
    html`Applies for ${plan === null ? 'table requests' : `the plan ${sentenceCase(plan)}`}
    ${badge('warn', 'Open')}`,
    html`<blockquote>${userText(why)}</blockquote>
      <p class="soft">
        Sent ${formatTime(at)}. To grant it, ${plan === null ? 'switch bookings on' : 'change the plan'}
        below: that answers the application.
      </p>
      ${actionForm(req, refusal, state)}`,
  );
}

/** Repeats all field errors above the page, because a field with an error may not be on it. */
function noticeOf({ notice, faults }: PageState): PageState['notice'] {
  if (faults === undefined) return notice;
  return { kind: 'bad', text: `Nothing was changed. ${Object.values(faults).join(' ')}` };
}

/** Forms for the partner's current state. A revocation is final. */
function partnerForms(req: PageRequest<Staff>, partner: ListedPartner, state: PageState): Html {
  if (partner.status === 'revoked')
    return noteCard('The account was closed for good. The partner can write to us.');
  return html`${deskStaff.allows(req.person) && bookingsForm(req, partner, state)}
  ${actionForm(req, switchPayPerCall, state, { values: payPerCallValues(partner) })}
  ${actionForm(req, changePlan, state, { values: { plan: partner.plan } })}
  ${actionForm(req, partner.status === 'active' ? suspend : unsuspend, state)}
  ${actionForm(req, revoke, state)}`;
}

function bookingsForm(req: PageRequest<Staff>, partner: ListedPartner, state: PageState): Html | false {
  const obstacle = bookingsObstacle(req.deps.config, partner);
  if (obstacle !== undefined)
    return card('Bookings cannot be switched on', html`<p><bdi>${obstacle}</bdi></p>`);
  const isOn = partner.bookings_enabled;
  const to = isOn ? 'off' : 'on';
  return actionForm(req, switchBookings, state, {
    title: `Switch bookings ${to}`,
    help: isOn
      ? 'Its key can no longer request tables. Confirmed tables stay confirmed.'
      : 'Its key can request tables from the next call on.',
    values: { bookings_enabled: to },
    danger: isOn,
  });
}

/** Explains why bookings cannot be switched on for the partner yet and how to change that; undefined when they can. */
function bookingsObstacle({ baseUrl }: { baseUrl: string }, partner: ListedPartner): string | undefined {
  if (partner.email_verified_at !== null) return undefined;
  return `The mailbox ${partner.email} is not verified yet, so somebody else may have signed up with it and have the key. Ask the partner to sign in once at ${baseUrl}/partner/sign-in: that verifies the mailbox, revokes the old key and shows a new one.`;
}

function recordSection(partner: ListedPartner, share: BookingShare): Html {
  return recordCard(
    [
      ['Email', html`<bdi>${partner.email}</bdi> ${emailVerifiedBadge(partner)}`],
      ['Company', partner.company && userText(partner.company)],
      ['Website', partner.website && untrustedLink(partner.website)],
      ['Use case', partner.use_case && userText(partner.use_case)],
      ['Plan', sentenceCase(partner.plan)],
      ['Signed up', formatTime(partner.created_at)],
      ...keyFacts(partner),
      [
        'Tables this month',
        html`${share.originated} asked for, ${share.confirmed} confirmed.
        ${link(`/console/bookings?partner=${partner.id}`, 'All its bookings')}`,
      ],
      ['Bookings', bookingsLine(partner)],
    ],
    html`<p>${link(`/console/audit?subject=${partner.id}`, 'Its entries in the audit log')}</p>`,
  );
}

function bookingsLine(partner: ListedPartner): Html | string {
  if (partner.bookings_at === null) return 'never switched on';
  return html`switched ${partner.bookings_enabled ? 'on' : 'off'} ${formatTime(partner.bookings_at)}
    ${partner.bookings_by !== null && html`by ${partner.bookings_by}`}:
    <bdi>${partner.bookings_reason}</bdi>`;
}

async function partnerOf(db: Db, { id = '' }: PageRequest['params']): Promise<ListedPartner> {
  const partner = await findPartner(db, id);
  if (partner === undefined) throw new AppError('not_found', 'There is no partner with this id.');
  return partner;
}
