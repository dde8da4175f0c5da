import { html, safeHref, type Html } from '../../../core/text/html.ts';
import { usd } from '../../../core/text/money.ts';
import {
  readEarnings,
  readMonthEarnings,
  type Earning,
  type MonthEarnings,
} from '../../../photos/earnings.ts';
import { listMemberPhotos, type ListedPhoto } from '../../../photos/list-photos.ts';
import { PHOTO_ID } from '../../../photos/photo.ts';
import { refusalText } from '../../../photos/pipeline/refusal.ts';
import { badge, emptyState, link, userText } from '../frame/components.ts';
import { nextPage } from '../frame/next-page.ts';
import { formatCount } from '../../../core/text/format-count.ts';
import { definePage, ofAccount } from '../person/page.ts';
import type { Notice } from '../person/page-request.ts';
import { member } from '../person/people.ts';
import { dropLine, formatMonth, stateBadge } from './photo-words.ts';
import { formatTime } from '../console/moment.ts';
import { barChart } from '../frame/bar-chart.ts';
import { definitionList } from '../frame/definition-list.ts';
import { recordTable, table } from '../frame/table.ts';
import { sentenceCase } from '../frame/wording.ts';

const PATH = '/photos/mine';
const PAGE_SIZE = 24;

/** A photographer's uploads, newest first. */
export const myPhotosPage = definePage({
  path: PATH,
  ...ofAccount(member),
  async load({ deps, person, query }) {
    const after = query.get('after') ?? '';
    const photos = await listMemberPhotos(deps.pool, person.id, {
      after: PHOTO_ID.test(after) ? after : undefined,
      limit: PAGE_SIZE + 1,
    });
    return { photos, earned: (await readEarnings(deps.pool, person.id, 0)).payable_cents };
  },
  view({ query, now }, { photos, earned }, { notice }) {
    const visible = photos.slice(0, PAGE_SIZE);
    const last = visible.at(-1);
    return {
      title: 'My photos',
      lead: html`Licensed by agents one use at a time, at your price. Earned so far and not yet paid out:
        <a href="/photos/mine/earnings">${usd(earned)}</a>.`,
      notice: notice ?? sentNotice(query),
      body: html`<p class="actions"><a class="button" href="/photos/mine/upload">Upload photos</a></p>
        ${
          visible.length === 0
            ? NONE
            : html`<ul class="photo-grid">
                ${visible.map((photo) => photoCard(photo, now))}
              </ul>`
        }
        ${nextPage(PATH, photos.length > PAGE_SIZE && last && { after: last.id }, 'Older photos')}`,
    };
  },
  notices: { withdrawn: 'The photo is withdrawn.' },
});

function sentNotice(query: URLSearchParams): Notice | undefined {
  const uploadedCount = Number(query.get('sent') ?? '');
  if (!Number.isInteger(uploadedCount) || uploadedCount < 1) return undefined;
  return {
    kind: 'good',
    text: `${formatCount(uploadedCount, 'photo')} arrived. A person checks each photo before you can offer it.`,
  };
}

const NONE = emptyState(
  'No photos yet',
  'Send photos of places that you visited, without recognisable people. A person checks each; then you set a price for each use and start a drop of three days.',
);

function photoCard(photo: ListedPhoto, now: Date): Html {
  const name = photo.place?.name ?? 'A place that is gone';
  const href = `/photos/mine/${photo.id}`;
  const drop = dropLine(photo, now);
  return html`<li class="photo-card">
    <a href="${href}" class="frame" tabindex="-1" aria-hidden="true">${thumbnail(photo)}</a>
    <div>
      <h2>${link(href, userText(name))}</h2>
      <p>${stateBadge(photo, now)}</p>
      ${photo.state === 'refused' && html`<p class="soft">${refusalText(photo.refusal ?? '')}</p>`}
      ${drop !== false && html`<p class="soft">${drop}</p>`}
    </div>
  </li>`;
}

/** Returns the preview image; false while there is none. */
export function thumbnail({ id, month, has_files, width, height }: ListedPhoto): Html | false {
  if (month === null || !has_files || width === null || height === null) return false;
  return html`<img
    src="${safeHref(`/photos/mine/${id}/w480`)}"
    alt=""
    loading="lazy"
    width="480"
    height="${Math.max(1, Math.round((480 * height) / width))}"
  />`;
}

const SHOWN_MAX = 100;

/** A photographer's earnings from the ledger. */
export const earningsPage = definePage({
  path: '/photos/mine/earnings',
  who: member,
  async load({ deps, person, now }) {
    const [earnings, months] = await Promise.all([
      readEarnings(deps.pool, person.id, SHOWN_MAX),
      readMonthEarnings(deps.pool, person.id, { now, months: MONTHS }),
    ]);
    return { ...earnings, months };
  },
  view: (_req, { payable_cents, test_cents, list, months }) => ({
    title: 'Earnings',
    lead: 'Your share of every licence.',
    body: html`${definitionList('figures', [
        ['Owed to you', usd(payable_cents)],
        ['From test credit, which is not money', usd(test_cents)],
      ])}
      ${list.length === 0 ? NOTHING_SOLD : html`${earningsChart(months)} ${earningsTable(list)}`}
      <p class="actions">
        <a class="button plain" href="/photos/mine/earnings.csv">Download all as CSV</a>
      </p>`,
  }),
});

const MONTHS = 12;
const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'short', timeZone: 'UTC' });

/** Draws the earnings of a year. A month in which more was refunded than sold has no bar; the table shows it. */
function earningsChart(months: readonly MonthEarnings[]): Html {
  return html`<div class="card">
    ${barChart({
      title: 'Your share a month.',
      caption: 'The last twelve months in US dollars, refunds deducted, without test credit.',
      empty: 'There are no earnings in money yet.',
      format: usd,
      bars: months.map(({ month, cents }) => ({
        label: MONTH.format(new Date(`${month}-01T00:00:00Z`)),
        parts: [{ kind: '', value: Math.max(0, cents) }],
      })),
    })}
    <details>
      <summary>The same as a table</summary>
      ${recordTable('', months, [
        ['Month', ({ month }) => formatMonth(month)],
        [{ number: 'Your share' }, ({ cents }) => usd(cents)],
      ])}
    </details>
  </div>`;
}

const NOTHING_SOLD = emptyState(
  'Nothing sold yet',
  html`Every licence of one of your photos appears here at once, with your share of its price. A photo sells
    while its drop runs: <a href="${PATH}">set prices and go live</a>.`,
);

function earningsTable(list: readonly Earning[]): Html {
  return table(
    { className: 'stack', columns: ['When', 'Photo', 'Use', { number: 'Price' }, { number: 'Your share' }] },
    list.map(
      ({ at, photo_id, place_name, use, price_cents, share_cents, test }) =>
        html`<tr>
          <th scope="row">${formatTime(at)}</th>
          <td>
            <a class="thumb" href="${safeHref(`/photos/mine/${photo_id}`)}"
              ><img src="${safeHref(`/photos/mine/${photo_id}/w480`)}" alt="" loading="lazy" /><bdi
                >${place_name ?? 'Photo'}</bdi
              ></a
            >
          </td>
          <td>
            ${sentenceCase(use)} ${test && badge('', 'Test credit')}
            ${share_cents < 0 && badge('warn', 'Refunded')}
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
