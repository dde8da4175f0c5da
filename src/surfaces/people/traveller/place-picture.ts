import { ownValue } from '../../../core/input/own-value.ts';
import type { Pool } from '../../../core/postgres/db.ts';
import { html, safeHref, type Html } from '../../../core/text/html.ts';
import { memberAttribution } from '../../../directory/place/place-photos.ts';
import type { MemberPhoto, Place } from '../../../directory/place/place.ts';
import { assetUrl, LOOKS, type Drawing, type Illustration } from '../assets.ts';
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

/** Returns the illustrations for a place: a dish of its cuisine, otherwise those of its kind. */
function illustrationsOf({ category, vertical, cuisine = [] }: Drawn): readonly Illustration[] {
  const general = ownValue<string>(table.byVertical, vertical ?? category);
  const kind = BY_CATEGORY.get(category) ?? (general as Illustration | undefined) ?? 'other';
  if (kind === 'restaurant')
    for (const name of cuisine) {
      const dish = BY_CUISINE.get(name.toLowerCase().replaceAll(' ', '_'));
      if (dish !== undefined) return [dish];
    }
  return [kind, ...((ownValue<string[]>(table.more, kind) ?? []) as Illustration[])];
}

/** Returns the illustration for a place. Restaurants are many, so their ids choose among those of the kind. */
export function illustrationOf(place: Drawn, id = ''): Illustration {
  const all = illustrationsOf(place);
  return all[all[0] === 'restaurant' ? turnOf(id) % all.length : 0] ?? 'other';
}

/**
 * Returns the drawing of a place: its illustration. In a list another illustration of its kind follows the same one, or
 * where there is none, the same in the evening.
 */
export function chooseDrawing(place: Drawn, id = '', before?: Drawing): Drawing {
  const name = illustrationOf(place, id);
  const look = LOOKS.findIndex((one) => before === `${name}${one}`);
  if (look < 0) return name;
  const all = illustrationsOf(place);
  if (all.length > 1) return all[(all.indexOf(name) + 1) % all.length] ?? name;
  return `${name}${LOOKS[(look + 1) % LOOKS.length] ?? ''}`;
}

function turnOf(id: string): number {
  return Number.parseInt(id.slice(-2), 36) || 0;
}

function byWord(lists: Record<string, string>): ReadonlyMap<string, Illustration> {
  return new Map(
    Object.entries(lists).flatMap(([name, words]) =>
      words.split(' ').map((word) => [word, name as Illustration] as const),
    ),
  );
}

interface Thumbnail {
  url: string;
  /** True for a picture that is loaded only when the visitor comes near it. */
  isLater: boolean;
}

/** Pictures that are on the first screen. */
const FIRST_SCREEN = 6;

/** Pictures of listed places by id: the venue's own photo, otherwise the first one of a traveller, otherwise a drawing. */
export type Thumbnails = ReadonlyMap<string, Thumbnail>;

/** Reads the photos of places in the order of their list, and draws the others so that none repeats in a row. */
export async function findThumbnails(db: Pool, places: readonly Pictured[]): Promise<Thumbnails> {
  if (places.length === 0) return new Map();
  const ids = places.map(({ place_id }) => place_id);
  const rows = await db<Pick<Place, 'id' | 'listing_photo' | 'member_photos'>[]>`
    select id, listing_photo, member_photos from place
    where id = any(${ids}) and (listing_photo is not null or member_photos <> '[]')`;
  const photos = new Map(
    rows.flatMap(({ id, listing_photo, member_photos: [first] }) => {
      const url = listing_photo !== null ? listingUrl(listing_photo) : first && memberUrl(first, 'w480');
      return url === undefined ? [] : [[id, url] as const];
    }),
  );
  let before: Drawing | undefined;
  return new Map(
    places.map((place, at): [string, Thumbnail] => {
      const photo = photos.get(place.place_id);
      before = photo === undefined ? chooseDrawing(place, place.place_id, before) : undefined;
      return [
        place.place_id,
        {
          url: photo ?? assetUrl(`drawing-${before ?? 'other'}.svg`),
          isLater: photo !== undefined || at >= FIRST_SCREEN,
        },
      ];
    }),
  );
}

interface Pictured extends Drawn {
  place_id: string;
}

/** Renders the small picture of a listed place. The name beside it is its text. */
export function placeThumbnail(place: Pictured, thumbnails: Thumbnails): Html {
  const { url, isLater } = thumbnails.get(place.place_id) ?? {
    url: illustrationUrl(place, place.place_id),
    isLater: false,
  };
  const lazy = isLater && html` loading="lazy"`;
  return html`<img class="thumb" src="${safeHref(url)}" alt="" width="96" height="72" ${lazy} />`;
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
  return assetUrl(`drawing-${chooseDrawing(place, id)}.svg`);
}

function listingUrl(photo: string): string {
  return `/photos/listing/${photo}`;
}

function memberUrl({ photo_id }: MemberPhoto, size: 'w480' | 'w1080'): string {
  return `/photos/${photo_id}/${size}`;
}
