import { html, safeHref } from '../../../../core/text/html.ts';
import { PICTURE_TYPES } from '../../../../photos/pipeline/inspect-upload.ts';
import { PhotoRefused, type RefusalCode } from '../../../../photos/pipeline/refusal.ts';
import { PHOTO_BYTES_MAX, storePhoto } from '../../../../venue/listing-photo.ts';
import { fileInput } from '../../form/fields.ts';
import { refuse, type PrepareContext } from '../../person/action.ts';
import type { Venue } from '../../person/people.ts';
import { areaLanguage, type AreaKey } from '../language/area-language.ts';
import { partPage } from './listing-part.ts';
import { valueButton } from '../../frame/components.ts';

const FAULTS: Readonly<Partial<Record<RefusalCode, AreaKey>>> = {
  heic: 'photo.heic',
  too_many_pixels: 'photo.pixels',
  damaged: 'photo.damaged',
};

/** The listing's main photo. */
export const venuePhotoPage = partPage({
  part: 'photo',
  files: { bytesMax: PHOTO_BYTES_MAX },
  fields: { photo: fileInput({ label: 'Choose a photo', accept: PICTURE_TYPES }) },
  content: (_req, { area }) => ({
    fields: {
      photo: {
        label: area('photo.choose'),
        hint: `${area('photo.drop')} ${area('photo.hint', { max: PHOTO_BYTES_MAX / 2 ** 20 })}`,
      },
    },
  }),
  draw: ({ person: { place } }, fields, _state, { area }) =>
    html`${
      place.listing_photo === null
        ? html`<p class="empty">${area('photo.none')}</p>`
        : html`<figure>
            <img
              class="listing-photo"
              src="${safeHref(`/photos/listing/${place.listing_photo}`)}"
              alt="${area('photo.now')}"
            />
            <figcaption class="hint">${area('photo.now')}</figcaption>
          </figure>`
    }
    ${fields}`,
  beside: ({ person: { place } }, { area }) =>
    place.listing_photo !== null && valueButton('do', 'remove', area('photo.remove'), 'danger'),
  prepare: storeUpload,
  read: (_act, _values, photo) => photo,
});

/** Stores the photo before the commit, because the listing must never reference a missing photo. */
async function storeUpload(context: PrepareContext<Venue>): Promise<string | null> {
  const { deps, form, files } = context;
  const { area } = areaLanguage(context);
  if (form.get('do') === 'remove') return null;
  const [file] = files;
  if (file === undefined || file.size === 0) refuse({ faults: { photo: area('fault.photoFirst') } });
  try {
    return await storePhoto(deps, await file.read());
  } catch (thrown) {
    if (thrown instanceof PhotoRefused)
      refuse({ faults: { photo: area(FAULTS[thrown.code] ?? 'photo.notAPicture') } });
    throw thrown;
  }
}
