import type { FastifyReply } from 'fastify';
import { html, safeHref, type Html } from '../../../../core/text/html.ts';
import { listCheckedPhotos, listPhotosToCheck, type CheckedPhoto } from '../../../../photos/list-photos.ts';
import { PHOTO_ID } from '../../../../photos/photo.ts';
import { formatCount } from '../../../../core/text/format-count.ts';
import { sentenceCase } from '../../frame/wording.ts';
import { sendConsolePage } from '../console-page.ts';
import type { PageRequest } from '../../person/page-request.ts';
import { LEAD_ROLES, type Staff } from '../../person/people.ts';
import { formatDuration, formatTime } from '../moment.ts';
import { table } from '../../frame/table.ts';
import { decisionNotice } from '../queue.ts';

const SHOWN_MAX = 50;
const DECIDED_MAX = 10;

/** Sends the queue of photos to check, oldest first, and the latest decisions. */
export async function sendPhotoQueuePage(req: PageRequest<Staff>): Promise<FastifyReply> {
  const { deps, query, now, person } = req;
  const { photos, total } = await listPhotosToCheck(deps.pool, SHOWN_MAX);
  const decided = await listCheckedPhotos(deps.pool, DECIDED_MAX);
  return sendConsolePage(req, {
    title: 'Photos',
    current: '/console/photos',
    lead: `${formatCount(total, 'photo')} waiting, the oldest first.`,
    notice: decisionNotice(query, '/console/photos', PHOTO_ID),
    body: html`${photos.length === 0 ? NONE : waitingTable(photos, now)}
    ${decided.length > 0 && decidedTable(decided)}
    ${
      LEAD_ROLES.includes(person.role) &&
      html`<p><a href="/console/photos/payouts.csv">What photographers are owed, as CSV</a></p>`
    }`,
  });
}

const NONE = html`<div class="empty">
  <h2>Nothing is waiting</h2>
  <p>Photos that travellers upload appear here, the oldest first, until a person has checked them.</p>
</div>`;

function waitingTable(photos: readonly CheckedPhoto[], now: Date): Html {
  return table(
    { className: 'dense stack rows', columns: ['Photo', 'Place', 'Photographer', { number: 'Age' }] },
    photos.map(
      (photo) =>
        html`<tr>
          <th scope="row">
            <a class="thumb" data-row href="${safeHref(`/console/photos/${photo.id}`)}"
              ><img src="${safeHref(`/console/photos/${photo.id}/w480`)}" alt="" loading="lazy" /><span
                >Look at it</span
              ></a
            >
          </th>
          <td><bdi>${photo.place?.name ?? 'gone'}</bdi> <bdi class="soft">${photo.place?.city}</bdi></td>
          <td data-label="by"><bdi>${photo.photographer}</bdi></td>
          <td class="number" data-label="waits">
            ${formatDuration(now.getTime() - photo.created_at.getTime())}
          </td>
        </tr>`,
    ),
  );
}

function decidedTable(photos: readonly CheckedPhoto[]): Html {
  return table(
    { className: 'dense stack', caption: 'Decided last', columns: ['Photo', 'Decision', 'By', 'When'] },
    photos.map(
      ({ id, place, check }) =>
        html`<tr>
          <th scope="row">
            <a href="${safeHref(`/console/photos/${id}`)}"><bdi>${place?.name ?? id}</bdi></a>
          </th>
          <td>
            <span class="badge ${check?.decision === 'approved' ? 'good' : 'bad'}"
              >${sentenceCase(check?.decision ?? '')}</span
            >
            ${check?.reason != null && sentenceCase(check.reason)}
          </td>
          <td data-label="by">${check?.by}</td>
          <td>${check !== null && formatTime(new Date(check.at))}</td>
        </tr>`,
    ),
  );
}
