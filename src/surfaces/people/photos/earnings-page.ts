import { html, safeHref, type Html } from '../../../core/text/html.ts';
import { usd } from '../../../core/text/money.ts';
import { readEarnings, type Earning } from '../../../photos/earnings.ts';
import { formatTime } from '../console/moment.ts';
import { definitionList } from '../frame/definition-list.ts';
import { table } from '../frame/table.ts';
import { sentenceCase } from '../frame/wording.ts';
import { definePage } from '../person/page.ts';
import { member } from '../person/people.ts';

const SHOWN_MAX = 100;

/** A photographer's earnings from the ledger. */
export const earningsPage = definePage({
  path: '/photos/mine/earnings',
  who: member,
  load: ({ deps, person }) => readEarnings(deps.pool, person.id, SHOWN_MAX),
  view: (_req, { payable_cents, test_cents, list }) => ({
    title: 'Earnings',
    lead: 'Your share of every licence.',
    body: html`${definitionList('figures', [
        ['Owed to you', usd(payable_cents)],
        ['From test credit, which is not money', usd(test_cents)],
      ])}
      ${list.length === 0 ? NONE : earningsTable(list)}
      <p class="actions">
        <a class="button plain" href="/photos/mine/earnings.csv">Download all as CSV</a>
      </p>`,
  }),
});

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

/** All ledger lines of this photographer as CSV, for their accounting. */
export const earningsFile = definePage({
  path: '/photos/mine/earnings.csv',
  who: member,
  load: ({ deps, person }) => readEarnings(deps.pool, person.id, null),
  view({ reply }, { list }) {
    const lines = list.map(({ at, licence_id, photo_id, use, price_cents, share_cents, test }) =>
      [at.toISOString(), licence_id, photo_id, use, price_cents, share_cents, 'USD', test].join(','),
    );
    reply.header('content-type', 'text/csv; charset=utf-8');
    reply.header('content-disposition', 'attachment; filename="photo-earnings.csv"');
    return { send: () => reply.send([COLUMNS, ...lines, ''].join('\r\n')) };
  },
});
