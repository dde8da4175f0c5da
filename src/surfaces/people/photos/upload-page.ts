import type { FastifyReply } from 'fastify';
import { html, safeHref, type Html } from '../../../core/text/html.ts';
import { findAnyPlace, type FoundPlace } from '../../../search/find-any-place.ts';
import { PICTURE_TYPES, UPLOAD_BYTES_MAX } from '../../../photos/pipeline/inspect-upload.ts';
import { uploadPhoto, type UploadOutcome } from '../../../photos/upload-photo.ts';
import { textField } from '../form/form-field.ts';
import { uploadedFiles } from '../form/upload-body.ts';
import { count, sentenceCase } from '../frame/wording.ts';
import { formOf, sendPhotographerPage, type Notice, type PhotographerVisit } from './photographer-route.ts';

const LIMIT = 12;
const QUERY_MAX = 120;
const MEGABYTES = UPLOAD_BYTES_MAX / 2 ** 20;
/** What one form may carry when the browser sends all files at once. With the script each goes alone. */
export const FORM_BYTES_MAX = 3 * UPLOAD_BYTES_MAX;

/** First the place, then the photos of it. */
export async function sendUploadPage(visit: PhotographerVisit, notice?: Notice): Promise<FastifyReply> {
  const { deps, query, form } = visit;
  const [place] = await openPlaces(visit, form.get('place_id') ?? query.get('place') ?? '');
  const words = (query.get('q') ?? '').slice(0, QUERY_MAX);
  const found = place === undefined && words !== '' ? await findAnyPlace(deps, words, LIMIT) : [];
  return sendPhotographerPage(visit, {
    title: 'Upload photos',
    lead: 'Places, without people who could be recognised and without readable number plates. A person checks every photo.',
    current: '/photos/mine/upload',
    notice,
    scripts: ['photo-upload.js'],
    ...(notice?.kind === 'bad' && { status: 422 }),
    body: place === undefined ? placeSearch(words, found.filter(isOpen)) : uploadForm(visit, place),
  });
}

function isOpen({ closed_at }: FoundPlace): boolean {
  return closed_at === null;
}

async function openPlaces({ deps }: PhotographerVisit, id: string): Promise<FoundPlace[]> {
  if (!/^plc_[0-9a-hjkmnp-tv-z]{26}$/.test(id)) return [];
  return (await findAnyPlace(deps, id, 1)).filter(isOpen);
}

function placeSearch(words: string, found: readonly FoundPlace[]): Html {
  return html`<section class="flow">
    <h2>Which place do they show?</h2>
    <form class="filters" method="get" action="/photos/mine/upload" role="search">
      ${textField({
        name: 'q',
        label: 'Name of the place, and its town if you like',
        type: 'search',
        value: words,
        maxlength: QUERY_MAX,
        required: true,
        autofocus: true,
      })}
      <button class="button" type="submit">Find</button>
    </form>
    ${words !== '' && (found.length === 0 ? noPlace(words) : placeList(found))}
  </section>`;
}

function noPlace(words: string): Html {
  return html`<div class="empty">
    <h2>No place</h2>
    <p>Nothing is called “${words}” here. Try the name alone, or its town beside it.</p>
  </div>`;
}

function placeList(found: readonly FoundPlace[]): Html {
  return html`<ul class="place-choice">
    ${found.map(
      ({ id, name, vertical, city, country }) =>
        html`<li>
          <a href="${safeHref(`/photos/mine/upload?place=${id}`)}"
            ><strong><bdi>${name}</bdi></strong>
            <span class="soft">${sentenceCase(vertical)}, <bdi>${city ?? country}</bdi></span></a
          >
        </li>`,
    )}
  </ul>`;
}

function uploadForm(visit: PhotographerVisit, place: FoundPlace): Html {
  const fields = html`<input type="hidden" name="place_id" value="${place.id}" />
    <div class="field">
      <label for="photos">Photos of <bdi>${place.name}</bdi></label>
      <p class="hint" id="photos-hint">
        JPEG, PNG, WebP, TIFF, AVIF or GIF, at most ${MEGABYTES} MB each. What the camera wrote into them
        about place, time and owner is removed; only the month is kept.
      </p>
      <input
        type="file"
        id="photos"
        name="photos"
        accept="${PICTURE_TYPES}"
        multiple
        required
        aria-describedby="photos-hint"
      />
    </div>
    <p class="hint" data-without-script>Together at most ${FORM_BYTES_MAX / 2 ** 20} MB at a time.</p>
    <p class="actions">
      <button class="button" type="submit">Upload</button>
      <a href="/photos/mine/upload">Another place</a>
    </p>
    <ul class="upload-list" data-progress aria-live="polite"></ul>
    <p class="actions" data-finished hidden><a class="button" href="/photos/mine">See my photos</a></p>`;
  return html`<section class="card flow">
    <h2><bdi>${place.name}</bdi></h2>
    <p class="soft">${sentenceCase(place.vertical)}, <bdi>${place.city ?? place.country}</bdi></p>
    ${formOf(visit, '/photos/mine/upload', fields, { files: true })}
  </section>`;
}

/** Takes what a form carried. A script gets JSON about its one file; a person a page about all of them. */
export async function takeUpload(visit: PhotographerVisit): Promise<FastifyReply> {
  const { deps, form, member, request, reply } = visit;
  const [place] = await openPlaces(visit, form.get('place_id') ?? '');
  const files = uploadedFiles(request).filter(({ name, bytes }) => name !== '' || bytes.length > 0);
  if (place === undefined) return refuse(visit, 'Choose the place that the photos show first.');
  if (files.length === 0) return refuse(visit, 'Choose at least one photo.');
  const outcomes: { name: string; result: UploadOutcome }[] = [];
  for (const { name, bytes } of files) {
    const result = await uploadPhoto(deps, { memberId: member.id, placeId: place.id, bytes });
    outcomes.push({ name, result });
  }
  const refused = outcomes.filter(({ result }) => result.outcome === 'refused');
  if (wantsJson(visit)) return sendJson(reply, outcomes);
  if (refused.length === 0) return reply.redirect(`/photos/mine?sent=${outcomes.length}`, 303);
  const arrived = outcomes.length - refused.length;
  return sendUploadPage(visit, { kind: 'bad', text: refusedList(arrived, refused) });
}

function refusedList(arrived: number, refused: readonly { name: string; result: UploadOutcome }[]): Html {
  return html`<p>
      ${arrived > 0 && `${count(arrived, 'photo')} arrived. `}${count(refused.length, 'file')} cannot be used:
    </p>
    <ul>
      ${refused.map(
        ({ name, result }) =>
          html`<li><strong>${name}</strong>: ${result.outcome === 'refused' && result.reason}</li>`,
      )}
    </ul>`;
}

function refuse(visit: PhotographerVisit, text: string): Promise<FastifyReply> | FastifyReply {
  if (wantsJson(visit)) return visit.reply.code(422).send({ files: [], detail: text });
  return sendUploadPage(visit, { kind: 'bad', text });
}

function wantsJson({ request }: PhotographerVisit): boolean {
  return (request.headers.accept ?? '').startsWith('application/json');
}

function sendJson(
  reply: FastifyReply,
  outcomes: readonly { name: string; result: UploadOutcome }[],
): FastifyReply {
  const files = outcomes.map(({ name, result }) =>
    result.outcome === 'refused'
      ? { name, refused: result.reason }
      : { name, photo_id: result.photoId, known: result.outcome === 'known' },
  );
  return reply.code(files.some((file) => 'refused' in file) ? 422 : 201).send({ files });
}
