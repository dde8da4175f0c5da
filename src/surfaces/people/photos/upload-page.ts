import { cutTyped } from '../../../core/text/visible-text.ts';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Deps } from '../../../core/context.ts';
import type { Db } from '../../../core/postgres/db.ts';
import { html, safeHref, type Html } from '../../../core/text/html.ts';
import { countryName } from '../../../directory/country/country.ts';
import { findPlace, type Place } from '../../../directory/place/place.ts';
import type { Member } from '../../../members/member.ts';
import { PICTURE_TYPES, UPLOAD_BYTES_MAX } from '../../../photos/pipeline/inspect-upload.ts';
import { storeUploads, uploadPhoto, type UploadOutcome } from '../../../photos/upload-photo.ts';
import { findAnyPlace, type FoundPlace } from '../../../search/find-any-place.ts';
import { textField } from '../form/form-field.ts';
import type { UploadedFile } from '../form/uploaded-files.ts';
import { form, sendFrame } from '../frame/frame.ts';
import { formatCount } from '../../../core/text/format-count.ts';
import { sentenceCase } from '../frame/wording.ts';
import { refuse, type Action, type ActionContext, type ActionResult } from '../person/action.ts';
import type { PageRequest, PageState } from '../person/page-request.ts';
import { member } from '../person/people.ts';
import { addAction, addPage } from '../person/person-route.ts';

const PATH = '/photos/mine/upload';
const PLACE_ID = /^plc_[0-9a-hjkmnp-tv-z]{26}$/;
const LIMIT = 12;
const QUERY_MAX = 120;
const MEGABYTES = UPLOAD_BYTES_MAX / 2 ** 20;
/** Maximum size of a form when the browser sends all files at once. The script sends each file in its own request. */
const FORM_BYTES_MAX = 3 * UPLOAD_BYTES_MAX;

export function addUpload(scope: FastifyInstance, deps: Deps): void {
  addPage(scope, deps, { path: PATH, who: member, show: (req) => sendUploadPage(req, {}) });
  addAction(scope, deps, upload);
}

/** Stores the uploaded files. The script gets JSON about its one file; a browser form gets a page about all files. */
const upload: Action<Member> = {
  name: 'upload_photos',
  path: PATH,
  who: member,
  files: { bytesMax: FORM_BYTES_MAX },
  async run(act) {
    const place = await findOpenPlace(act.db, act.form.get('place_id') ?? '');
    if (place === undefined) return refused(act, 'Choose the place that the photos show first.');
    if (act.files.length === 0) return refused(act, 'Choose at least one photo.');
    const uploads: UploadedPhoto[] = [];
    for (const file of act.files) {
      const photo = { memberId: act.person.id, placeId: place.id, file };
      uploads.push({ file, result: await uploadPhoto(act.db, act, photo) });
    }
    const accepted = uploads.flatMap(({ file, result }) =>
      result.outcome === 'taken' || (result.outcome === 'known' && result.processing)
        ? [{ photoId: result.photoId, file }]
        : [],
    );
    if (accepted.length === 0) act.unchanged();
    act.audit(place.id, { photos: accepted.map(({ photoId }) => photoId).join(' ') });
    act.afterCommit(async ({ deps }) => {
      await storeUploads(deps, accepted);
      return undefined;
    });
    return resultOf(act, uploads);
  },
  page: sendUploadPage,
};

interface UploadedPhoto {
  file: UploadedFile;
  result: UploadOutcome;
}

function resultOf(act: ActionContext<Member>, uploads: readonly UploadedPhoto[]): ActionResult {
  if (wantsJson(act)) return { show: ({ reply }) => sendJson(reply, uploads) };
  const bad = uploads.filter(({ result }) => result.outcome === 'refused');
  if (bad.length === 0) return { to: `/photos/mine?sent=${uploads.length}` };
  const text = refusedList(uploads.length - bad.length, bad);
  return { again: { status: 422, notice: { kind: 'bad', text } } };
}

function refused(act: ActionContext<Member>, text: string): ActionResult {
  act.unchanged();
  if (!wantsJson(act)) refuse({ notice: { kind: 'bad', text } });
  return { show: ({ reply }) => reply.code(422).send({ files: [], detail: text }) };
}

function wantsJson({ request }: Pick<PageRequest, 'request'>): boolean {
  return (request.headers.accept ?? '').startsWith('application/json');
}

function sendJson(reply: FastifyReply, uploads: readonly UploadedPhoto[]): FastifyReply {
  const files = uploads.map(({ file: { name }, result }) =>
    result.outcome === 'refused'
      ? { name, refused: result.reason }
      : { name, photo_id: result.photoId, known: result.outcome === 'known' },
  );
  return reply.code(files.some((file) => 'refused' in file) ? 422 : 201).send({ files });
}

function refusedList(arrived: number, bad: readonly UploadedPhoto[]): Html {
  return html`<p>
      ${arrived > 0 && `${formatCount(arrived, 'photo')} arrived. `}${formatCount(bad.length, 'file')} cannot
      be used:
    </p>
    <ul>
      ${bad.map(
        ({ file, result }) =>
          html`<li><strong>${file.name}</strong>: ${result.outcome === 'refused' && result.reason}</li>`,
      )}
    </ul>`;
}

async function findOpenPlace(db: Db, id: string): Promise<Place | undefined> {
  const place = PLACE_ID.test(id) ? await findPlace(db, id) : undefined;
  return place?.closed_at === null ? place : undefined;
}

/** Sends the upload page: the place search first, then the form for its photos. */
async function sendUploadPage(req: PageRequest<Member>, state: PageState): Promise<FastifyReply> {
  const { deps, query } = req;
  const place = await findOpenPlace(deps.pool, state.form?.get('place_id') ?? query.get('place') ?? '');
  const words = cutTyped(query.get('q') ?? '', QUERY_MAX);
  const places = place === undefined && words !== '' ? await findAnyPlace(deps, words, LIMIT) : [];
  return sendFrame(req, 'photographer', {
    title: 'Upload photos',
    lead: 'Photos of places, without recognisable people or readable number plates. A person checks every photo.',
    current: PATH,
    notice: state.notice,
    scripts: ['photo-upload.js'],
    body: place === undefined ? placeSearch(words, places.filter(isOpen)) : uploadForm(req, place),
  });
}

function isOpen({ closed_at }: FoundPlace): boolean {
  return closed_at === null;
}

function placeSearch(words: string, places: readonly FoundPlace[]): Html {
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
    ${words !== '' && (places.length === 0 ? noPlace(words) : placeList(places))}
  </section>`;
}

function noPlace(words: string): Html {
  return html`<div class="empty">
    <h2>No place</h2>
    <p>No place is called “${words}”. Try only the name, or add its town.</p>
  </div>`;
}

function placeList(places: readonly FoundPlace[]): Html {
  return html`<ul class="place-choice">
    ${places.map(
      ({ id, name, vertical, city, country }) =>
        html`<li>
          <a href="${safeHref(`/photos/mine/upload?place=${id}`)}"
            ><strong><bdi>${name}</bdi></strong>
            <span class="soft">${kindAndTown({ vertical, city, country })}</span></a
          >
        </li>`,
    )}
  </ul>`;
}

function kindAndTown({ vertical, city, country }: Pick<FoundPlace, 'vertical' | 'city' | 'country'>): Html {
  const where = city ?? countryName(country);
  return html`${sentenceCase(vertical)}, <bdi>${where}</bdi>`;
}

function uploadForm(req: PageRequest, place: Place): Html {
  const fields = html`<input type="hidden" name="place_id" value="${place.id}" />
    <div class="field">
      <label for="photos">Photos of <bdi>${place.name}</bdi></label>
      <p class="hint" id="photos-hint">
        JPEG, PNG, WebP, TIFF, AVIF or GIF, at most ${MEGABYTES} MB each. Location, time and owner data from
        the camera is removed; only the month is kept.
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
    <p class="soft">${kindAndTown(place)}</p>
    ${form(req, PATH, fields, { files: true })}
  </section>`;
}
