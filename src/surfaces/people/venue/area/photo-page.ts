import { html, safeHref } from '../../../../core/text/html.ts';
import { PICTURE_TYPES } from '../../../../photos/pipeline/inspect-upload.ts';
import { PhotoRefused } from '../../../../photos/pipeline/refusal.ts';
import { PHOTO_BYTES_MAX, storePhoto } from '../../../../venue/listing-photo.ts';
import { fileInput } from '../../form/fields.ts';
import { refuse, type PrepareContext } from '../../person/action.ts';
import type { Venue } from '../../person/people.ts';
import { partPage } from './listing-part.ts';
import { valueButton } from '../../frame/components.ts';

/** The listing's main photo. */
export const venuePhotoPage = partPage({
  part: 'photo',
  title: 'Photo',
  lead: 'One photo of your place, without recognisable people. It is shown with your name beside it.',
  files: { bytesMax: PHOTO_BYTES_MAX },
  fields: {
    photo: fileInput({
      label: 'Choose a photo',
      hint: `JPEG, PNG, WebP, TIFF, AVIF or GIF, at most ${PHOTO_BYTES_MAX / 2 ** 20} MB. Location and time data from the camera is removed.`,
      accept: PICTURE_TYPES,
    }),
  },
  button: 'Save photo',
  draw: ({ person: { place } }, fields) =>
    html`${
      place.listing_photo === null
        ? html`<p class="empty">There is no photo yet.</p>`
        : html`<figure>
            <img
              class="listing-photo"
              src="${safeHref(`/photos/listing/${place.listing_photo}`)}"
              alt="The photo that is shown now"
            />
            <figcaption class="hint">The photo that is shown now.</figcaption>
          </figure>`
    }
    ${fields}`,
  beside: ({ person: { place } }) =>
    place.listing_photo !== null && valueButton('do', 'remove', 'Show no photo', 'danger'),
  prepare: storeUpload,
  read: (_act, _values, photo) => photo,
});

/** Stores the photo before the commit, because the listing must never reference a missing photo. */
async function storeUpload({ deps, form, files }: PrepareContext<Venue>): Promise<string | null> {
  if (form.get('do') === 'remove') return null;
  const [file] = files;
  if (file === undefined || file.size === 0) refuse({ faults: { photo: 'Choose a photo first.' } });
  try {
    return await storePhoto(deps, await file.read());
  } catch (thrown) {
    if (thrown instanceof PhotoRefused) refuse({ faults: { photo: thrown.message } });
    throw thrown;
  }
}
