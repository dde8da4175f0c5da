import { ownValue } from '../../../core/input/own-value.ts';
import type { Pool } from '../../../core/postgres/db.ts';
import { html, safeHref, type Html } from '../../../core/text/html.ts';
import { memberAttribution } from '../../../directory/place/place-photos.ts';
import type { MemberPhoto, Place } from '../../../directory/place/place.ts';
import { assetUrl, type Illustration } from '../assets.ts';
import { userText } from '../frame/components.ts';
import table from './illustrations.json' with { type: 'json' };

const BY_CATEGORY = byWord(table.byCategory);
const BY_CUISINE = byWord(table.byCuisine);

/** A place, or a kind of place, that has a drawing. */
interface Drawn {
  category: string;
  vertical?: string;
  cuisine?: readonly string[];
}

/**
 * Returns the drawing for a place: a dish of its cuisine, otherwise its kind. The id chooses between drawings of one kind, so
 * that neighbours in a list differ.
 */
export function illustrationOf({ category, vertical, cuisine = [] }: Drawn, id = ''): Illustration {
  const general = ownValue<string>(table.byVertical, vertical ?? category);
  const kind = BY_CATEGORY.get(category) ?? (general as Illustration | undefined) ?? 'other';
  if (kind !== 'restaurant') return kind;
  for (const name of cuisine) {
    const dish = BY_CUISINE.get(name.toLowerCase().replaceAll(' ', '_'));
    if (dish !== undefined) return dish;
  }
  const turn = Number.parseInt(id.slice(-2), 36) || 0;
  return (table.restaurants[turn % table.restaurants.length] ?? kind) as Illustration;
}

function byWord(lists: Record<string, string>): ReadonlyMap<string, Illustration> {
  return new Map(
    Object.entries(lists).flatMap(([name, words]) =>
      words.split(' ').map((word) => [word, name as Illustration] as const),
    ),
  );
}

/** Photo URLs of places by id: the venue's own photo, otherwise the first one of a traveller. */
export type Thumbnails = ReadonlyMap<string, string>;

/** Reads the photos of listed places. Places without a photo are absent. */
export async function findThumbnails(db: Pool, placeIds: readonly string[]): Promise<Thumbnails> {
  if (placeIds.length === 0) return new Map();
  const rows = await db<Pick<Place, 'id' | 'listing_photo' | 'member_photos'>[]>`
    select id, listing_photo, member_photos from place
    where id = any(${placeIds}) and (listing_photo is not null or member_photos <> '[]')`;
  return new Map(
    rows.flatMap(({ id, listing_photo, member_photos: [first] }) => {
      const url = listing_photo !== null ? listingUrl(listing_photo) : first && memberUrl(first, 'w480');
      return url === undefined ? [] : [[id, url] as const];
    }),
  );
}

interface Pictured extends Drawn {
  place_id: string;
}

/** Renders the small picture of a listed place. The name beside it is its text. */
export function placeThumbnail(place: Pictured, photos: Thumbnails): Html {
  const photo = photos.get(place.place_id);
  if (photo !== undefined)
    return html`<img class="thumb" src="${safeHref(photo)}" alt="" width="96" height="72" loading="lazy" />`;
  const drawing = illustrationUrl(place, place.place_id);
  return html`<img class="thumb" src="${drawing}" alt="" width="96" height="72" />`;
}

/** Renders the picture at the top of a place page: a photo with its credit, or the drawing of its kind. */
export function pictureBand(place: Place, serviceName: string): Html {
  const { name, listing_photo, member_photos } = place;
  const [first] = member_photos;
  if (listing_photo !== null)
    return photoBand(listingUrl(listing_photo), name, html`Photo: ${userText(name)}`);
  if (first !== undefined)
    return photoBand(
      memberUrl(first, 'w1080'),
      first.caption === '' ? `Photo of ${name}` : first.caption,
      userText(memberAttribution(first, serviceName)),
      memberUrl(first, 'w480'),
    );
  return html`<div class="picture-band drawn">
    <img src="${illustrationUrl(place, place.id)}" alt="" width="320" height="200" />
  </div>`;
}

/** With a smaller copy for narrow screens, if there is one. */
function photoBand(url: string, alt: string, credit: Html, small?: string): Html {
  const sizes =
    small !== undefined &&
    html` srcset="${small} 480w, ${url} 1080w" sizes="(max-width: 76rem) 100vw, 76rem"`;
  return html`<figure class="picture-band">
    <img src="${safeHref(url)}" alt="${alt}" fetchpriority="high" ${sizes} />
    <figcaption>${credit}</figcaption>
  </figure>`;
}

export function illustrationUrl(place: Drawn, id?: string): string {
  return assetUrl(`drawing-${illustrationOf(place, id)}.svg`);
}

function listingUrl(photo: string): string {
  return `/photos/listing/${photo}`;
}

function memberUrl({ photo_id }: MemberPhoto, size: 'w480' | 'w1080'): string {
  return `/photos/${photo_id}/${size}`;
}
