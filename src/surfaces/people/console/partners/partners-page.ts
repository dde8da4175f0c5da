import { listPartners, type ListedPartner } from '../../../../accounts/partners/partner-roster.ts';
import { html, safeHref, type Html } from '../../../../core/text/html.ts';
import { PARTNER_PLANS, type PartnerPlanName } from '../../../../metering/plans.ts';
import { table } from '../../frame/table.ts';
import { sentenceCase } from '../../frame/wording.ts';
import { emailVerifiedBadge, statusBadge } from '../account-facts.ts';
import { formatTime } from '../moment.ts';
import { rosterPage } from '../roster-page.ts';

export const PLAN_NAMES = Object.keys(PARTNER_PLANS) as PartnerPlanName[];

export const partnersPage = rosterPage({
  title: 'Partners',
  path: '/console/partners',
  key: 't',
  lead: 'Companies that read the directory and request tables. The newest first.',
  searched: 'Name, company, email or id',
  choice: { name: 'plan', label: 'Plan', among: PLAN_NAMES },
  nobody: 'Partners appear here when they sign up for a key.',
  list: (db, { choice: plan, ...filter }) => listPartners(db, { ...filter, plan }),
  table: partnerTable,
});

function partnerTable(partners: readonly ListedPartner[]): Html {
  return table(
    { className: 'dense stack rows', columns: ['Partner', 'Email', 'Status', 'Plan', 'Bookings', 'Since'] },
    partners.map(
      (partner) =>
        html`<tr>
          <th scope="row">
            <a data-row href="${safeHref(`/console/partners/${partner.id}`)}"><bdi>${partner.name}</bdi></a>
          </th>
          <td>
            <bdi>${partner.email}</bdi> ${emailVerifiedBadge(partner)}
            ${partner.company !== null && html`<span class="soft"><bdi>${partner.company}</bdi></span>`}
          </td>
          <td>${statusBadge(partner.status)}</td>
          <td data-label="plan">${sentenceCase(partner.plan)}</td>
          <td data-label="bookings">${bookingsBadge(partner)}</td>
          <td data-label="since">${formatTime(partner.created_at)}</td>
        </tr>`,
    ),
  );
}

export function bookingsBadge({ bookings_enabled }: ListedPartner): Html {
  return bookings_enabled
    ? html`<span class="badge good">Bookings on</span>`
    : html`<span class="badge">Bookings off</span>`;
}
