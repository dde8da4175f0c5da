import type { FastifyReply } from 'fastify';
import { html, safeHref } from '../../../../core/text/html.ts';
import { PICTURE_TYPES } from '../../../../photos/pipeline/inspect-upload.ts';
import { PhotoRefused } from '../../../../photos/pipeline/refusal.ts';
import { editListing } from '../../../../venue/edit-listing.ts';
import { PHOTO_BYTES_MAX, storePhoto } from '../../../../venue/listing-photo.ts';
import { uploadedFiles } from '../../form/upload-body.ts';
import { sendDone, sendPartPage, type VenueVisit } from '../venue-route.ts';

const MEGABYTES = PHOTO_BYTES_MAX / 2 ** 20;

/** The one picture at the head of the listing. */
export function sendPhotoPage(visit: VenueVisit, fault?: string): Promise<FastifyReply> {
  const { listing_photo: photo } = visit.place;
  return sendPartPage(visit, {
    title: 'Photo',
    lead: 'One photo of your place, without recognisable people. It is shown with your name beside it.',
    action: '/venue/photo',
    files: true,
    status: fault === undefined ? 200 : 422,
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
          JPEG, PNG, WebP, TIFF, AVIF or GIF, at most ${MEGABYTES} MB. What the camera wrote into it about
          place and time is removed.
        </p>
        ${fault !== undefined && html`<p class="fault" id="photo-fault">${fault}</p>`}
        <input
          type="file"
          id="photo"
          name="photo"
          accept="${PICTURE_TYPES}"
          aria-describedby="photo-hint${fault !== undefined && ' photo-fault'}"
        />
      </div>
      <p class="actions">
        <button class="button" type="submit">Save photo</button>
        ${photo !== null && html`<button class="button danger" type="submit" name="do" value="remove">Show no photo</button>`}
        <a href="/venue">Back without saving</a>
      </p>`,
  });
}

export async function savePhoto(visit: VenueVisit): Promise<FastifyReply> {
  const { deps, form, place, request } = visit;
  if (form.get('do') === 'remove') {
    await editListing(deps, place.id, 'photo', null);
    return sendDone(visit, 'photo');
  }
  const file = uploadedFiles(request)[0]?.bytes;
  if (file === undefined || file.length === 0) return sendPhotoPage(visit, 'Choose a photo first.');
  try {
    await editListing(deps, place.id, 'photo', await storePhoto(deps, file));
  } catch (thrown) {
    if (thrown instanceof PhotoRefused) return sendPhotoPage(visit, thrown.message);
    throw thrown;
  }
  return sendDone(visit, 'photo');
}
