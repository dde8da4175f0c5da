import { AppError } from '../../../../core/errors.ts';
import type { Db } from '../../../../core/postgres/db.ts';
import { html, safeHref, type Html } from '../../../../core/text/html.ts';
import {
  CHECK_REASONS,
  checkPhoto,
  isCheckReason,
  takeDownPhoto,
  type CheckOutcome,
  type CheckReason,
  type CheckRequest,
} from '../../../../photos/check-photo.ts';
import {
  findCheckedPhoto,
  findLookAlikes,
  listPhotosToCheck,
  type CheckedPhoto,
  type LookAlike,
} from '../../../../photos/list-photos.ts';
import { licensedFileOf, previewFileOf, type PreviewWidth } from '../../../../photos/photo-storage.ts';
import { restorePreview } from '../../../../photos/restore-preview.ts';
import { isShown, PHOTO_ID } from '../../../../photos/photo.ts';
import { sendWholeFile } from '../../../../photos/send-stored-file.ts';
import { badge, card, link, noteCard, valueButton } from '../../frame/components.ts';
import { form } from '../../frame/frame.ts';
import { sentenceCase } from '../../frame/wording.ts';
import { conflict, defineAction, refuse } from '../../person/action.ts';
import { definePage } from '../../person/page.ts';
import type { PageRequest } from '../../person/page-request.ts';
import { allStaff, reviewers, type Staff } from '../../person/people.ts';
import { formatMonth } from '../../photos/photo-words.ts';
import { formatTime } from '../moment.ts';
import { decidedIds, decidedPhotos, decisionNotice, NEIGHBOURS_MAX, queueNavigation } from '../queue.ts';

const PATH = '/console/photos/:id';

const decide = defineAction({
  name: 'check_photo',
  path: PATH,
  who: reviewers,
  async run(act) {
    const { id } = await photoOf(act.db, act);
    const decision = act.form.get('decision');
    if (decision === 'take_down') {
      if (!(await takeDownPhoto(act.db, act.now, id)))
        conflict('The photo is no longer shown. Nothing was changed.');
      act.audit(id, {}, 'take_down_photo');
      return { to: `/console/photos/${id}` };
    }
    if (decision !== 'approved' && decision !== 'rejected') refuseChoice('Choose what to do.');
    const reason = decision === 'rejected' ? reasonOf(act.form) : undefined;
    const seenVersion = act.form.get('seen') ?? '';
    const check: CheckRequest = { photoId: id, staffId: act.person.id, decision, reason, seen: seenVersion };
    const outcome = await checkPhoto(act.db, act, check);
    if (outcome !== 'decided') refuseLate(outcome);
    act.audit(id, { decision, reason: reason ?? null });
    // The next photo of the queue follows, so that a person can check one after the other.
    const [next] = (await listPhotosToCheck(act.db, 1)).photos;
    return { to: `/console/photos${next === undefined ? '' : `/${next.id}`}?done=${decision}&id=${id}` };
  },
});

function reasonOf(form: URLSearchParams): CheckReason {
  const reason = form.get('reason') ?? '';
  return isCheckReason(reason) ? reason : refuseChoice('Choose the reason: the photographer is sent it.');
}

function refuseLate(outcome: Exclude<CheckOutcome, 'decided'>): never {
  switch (outcome) {
    case 'not_found':
      throw notFound();
    case 'already':
      return conflict('Somebody else has already decided about this photo. Your decision was not recorded.');
    case 'changed':
      return conflict(
        'The photographer has changed the caption in the meantime. It is shown here; your decision was not recorded.',
      );
  }
}

function refuseChoice(text: string): never {
  refuse({ status: 422, notice: { kind: 'bad', text } });
}

async function photoOf(db: Db, { params: { id = '' } }: Pick<PageRequest, 'params'>): Promise<CheckedPhoto> {
  const photo = PHOTO_ID.test(id) ? await findCheckedPhoto(db, id) : undefined;
  if (photo === undefined) throw notFound();
  return photo;
}

function notFound(): AppError {
  return new AppError('photo_not_found', 'There is no photo with this id.', {
    hint: 'Open it from the list at /console/photos.',
  });
}

/** One photo: a large view, similar photos, and the decision form with its keyboard shortcuts. */
export const photoPage = definePage({
  path: PATH,
  who: allStaff,
  async load(req) {
    const { pool } = req.deps;
    const photo = await photoOf(pool, req);
    const { photos: waiting } = await listPhotosToCheck(pool, NEIGHBOURS_MAX);
    const decided = await decidedPhotos(pool, decidedIds(req.query, PHOTO_ID));
    return { photo, waiting, decided, similar: await findLookAlikes(pool, photo.id) };
  },
  view(req, { photo, waiting, decided, similar }, { notice }) {
    const at = waiting.findIndex(({ id }) => id === photo.id);
    return {
      title: photo.place?.name ?? 'A place that is gone',
      lead: headline(photo),
      notice: notice ?? decisionNotice(req.query, '/console/photos', decided),
      body: html`${queueNavigation('/console/photos', waiting[at - 1]?.id, waiting[at + 1]?.id)}
        <div class="review">
          <div class="evidence">${picture(photo)} ${similarSection(similar)}</div>
          <aside class="verdict follows" id="decision" aria-label="Decision">
            ${decisionForms(req, photo)}
          </aside>
        </div>`,
    };
  },
  actions: [decide],
});

export const smallPreview = photoFile('w480', 480);
export const largePreview = photoFile('w1080', 1080);
export const fullPhoto = photoFile('full');

/** Sends an unpublished photo to staff. The route's `no-store` header is kept, so that no cache stores the file. */
function photoFile(name: string, width?: PreviewWidth) {
  return definePage({
    path: `${PATH}/${name}`,
    who: allStaff,
    load: (req) => photoOf(req.deps.pool, req),
    view: ({ deps: { photoStorage: storage }, request, reply }, photo) => {
      const key = width === undefined ? licensedFileOf(photo.id) : previewFileOf(photo.id, width);
      const headers = {
        'content-type': 'image/jpeg',
        'content-security-policy': "default-src 'none'; sandbox",
      };
      const restore = width && (() => restorePreview(storage, photo, width));
      return {
        send: () => sendWholeFile(request, reply, { storage, key, etag: `"${key}"`, headers, restore }),
      };
    },
  });
}

function headline({ place, photographer, created_at, state }: CheckedPhoto): Html {
  return html`${place !== null && html`${link(`/p/${place.id}`, 'The listing')} in <bdi>${place.city}</bdi>,`}
    by <bdi>${photographer}</bdi>, sent ${formatTime(created_at)}. ${badge('', sentenceCase(state))}`;
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
  return card(
    html`Duplicates <span class="badge warn">${similarPhotos.length} look like it</span>`,
    html`<ul class="look-alikes">
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
    </ul>`,
  );
}

function decisionForms(req: PageRequest<Staff>, photo: CheckedPhoto): Html {
  const mayDecide = reviewers.allows(req.person);
  if (photo.state === 'to_check')
    return mayDecide
      ? html`${approval(req, photo)}${rejection(req, photo)}`
      : noteCard('A reviewer or a lead decides about this.');
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
      ${valueButton('decision', 'take_down', 'Take down', 'danger')}`,
  );
}

function decisionForm(req: PageRequest, { id, updated_at }: CheckedPhoto, content: Html): Html {
  const versionField = html`<input type="hidden" name="seen" value="${updated_at.toISOString()}" />`;
  return form(req, `/console/photos/${id}`, html`${versionField} ${content}`, { className: 'card flow' });
}
