import type { FastifyReply } from 'fastify';
import { html, safeHref, type Html } from '../../../core/text/html.ts';
import { usd } from '../../../core/text/money.ts';
import { readEarnings, type Earning } from '../../../photos/earnings.ts';
import type { Member } from '../../../members/member.ts';
import { formatTime } from '../console/moment.ts';
import { definitionList } from '../frame/definition-list.ts';
import { sendFrame } from '../frame/frame.ts';
import { sentenceCase } from '../frame/wording.ts';
import type { PageRequest } from '../person/page-request.ts';

import { table } from '../frame/table.ts';

const SHOWN_MAX = 100;

/** Sends a photographer's earnings from the ledger. */
export async function sendEarningsPage(req: PageRequest<Member>): Promise<FastifyReply> {
  const { deps, person } = req;
  const { payable_cents, test_cents, list } = await readEarnings(deps.pool, person.id, SHOWN_MAX);
  return sendFrame(req, 'photographer', {
    title: 'Earnings',
    lead: 'Your share of every licence.',
    current: '/photos/mine/earnings',
    body: html`${definitionList('figures', [
        ['Owed to you', usd(payable_cents)],
        ['From test credit, which is not money', usd(test_cents)],
      ])}
      ${list.length === 0 ? NONE : earningsTable(list)}
      <p class="actions">
        <a class="button plain" href="/photos/mine/earnings.csv">Download all as CSV</a>
      </p>`,
  });
}

const NONE = html`<div class="empty">
  <h2>Nothing sold yet</h2>
  <p>Every licence of one of your photos appears here at once, with your share of its price.</p>
</div>`;

function earningsTable(list: readonly Earning[]): Html {
  return table(
    { className: 'stack', columns: ['When', 'Photo', 'Use', { number: 'Price' }, { number: 'Your share' }] },
    list.map(
      ({ at, photo_id, place_name, use, price_cents, share_cents, test }) =>
        html`<tr>
          <th scope="row">${formatTime(at)}</th>
          <td>
            <a href="${safeHref(`/photos/mine/${photo_id}`)}"><bdi>${place_name ?? 'Photo'}</bdi></a>
          </td>
          <td>
            ${sentenceCase(use)} ${test && html`<span class="badge">Test credit</span>`}
            ${share_cents < 0 && html`<span class="badge warn">Refunded</span>`}
          </td>
          <td class="number" data-label="price">${usd(price_cents)}</td>
          <td class="number" data-label="your share">${usd(share_cents)}</td>
        </tr>`,
    ),
  );
}

const COLUMNS = 'date,license_id,photo_id,use,price_cents,share_cents,currency,test';

/** Sends all ledger lines of this photographer as CSV, for their accounting. */
export async function sendEarningsCsv({ deps, person, reply }: PageRequest<Member>): Promise<FastifyReply> {
  const { list } = await readEarnings(deps.pool, person.id, null);
  const lines = list.map(({ at, licence_id, photo_id, use, price_cents, share_cents, test }) =>
    [at.toISOString(), licence_id, photo_id, use, price_cents, share_cents, 'USD', test].join(','),
  );
  return reply
    .header('content-type', 'text/csv; charset=utf-8')
    .header('content-disposition', 'attachment; filename="photo-earnings.csv"')
    .send([COLUMNS, ...lines, ''].join('\r\n'));
}
