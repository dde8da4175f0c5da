import type { FastifyReply } from 'fastify';
import { html, safeHref, type Html } from '../../../../core/text/html.ts';
import { CHECK_REASONS } from '../../../../photos/check-photo.ts';
import {
  findLookAlikes,
  listPhotosToCheck,
  type CheckedPhoto,
  type LookAlike,
} from '../../../../photos/list-photos.ts';
import { isShown, PHOTO_ID } from '../../../../photos/photo.ts';
import { form } from '../../frame/frame.ts';
import { sentenceCase } from '../../frame/wording.ts';
import { sendConsolePage } from '../console-page.ts';
import type { PageRequest, PageState } from '../../person/page-request.ts';
import { REVIEWER_ROLES, type Staff } from '../../person/people.ts';
import { formatMonth } from '../../photos/photo-words.ts';
import { formatTime } from '../moment.ts';
import { decisionNotice, queueNavigation } from '../queue.ts';

const NEIGHBOURS_MAX = 200;

/** Sends the page of one photo: a large view, similar photos, and the decision form with its keyboard shortcuts. */
export async function sendCheckPage(
  req: PageRequest<Staff>,
  photo: CheckedPhoto,
  { notice = decisionNotice(req.query, '/console/photos', PHOTO_ID) }: PageState,
): Promise<FastifyReply> {
  const { pool } = req.deps;
  const { photos } = await listPhotosToCheck(pool, NEIGHBOURS_MAX);
  const at = photos.findIndex(({ id }) => id === photo.id);
  return sendConsolePage(req, {
    title: photo.place?.name ?? 'A place that is gone',
    current: '/console/photos',
    lead: headline(photo),
    notice,
    body: html`${queueNavigation('/console/photos', photos[at - 1]?.id, photos[at + 1]?.id)}
      <div class="review">
        <div class="evidence">${picture(photo)} ${similarSection(await findLookAlikes(pool, photo.id))}</div>
        <aside class="verdict follows" id="decision" aria-label="Decision">${actions(req, photo)}</aside>
      </div>`,
  });
}

function headline({ place, photographer, created_at, state }: CheckedPhoto): Html {
  return html`${
      place !== null &&
      html`<a href="${safeHref(`/p/${place.id}`)}">The listing</a> in <bdi>${place.city}</bdi>,`
    }
    by <bdi>${photographer}</bdi>, sent ${formatTime(created_at)}.
    <span class="badge">${sentenceCase(state)}</span>`;
}

function picture(photo: CheckedPhoto): Html {
  if (!photo.has_files || photo.width === null || photo.height === null)
    return html`<p class="empty">The files of this photo are deleted.</p>`;
  return html`<figure class="looked-at">
    <a href="${safeHref(`/console/photos/${photo.id}/full`)}"
      ><img
        src="${safeHref(`/console/photos/${photo.id}/w1080`)}"
        alt="The photo to look at"
        width="${photo.width}"
        height="${photo.height}"
    /></a>
    <figcaption>
      ${photo.caption !== '' && html`<q dir="auto">${photo.caption}</q> `}${photo.width} ×
      ${photo.height}${photo.month !== null && `, taken in ${formatMonth(photo.month)}`}. Select the picture
      to see it in full size, without the watermark.
    </figcaption>
  </figure>`;
}

function similarSection(similarPhotos: readonly LookAlike[]): Html {
  if (similarPhotos.length === 0)
    return html`<section class="card">
      <h2>Duplicates</h2>
      <p class="soft">No similar photos were found.</p>
    </section>`;
  return html`<section class="card flow">
    <h2>Duplicates <span class="badge warn">${similarPhotos.length} look like it</span></h2>
    <ul class="look-alikes">
      ${similarPhotos.map(
        ({ id, state, place, photographer, same }) =>
          html`<li>
            <a href="${safeHref(`/console/photos/${id}`)}"
              ><img src="${safeHref(`/console/photos/${id}/w480`)}" alt="" loading="lazy" />
              <span><bdi>${place ?? 'gone'}</bdi></span></a
            >
            <span class="soft"
              ><bdi>${photographer}</bdi>,
              ${sentenceCase(state).toLowerCase()}${same && ', the very same file'}</span
            >
          </li>`,
      )}
    </ul>
  </section>`;
}

function actions(req: PageRequest<Staff>, photo: CheckedPhoto): Html {
  const mayDecide = REVIEWER_ROLES.includes(req.person.role);
  if (photo.state === 'to_check')
    return mayDecide
      ? html`${approval(req, photo)}${rejection(req, photo)}`
      : html`<section class="card"><p>A reviewer or a lead decides about this.</p></section>`;
  const { check } = photo;
  return html`<section class="card flow">
      <h2>${sentenceCase(check?.decision ?? photo.state)}</h2>
      <p>
        ${check !== null && html`By ${check.by ?? 'the program that drew it'}, ${formatTime(new Date(check.at))}.`}
        ${check?.reason != null && sentenceCase(check.reason)}
      </p>
    </section>
    ${isShown(photo) && mayDecide && takeDown(req, photo)}`;
}

function approval(req: PageRequest, photo: CheckedPhoto): Html {
  return decisionForm(
    req,
    photo,
    html`<h2>Approve</h2>
      <p class="hint">It shows the place, nobody can be recognised, and no number plate can be read.</p>
      <button class="button" type="submit" name="decision" value="approved" data-key="a">
        Approve <kbd>a</kbd>
      </button>`,
  );
}

function rejection(req: PageRequest, photo: CheckedPhoto): Html {
  return decisionForm(
    req,
    photo,
    html`<h2>Refuse</h2>
      <input type="hidden" name="decision" value="rejected" />
      <p class="hint">The photographer is sent the reason.</p>
      <div class="reasons">
        ${Object.entries(CHECK_REASONS).map(
          ([code, { label }], index) =>
            html`<button
              class="button danger"
              type="submit"
              name="reason"
              value="${code}"
              data-key="${index + 1}"
            >
              ${label} <kbd>${index + 1}</kbd>
            </button>`,
        )}
      </div>`,
  );
}

function takeDown(req: PageRequest, photo: CheckedPhoto): Html {
  return decisionForm(
    req,
    photo,
    html`<h2>Take it down</h2>
      <p class="hint">
        After a complaint. It is no longer shown or sold; licences that were sold stay valid.
      </p>
      <button class="button danger" type="submit" name="decision" value="take_down">Take down</button>`,
  );
}

function decisionForm(req: PageRequest, { id, updated_at }: CheckedPhoto, content: Html): Html {
  const versionField = html`<input type="hidden" name="seen" value="${updated_at.toISOString()}" />`;
  return form(req, `/console/photos/${id}`, html`${versionField} ${content}`, { className: 'card flow' });
}
