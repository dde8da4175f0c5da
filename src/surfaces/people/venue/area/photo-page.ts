import type { FastifyReply } from 'fastify';
import { html, safeHref } from '../../../../core/text/html.ts';
import { PICTURE_TYPES } from '../../../../photos/pipeline/inspect-upload.ts';
import { PhotoRefused } from '../../../../photos/pipeline/refusal.ts';
import { PHOTO_BYTES_MAX, storePhoto } from '../../../../venue/listing-photo.ts';
import { refuse, type PrepareContext } from '../../person/action.ts';
import type { PageRequest, PageState } from '../../person/page-request.ts';
import type { Venue } from '../../person/people.ts';
import { sendPartPage, type PartPage } from './listing-part.ts';

const MEGABYTES = PHOTO_BYTES_MAX / 2 ** 20;

/** The listing's main photo. */
export const photoPart: PartPage<'photo'> = {
  part: 'photo',
  page: sendPhotoPage,
  bytesMax: PHOTO_BYTES_MAX,
  read: readPhoto,
};

function sendPhotoPage(request: PageRequest<Venue>, { faults = {} }: PageState): Promise<FastifyReply> {
  const { listing_photo: photo } = request.person.place;
  const fault = faults['photo'];
  return sendPartPage(request, {
    title: 'Photo',
    lead: 'One photo of your place, without recognisable people. It is shown with your name beside it.',
    part: 'photo',
    files: true,
    fields: html`${
        photo === null
          ? html`<p class="empty">There is no photo yet.</p>`
          : html`<figure>
              <img
                class="listing-photo"
                src="${safeHref(`/photos/listing/${photo}`)}"
                alt="The photo that is shown now"
              />
              <figcaption class="hint">The photo that is shown now.</figcaption>
            </figure>`
      }
      <div class="field ${fault !== undefined && 'bad'}">
        <label for="photo">Choose a photo</label>
        <p class="hint" id="photo-hint">
          JPEG, PNG, WebP, TIFF, AVIF or GIF, at most ${MEGABYTES} MB. Location and time data from the camera
          is removed.
        </p>
        ${fault !== undefined && html`<p class="fault" id="photo-fault">${fault}</p>`}
        <input
          type="file"
          id="photo"
          name="photo"
          accept="${PICTURE_TYPES}"
          aria-describedby="photo-hint${fault !== undefined && ' photo-fault'}"
        />
      </div>`,
    save: 'Save photo',
    beside:
      photo !== null &&
      html`<button class="button danger" type="submit" name="do" value="remove">Show no photo</button>`,
  });
}

async function readPhoto({ deps, form, files }: PrepareContext<Venue>): Promise<string | null> {
  if (form.get('do') === 'remove') return null;
  const [file] = files;
  if (file === undefined || file.size === 0) refuse({ faults: { photo: 'Choose a photo first.' } });
  try {
    // Stores the photo before the commit, because the listing must never reference a missing photo. An unreferenced one
    // is harmless.
    return await storePhoto(deps, await file.read());
  } catch (thrown) {
    if (thrown instanceof PhotoRefused) refuse({ faults: { photo: thrown.message } });
    throw thrown;
  }
}
