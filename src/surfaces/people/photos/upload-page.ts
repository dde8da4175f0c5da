import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { Db } from '../../../core/postgres/db.ts';
import { formatCount } from '../../../core/text/format-count.ts';
import { html, safeHref, type Html } from '../../../core/text/html.ts';
import { cutTyped } from '../../../core/text/visible-text.ts';
import { countryName } from '../../../directory/country/country.ts';
import { findPlace, type Place } from '../../../directory/place/place.ts';
import type { Member } from '../../../members/member.ts';
import { PICTURE_TYPES, UPLOAD_BYTES_MAX } from '../../../photos/pipeline/inspect-upload.ts';
import { storeUploads, uploadPhoto, type UploadOutcome } from '../../../photos/upload-photo.ts';
import { findAnyPlace, type FoundPlace } from '../../../search/find-any-place.ts';
import { formFields } from '../form/action-form.ts';
import { fileInput, hiddenInput } from '../form/fields.ts';
import { readForm } from '../form/form-body.ts';
import { textField } from '../form/form-field.ts';
import type { UploadedFile } from '../form/uploaded-files.ts';
import { USES, type Use } from '../../../licensing/use.ts';
import { OTHERS_MIN, suggestPrices, type SuggestedPrice } from '../../../photos/suggested-prices.ts';
import { definitionList } from '../frame/definition-list.ts';
import { emptyState } from '../frame/components.ts';
import { form } from '../frame/frame.ts';
import { sentenceCase } from '../frame/wording.ts';
import { defineAction, refuse, type ActionContext, type ActionResult } from '../person/action.ts';
import { definePage } from '../person/page.ts';
import type { PageRequest } from '../person/page-request.ts';
import { member } from '../person/people.ts';
import { findThumbnails, placeThumbnail, type Thumbnails } from '../traveller/place-picture.ts';
import { suggestionWords, USE_LABELS } from './photo-words.ts';

const PATH = '/photos/mine/upload';
const PLACE_ID = /^plc_[0-9a-hjkmnp-tv-z]{26}$/;
const LIMIT = 12;
const QUERY_MAX = 120;
const MEGABYTES = UPLOAD_BYTES_MAX / 2 ** 20;
/** Maximum size of a form when the browser sends all files at once. The script sends each file in its own request. */
const FORM_BYTES_MAX = 3 * UPLOAD_BYTES_MAX;

/** Stores the uploaded files. The script gets JSON about its one file; a browser form gets a page about all files. */
const upload = defineAction({
  name: 'upload_photos',
  path: PATH,
  who: member,
  files: { bytesMax: FORM_BYTES_MAX },
  fields: {
    place_id: hiddenInput(z.string()),
    photos: fileInput({
      label: 'Photos',
      hint: `Drop them on the field, or press it to choose them. JPEG, PNG, WebP, TIFF, AVIF or GIF, at most ${MEGABYTES} MB each. Location, time and owner data from the camera is removed; only the month is kept.`,
      accept: PICTURE_TYPES,
      multiple: true,
      required: true,
    }),
  },
  async run(act, { place_id }) {
    const place = await findOpenPlace(act.db, place_id);
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
});

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

/** The place search first, then the form for photos of the chosen place. */
export const uploadPage = definePage({
  path: PATH,
  who: member,
  async load({ deps, person, request, query }) {
    const placeId = readForm(request).get('place_id') ?? query.get('place') ?? '';
    const place = await findOpenPlace(deps.pool, placeId);
    const words = cutTyped(query.get('q') ?? '', QUERY_MAX);
    const places = place === undefined && words !== '' ? await findAnyPlace(deps, words, LIMIT) : [];
    const suggested = place && (await suggestPrices(deps.pool, { placeId: place.id, memberId: person.id }));
    const open = places.filter(({ closed_at }) => closed_at === null);
    const pictures = await findThumbnails(
      deps.pool,
      open.map((place) => ({ ...place, place_id: place.id })),
    );
    return { place, suggested, words, places: open, pictures };
  },
  view: (req, { place, suggested = {}, words, places, pictures }) => ({
    title: 'Upload photos',
    lead: 'Photos of places, without recognisable people or readable number plates. A person checks every photo.',
    scripts: ['photo-preview.js', 'photo-upload.js'],
    body:
      place === undefined
        ? placeSearch(words, places, pictures)
        : html`${uploadForm(req, place)} ${priceSection(suggested)}`,
  }),
  actions: [upload],
});

function placeSearch(words: string, places: readonly FoundPlace[], pictures: Thumbnails): Html {
  return html`<section class="flow">
    <h2>Which place do they show?</h2>
    <form class="filters" method="get" action="${PATH}" role="search">
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
    ${words !== '' && (places.length === 0 ? emptyState('No place', `No place is called “${words}”. Try only the name, or add its town.`) : placeList(places, pictures))}
  </section>`;
}

function placeList(places: readonly FoundPlace[], pictures: Thumbnails): Html {
  return html`<ul class="place-choice">
    ${places.map(
      (place) =>
        html`<li>
          <a href="${safeHref(`${PATH}?place=${place.id}`)}">
            ${placeThumbnail({ ...place, place_id: place.id }, pictures)}
            <span>
              <strong><bdi>${place.name}</bdi></strong>
              <span class="soft">${kindAndTown(place)}</span>
            </span>
          </a>
        </li>`,
    )}
  </ul>`;
}

function kindAndTown({ vertical, city, country }: Pick<FoundPlace, 'vertical' | 'city' | 'country'>): Html {
  const where = city ?? countryName(country);
  return html`${sentenceCase(vertical)}, <bdi>${where}</bdi>`;
}

/** Says before an upload what a photo of this place may cost, and why. */
function priceSection(suggested: Partial<Record<Use, SuggestedPrice>>): Html {
  const uses = USES.filter((use) => suggested[use] !== undefined);
  return html`<section class="card flow" aria-labelledby="prices">
    <h2 id="prices">What you may ask</h2>
    <p class="soft">You set a price for each use once a person has approved the photo.</p>
    ${
      uses.length === 0
        ? html`<p>
            No price is suggested yet: that takes the prices of ${OTHERS_MIN} photos by others. You choose
            freely.
          </p>`
        : definitionList(
            'about',
            uses.map((use) => [USE_LABELS[use].label, suggested[use] && suggestionWords(suggested[use])]),
          )
    }
  </section>`;
}

function uploadForm(req: PageRequest, place: Place): Html {
  const fields = formFields(
    upload,
    {},
    {
      values: { place_id: place.id },
      fields: { photos: { label: html`Photos of <bdi>${place.name}</bdi>` } },
    },
  );
  const controls = html`${fields}
    <p class="hint" data-without-script>Together at most ${FORM_BYTES_MAX / 2 ** 20} MB at a time.</p>
    <p class="actions">
      <button class="button" type="submit">Upload</button>
      <a href="${PATH}">Another place</a>
    </p>
    <ul class="upload-list" data-progress aria-live="polite"></ul>
    <p class="actions" data-finished hidden><a class="button" href="/photos/mine">See my photos</a></p>`;
  return html`<section class="card flow">
    <h2><bdi>${place.name}</bdi></h2>
    <p class="soft">${kindAndTown(place)}</p>
    ${form(req, PATH, controls, { files: true })}
  </section>`;
}
