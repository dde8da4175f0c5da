import { html, safeHref, type Html } from '../../../../core/text/html.ts';
import { listPayables } from '../../../../photos/earnings.ts';
import { listCheckedPhotos, listPhotosToCheck, type CheckedPhoto } from '../../../../photos/list-photos.ts';
import { PHOTO_ID } from '../../../../photos/photo.ts';
import { formatCount } from '../../../../core/text/format-count.ts';
import { badge, emptyState, link, userText } from '../../frame/components.ts';
import { recordTable } from '../../frame/table.ts';
import { sentenceCase } from '../../frame/wording.ts';
import { definePage } from '../../person/page.ts';
import { allStaff, leads } from '../../person/people.ts';
import { formatDuration, formatTime } from '../moment.ts';
import { decidedIds, decidedPhotos, decisionNotice } from '../queue.ts';

const SHOWN_MAX = 50;
const DECIDED_MAX = 10;

/** Photos to check, oldest first, and the latest decisions. */
export const photosPage = definePage({
  path: '/console/photos',
  who: allStaff,
  nav: { label: 'Photos', key: 'f' },
  follows: () => ['photos'],
  async load({ deps: { pool }, query }) {
    return {
      justDecided: await decidedPhotos(pool, decidedIds(query, PHOTO_ID)),
      ...(await listPhotosToCheck(pool, SHOWN_MAX)),
      decided: await listCheckedPhotos(pool, DECIDED_MAX),
    };
  },
  view: ({ query, now, person }, { photos, total, decided, justDecided }) => ({
    title: 'Photos',
    lead: `${formatCount(total, 'photo')} waiting, the oldest first.`,
    notice: decisionNotice(query, '/console/photos', justDecided),
    body: html`${photos.length === 0 ? NONE : waitingTable(photos, now)}
    ${decided.length > 0 && decidedTable(decided)}
    ${
      leads.allows(person) &&
      html`<p><a href="/console/photos/payouts.csv">What photographers are owed, as CSV</a></p>`
    }`,
  }),
});

/** CSV of the amounts owed to photographers, for the person who makes the payments. */
export const payoutsFile = definePage({
  path: '/console/photos/payouts.csv',
  who: leads,
  load: ({ deps }) => listPayables(deps.pool),
  view({ reply }, rows) {
    const lines = rows.map(({ member_id, display_name, email, payable_cents }) =>
      [member_id, csvText(display_name ?? ''), csvText(email ?? ''), payable_cents, 'USD'].join(','),
    );
    reply.header('content-type', 'text/csv; charset=utf-8');
    reply.header('content-disposition', 'attachment; filename="photo-payouts.csv"');
    return {
      send: () => reply.send(['member_id,name,email,payable_cents,currency', ...lines, ''].join('\r\n')),
    };
  },
});

/** Quotes a CSV field and prevents spreadsheet programs from reading it as a formula. */
function csvText(text: string): string {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${plain.replaceAll('"', '""')}"`;
}

const NONE = emptyState(
  'Nothing is waiting',
  'Photos that travellers upload appear here, the oldest first, until a person has checked them.',
);

function waitingTable(photos: readonly CheckedPhoto[], now: Date): Html {
  return recordTable('dense stack rows', photos, [
    ['Photo', photoLink],
    [
      'Place',
      ({ place }) => html`<bdi>${place?.name ?? 'gone'}</bdi> <bdi class="soft">${place?.city}</bdi>`,
    ],
    ['Photographer', ({ photographer }) => userText(photographer), 'by'],
    [{ number: 'Age' }, ({ created_at }) => formatDuration(now.getTime() - created_at.getTime()), 'waits'],
  ]);
}

function photoLink({ id }: CheckedPhoto): Html {
  return html`<a class="thumb" data-row href="${safeHref(`/console/photos/${id}`)}"
    ><img src="${safeHref(`/console/photos/${id}/w480`)}" alt="" loading="lazy" /><span>Look at it</span></a
  >`;
}

function decidedTable(photos: readonly CheckedPhoto[]): Html {
  return recordTable(
    'dense stack',
    photos,
    [
      ['Photo', ({ id, place }) => link(`/console/photos/${id}`, userText(place?.name ?? id))],
      ['Decision', decisionWords],
      ['By', ({ check }) => check?.by, 'by'],
      ['When', ({ check }) => check !== null && formatTime(new Date(check.at))],
    ],
    'Decided last',
  );
}

function decisionWords({ check }: CheckedPhoto): Html {
  return html`${badge(check?.decision === 'approved' ? 'good' : 'bad', sentenceCase(check?.decision ?? ''))}
  ${check?.reason != null && sentenceCase(check.reason)}`;
}
