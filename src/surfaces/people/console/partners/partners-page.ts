import type { FastifyReply } from 'fastify';
import { listPartners, type ListedPartner } from '../../../../accounts/partners/partner-roster.ts';
import { html, safeHref, type Html } from '../../../../core/text/html.ts';
import { PARTNER_PLANS, type PartnerPlanName } from '../../../../metering/plans.ts';
import { choiceField, textField } from '../../form/form-field.ts';
import { sentenceCase } from '../../frame/wording.ts';
import type { PageRequest } from '../../person/page-request.ts';
import type { Staff } from '../../person/people.ts';
import { mailboxBadge, statusBadge } from '../agents/agents-page.ts';
import { sendConsolePage } from '../console-page.ts';
import { momentOf } from '../moment.ts';
import { table } from '../../frame/table.ts';

const PAGE_SIZE = 50;
export const PLAN_NAMES = Object.keys(PARTNER_PLANS) as PartnerPlanName[];

export async function sendPartnersPage(request: PageRequest<Staff>): Promise<FastifyReply> {
  const { deps, query } = request;
  const words = (query.get('q') ?? '').trim().slice(0, 120);
  const plan = PLAN_NAMES.find((known) => known === query.get('plan'));
  const found = await listPartners(deps.pool, {
    query: words === '' ? undefined : words,
    plan,
    after: query.get('after') ?? undefined,
    limit: PAGE_SIZE + 1,
  });
  const partners = found.slice(0, PAGE_SIZE);
  const filter = { ...(words !== '' && { q: words }), ...(plan && { plan }) };
  const next = found.length > PAGE_SIZE ? partners.at(-1)?.id : undefined;
  return sendConsolePage(request, {
    title: 'Partners',
    current: '/console/partners',
    lead: 'Who reads the directory in bulk and asks for tables. The newest first.',
    body: html`<form class="filters" method="get" action="/console/partners">
        ${textField({ name: 'q', label: 'Name, company, email or id', type: 'search', value: words, maxlength: 120 })}
        ${choiceField({
          name: 'plan',
          label: 'Plan',
          value: plan ?? '',
          choices: [['', 'All'], ...PLAN_NAMES.map((one) => [one, sentenceCase(one)] as const)],
        })}
        <button class="button plain" type="submit">Find</button>
      </form>
      ${partners.length === 0 ? nobody(words !== '' || plan !== undefined) : partnerTable(partners)}
      ${
        next !== undefined &&
        html`<nav class="pager" aria-label="Pages">
          <a
            rel="next"
            href="${safeHref(`/console/partners?${new URLSearchParams({ ...filter, after: next }).toString()}`)}"
            >Next ${PAGE_SIZE}</a
          >
        </nav>`
      }`,
  });
}

function nobody(filtered: boolean): Html {
  return html`<div class="empty">
    <h2>No partners</h2>
    <p>${filtered ? 'Nobody matches this.' : 'Whoever signs up for a partner key appears here.'}</p>
  </div>`;
}

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
            <bdi>${partner.email}</bdi> ${mailboxBadge(partner)}
            ${partner.company !== null && html`<span class="soft"><bdi>${partner.company}</bdi></span>`}
          </td>
          <td>${statusBadge(partner.status)}</td>
          <td data-label="plan">${sentenceCase(partner.plan)}</td>
          <td data-label="bookings">${bookingsBadge(partner)}</td>
          <td data-label="since">${momentOf(partner.created_at)}</td>
        </tr>`,
    ),
  );
}

export function bookingsBadge({ bookings_enabled }: ListedPartner): Html {
  return bookings_enabled
    ? html`<span class="badge good">Bookings on</span>`
    : html`<span class="badge">Bookings off</span>`;
}
