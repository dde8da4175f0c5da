import type { FastifyReply } from 'fastify';
import type { ListedPartner } from '../../../../accounts/partners/partner-roster.ts';
import { html, safeHref, type Html } from '../../../../core/text/html.ts';
import {
  bookingShare,
  monthUsage,
  usageByMonth,
  type BookingShare,
} from '../../../../metering/partner-usage.ts';
import { usageSection } from '../../usage-section.ts';
import { sentenceCase } from '../../frame/wording.ts';
import type { PageRequest, PageState } from '../../person/page-request.ts';
import type { Staff } from '../../person/people.ts';
import { keyFacts, emailVerifiedBadge, statusBadge, untrustedLink } from '../account-facts.ts';
import { sendConsolePage } from '../console-page.ts';
import { formatTime } from '../moment.ts';
import { recordCard, recordColumns } from '../record-columns.ts';
import { partnerForms } from './partner-forms.ts';
import { bookingsBadge } from './partners-page.ts';

const MONTHS = 6;

/** One partner: who answers for it, what it used, and what can be done about it. */
export async function sendPartnerPage(
  request: PageRequest<Staff>,
  partner: ListedPartner,
  state: PageState,
): Promise<FastifyReply> {
  const { deps, now } = request;
  await deps.meter.settle(partner.id);
  const [tools, months, share] = await Promise.all([
    monthUsage(deps.pool, partner.id, now),
    usageByMonth(deps.pool, partner.id, now, MONTHS),
    bookingShare(deps.pool, { id: partner.id, bookingsFrom: null }, now, deps.config.bookingFeePerCoverCents),
  ]);
  return sendConsolePage(request, {
    title: partner.name,
    current: '/console/partners',
    lead: html`${statusBadge(partner.status)} ${bookingsBadge(partner)} <code>${partner.id}</code>`,
    notice: noticeOf(state),
    body: recordColumns(
      html`${usageSection(partner, tools, months)} ${recordSection(partner, share)}`,
      partnerForms(request, partner, state),
    ),
  });
}

/** Repeats all field errors above the page, because a field with an error may not be on it. */
function noticeOf({ notice, faults }: PageState): PageState['notice'] {
  if (faults === undefined) return notice;
  return { kind: 'bad', text: `Nothing was changed. ${Object.values(faults).join(' ')}` };
}

function recordSection(partner: ListedPartner, share: BookingShare): Html {
  return recordCard(
    [
      ['Email', html`<bdi>${partner.email}</bdi> ${emailVerifiedBadge(partner)}`],
      ['Company', partner.company && html`<bdi>${partner.company}</bdi>`],
      ['Website', partner.website && untrustedLink(partner.website)],
      ['Use case', partner.use_case && html`<bdi>${partner.use_case}</bdi>`],
      ['Plan', sentenceCase(partner.plan)],
      ['Signed up', formatTime(partner.created_at)],
      ...keyFacts(partner),
      [
        'Tables this month',
        html`${share.originated} asked for, ${share.confirmed} confirmed.
          <a href="${safeHref(`/console/bookings?partner=${partner.id}`)}">All its bookings</a>`,
      ],
      ['Bookings', bookingsLine(partner)],
    ],
    html`<p>
      <a href="${safeHref(`/console/audit?subject=${partner.id}`)}">Its entries in the audit log</a>
    </p>`,
  );
}

function bookingsLine(partner: ListedPartner): Html | string {
  if (partner.bookings_at === null) return 'never switched on';
  return html`switched ${partner.bookings_enabled ? 'on' : 'off'} ${formatTime(partner.bookings_at)}
    ${partner.bookings_by !== null && html`by ${partner.bookings_by}`}:
    <bdi>${partner.bookings_reason}</bdi>`;
}
