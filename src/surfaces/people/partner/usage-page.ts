import type { FastifyReply } from 'fastify';
import type { ListedPartner } from '../../../accounts/partners/partner-roster.ts';
import { setPayPerCall } from '../../../accounts/partners/partner-settings.ts';
import { closePartnerSession, signedInPartner } from '../../../accounts/sign-in/partner-session.ts';
import { recordAudit } from '../../../core/audit.ts';
import { transactionsOf } from '../../../core/postgres/db.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { monthUsage, usageByMonth } from '../../../metering/partner-usage.ts';
import { usdOfMillicents } from '../../../metering/plan-table.ts';
import { CONCIERGE_CALL, DIRECTORY_CALL, PARTNER_PLANS } from '../../../metering/plans.ts';
import { momentOf } from '../console/moment.ts';
import { checkCsrf } from '../form/csrf.ts';
import { readForm } from '../form/form-body.ts';
import { payPerCallFields, readPayPerCall } from '../pay-per-call-form.ts';
import { usageSection } from '../usage-section.ts';
import { figure, sentenceCase } from '../frame/wording.ts';
import { form, sendPartnerFrame, type Around, type PartnerPage } from './partner-frame.ts';

const MONTHS = 6;
const DONE: Readonly<Record<string, string>> = {
  saved: 'It is saved, and a mail about it is on its way to you.',
  same: 'It was so already. Nothing was changed.',
};

export async function showUsage(around: Around): Promise<FastifyReply> {
  const { deps, request, reply } = around;
  const partner = await signedInPartner(deps, request);
  if (partner === undefined)
    return reply.header('cache-control', 'no-store').redirect('/partner/sign-in', 303);
  const done = DONE[(request.query as { done?: string }).done ?? ''];
  return sendUsage(around, partner, done === undefined ? {} : { notice: { kind: 'good', text: done } });
}

async function sendUsage(
  around: Around,
  partner: ListedPartner,
  told: { notice?: PartnerPage['notice']; faults?: Record<string, string>; status?: number },
): Promise<FastifyReply> {
  const { deps } = around;
  const now = deps.clock.now();
  await deps.partnerCalls.settle(partner.id);
  const [tools, months] = await Promise.all([
    monthUsage(deps.pool, partner.id, now),
    usageByMonth(deps.pool, partner.id, now, MONTHS),
  ]);
  return sendPartnerFrame(around, {
    title: partner.name,
    lead: html`Usage of your partner account, <code>${partner.id}</code>.`,
    notice: told.notice,
    ...(told.status !== undefined && { status: told.status }),
    body: html`${usageSection(partner, tools, months, true)} ${planSection(around, partner)}
    ${payForm(around, partner, told.faults)}
    ${form(
      around,
      '/partner/sign-out',
      html`<p class="soft">
        Signed in as <bdi>${partner.email}</bdi>. <button class="button plain" type="submit">Sign out</button>
      </p>`,
    )}`,
  });
}

function planSection({ deps }: Around, partner: ListedPartner): Html {
  const { included, per_minute } = PARTNER_PLANS[partner.plan];
  const rows: [string, Html | string][] = [
    ['Plan', sentenceCase(partner.plan)],
    ['Limits', `${figure(included)} calls a month included, ${figure(per_minute)} a minute`],
    ['Key', partner.key_prefix === null ? 'none that works' : html`<code>${partner.key_prefix}…</code>`],
    [
      'Last used',
      partner.last_used_at === null ? 'never, as far as is known' : momentOf(partner.last_used_at),
    ],
    ['Table requests', partner.bookings_enabled ? 'on' : 'off; a person switches them on'],
    ['Status', sentenceCase(partner.status)],
  ];
  return html`<section class="card flow">
    <h2>Plan and key</h2>
    <dl class="record">
      ${rows.map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>
    <p class="soft">
      For a larger plan or for table requests write to
      <a href="mailto:${deps.config.contactEmail}">${deps.config.contactEmail}</a>. A new key is made by
      <code>POST /api/partner/signup</code> with the same address.
    </p>
  </section>`;
}

function payForm(around: Around, partner: ListedPartner, faults?: Record<string, string>): Html {
  const directory = usdOfMillicents(DIRECTORY_CALL);
  const concierge = usdOfMillicents(CONCIERGE_CALL);
  return html`<section class="card flow">
    <h2>Pay-per-call</h2>
    <p class="soft">
      Past what the plan includes, a call of a directory tool costs ${directory} and
      <code>concierge_answer</code> ${concierge}.
    </p>
    ${form(
      around,
      '/partner/pay-per-call',
      html`${payPerCallFields(partner, faults, faults && readForm(around.request))}
        <p><button class="button" type="submit">Save</button></p>`,
    )}
  </section>`;
}

export async function changePayPerCall(around: Around): Promise<FastifyReply> {
  const { deps, request, reply } = around;
  checkCsrf(deps, request);
  const partner = await signedInPartner(deps, request);
  if (partner === undefined) return reply.redirect('/partner/sign-in', 303);
  const read = readPayPerCall(readForm(request));
  if (!read.ok) {
    const notice = { kind: 'bad', text: 'Nothing was changed. Look at the marked field.' } as const;
    return sendUsage(around, partner, { notice, faults: read.faults, status: 422 });
  }
  const { enabled, spendLimitCents } = read.to;
  const changed = await transactionsOf(deps.pool)(async (tx) => {
    const now = deps.clock.now();
    if (!(await setPayPerCall(tx, { deps, newId: deps.newId, now }, partner.id, read.to))) return false;
    await recordAudit(tx, {
      at: now,
      actor: partner.id,
      operation: 'partner_pay_per_call',
      requestId: request.id,
      subject: partner.id,
      detail: { enabled, spend_limit_cents: spendLimitCents },
    });
    return true;
  });
  if (changed) await deps.lease.lapsed();
  return reply.redirect(`/partner?done=${changed ? 'saved' : 'same'}`, 303);
}

export async function signOut({ deps, request, reply }: Around): Promise<FastifyReply> {
  checkCsrf(deps, request);
  return reply
    .header('set-cookie', await closePartnerSession(deps, request))
    .redirect('/partner/sign-in', 303);
}
