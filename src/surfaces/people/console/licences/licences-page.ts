import type { FastifyReply } from 'fastify';
import { html, safeHref, type Html } from '../../../../core/text/html.ts';
import type { Licence } from '../../../../licensing/licence.ts';
import { listLicences, type ListedLicence } from '../../../../licensing/list-licences.ts';
import { reasonField } from '../../form/form-field.ts';
import { form } from '../../frame/frame.ts';
import { nextPage } from '../../frame/next-page.ts';
import { usd } from '../../../../core/text/money.ts';
import { sendConsolePage } from '../console-page.ts';
import type { PageRequest, PageState } from '../../person/page-request.ts';
import { LEAD_ROLES, type Staff } from '../../person/people.ts';
import { formatTime } from '../moment.ts';
import { table } from '../../frame/table.ts';
import { sentenceCase } from '../../frame/wording.ts';
import { recordCard, recordColumns } from '../record-columns.ts';

const PAGE_SIZE = 50;

export async function sendLicencesPage(req: PageRequest<Staff>): Promise<FastifyReply> {
  const { deps, query } = req;
  const requestedId = query.get('agent') ?? '';
  const agentId = /^agt_[0-9a-z]{26}$/.test(requestedId) ? requestedId : undefined;
  const page = Math.min(200, Math.max(1, Number.parseInt(query.get('page') ?? '1', 10) || 1));
  const { licences, total } = await listLicences(deps.pool, {
    agentId,
    limit: PAGE_SIZE,
    offset: (page - 1) * PAGE_SIZE,
  });
  const more = page * PAGE_SIZE < total;
  return sendConsolePage(req, {
    title: 'Licences',
    current: '/console/licences',
    lead: html`${total.toLocaleString('en')} photo
    licence${total !== 1 && 's'}${agentId !== undefined && html` of <code>${agentId}</code>`}, the newest
    first.`,
    body:
      licences.length === 0
        ? html`<div class="empty">
            <h2>No licences here</h2>
            <p>Each photo licence that an agent buys appears here and can be refunded.</p>
          </div>`
        : html`${licenceTable(licences)}
          ${nextPage('/console/licences', more && { agent: agentId, page: String(page + 1) }, 'Older licences')}`,
  });
}

function licenceTable(licences: readonly ListedLicence[]): Html {
  const columns = ['Licence', 'Agent', 'Use', { number: 'Price' }, 'When', 'State'];
  return table(
    { className: 'dense stack rows', columns },
    licences.map(
      (one) =>
        html`<tr>
          <th scope="row">
            <a data-row href="${safeHref(`/console/licences/${one.id}`)}"><code>${one.id}</code></a>
          </th>
          <td data-label="agent">
            <a href="${safeHref(`/console/agents/${one.agent_id}`)}"><bdi>${one.agent_name}</bdi></a>
          </td>
          <td data-label="use">${sentenceCase(one.use)}</td>
          <td class="number" data-label="price">${usd(one.price_cents)}</td>
          <td>${formatTime(one.licensed_at)}</td>
          <td>${stateOf(one)}</td>
        </tr>`,
    ),
  );
}

/** Sends the page of one licence, with the refund form for leads. */
export async function sendLicencePage(
  req: PageRequest<Staff>,
  licence: Licence,
  state: PageState,
): Promise<FastifyReply> {
  return sendConsolePage(req, {
    title: 'Licence',
    current: '/console/licences',
    lead: html`${stateOf(licence)} <code>${licence.id}</code>`,
    notice: state.notice,
    body: recordColumns(
      recordCard(
        [
          [
            'Licensee',
            html`<a href="${safeHref(`/console/agents/${licence.agent_id}`)}"
              ><bdi>${licence.operator_name}</bdi></a
            >`,
          ],
          [
            'Photo',
            html`<a href="${safeHref(`/console/photos/${licence.photo_id}`)}"
              ><code>${licence.photo_id}</code></a
            >`,
          ],
          ['Use', sentenceCase(licence.use)],
          ['Price', `${usd(licence.price_cents)}${licence.test ? ' of test credit' : ''}`],
          ['Licensed', formatTime(licence.licensed_at)],
          ['Ledger', html`<code>${licence.transaction_id}</code>`],
          ['Refunded', licence.refunded_at && formatTime(licence.refunded_at)],
        ],
        html`<p>
          <a href="${safeHref(`/licenses/${licence.id}`)}">Public certificate</a>,
          <a href="${safeHref(`/console/audit?subject=${licence.id}`)}">audit log</a>
        </p>`,
      ),
      refundForm(req, licence, state),
    ),
  });
}

function refundForm(req: PageRequest<Staff>, licence: Licence, { form: submitted, faults }: PageState): Html {
  if (licence.refunded_at !== null)
    return html`<section class="card"><p>The price was returned to the wallet.</p></section>`;
  if (!LEAD_ROLES.includes(req.person.role))
    return html`<section class="card"><p>A lead can refund it.</p></section>`;
  return form(
    req,
    `/console/licences/${licence.id}/refund`,
    html`<h2>Refund</h2>
      <p class="soft">
        ${usd(licence.price_cents)} go back into the agent's wallet, and the licence ends. The photographer
        and the platform give back their shares.
      </p>
      ${reasonField({ hint: 'For the audit log.', value: submitted?.get('reason') ?? '', fault: faults?.['reason'] })}
      <button class="button danger" type="submit">Refund</button>`,
    { className: 'card flow' },
  );
}

function stateOf({ test, refunded_at }: { test: boolean; refunded_at: Date | null }): Html {
  if (refunded_at !== null) return html`<span class="badge bad">Refunded</span>`;
  return test ? html`<span class="badge warn">Test</span>` : html`<span class="badge good">Paid</span>`;
}
