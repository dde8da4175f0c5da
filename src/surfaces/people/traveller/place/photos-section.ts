import { html, safeHref, type Html } from '../../../../core/text/html.ts';
import { memberAttribution } from '../../../../directory/place/place-photos.ts';
import type { Place } from '../../../../directory/place/place.ts';

/** Renders the venue's own photo, captioned with its name. */
export function listingPhoto({ listing_photo, name }: Place): Html | false {
  if (listing_photo === null) return false;
  return html`<figure class="listing">
    <img src="${safeHref(`/photos/listing/${listing_photo}`)}" alt="${name}" />
    <figcaption>Photo: <bdi>${name}</bdi></figcaption>
  </figure>`;
}

/** Renders photos by travellers, each with its photographer, and a link to add one. */
export function memberPhotos(place: Place, serviceName: string): Html | false {
  const { member_photos: photos, closed_at } = place;
  if (closed_at !== null && photos.length === 0) return false;
  return html`<section aria-labelledby="photos-title">
    <h2 id="photos-title">Photos by travellers</h2>
    ${
      photos.length > 0 &&
      html`<ul class="member-photos">
        ${photos.map(
          (photo) =>
            html`<li>
              <figure>
                <a href="${safeHref(`/photos/${photo.photo_id}/w1080`)}"
                  ><img
                    src="${safeHref(`/photos/${photo.photo_id}/w480`)}"
                    alt="${photo.caption === '' ? `Photo of ${place.name}` : photo.caption}"
                    loading="lazy"
                    width="480"
                    height="360"
                /></a>
                <figcaption dir="auto">${memberAttribution(photo, serviceName)}</figcaption>
              </figure>
            </li>`,
        )}
      </ul>`
    }
    ${
      closed_at === null &&
      html`<p>
        ${photos.length === 0 && 'There are none yet. '}<a
          class="tall"
          href="${safeHref(`/photos/mine/upload?place=${place.id}`)}"
          rel="nofollow"
          >Add your photos of this place</a
        >
      </p>`
    }
  </section>`;
}
