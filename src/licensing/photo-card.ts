import { z } from 'zod';
import { closedSet } from '../core/input/closed-set.ts';
import { verticalSet } from '../directory/sets/vertical.ts';
import type { OperationDeps } from '../core/context.ts';
import { photoAttribution, pricesAfter, pricesNext, type LivePhoto } from './offered-photo.ts';

const cents = z.int().nullable();
const pricesSchema = z.object({ social: cents, web: cents, ad: cents, ai_training: cents });

const orientationSet = closedSet('Orientation', {
  landscape: 'Wider than high.',
  portrait: 'Higher than wide.',
  square: 'As wide as high.',
});

/** A photo as a search result: place, city and month, and nothing more precise about where or when. */
export const photoCardSchema = z.object({
  photo_id: z.string(),
  place: z.object({ place_id: z.string(), name: z.string() }),
  city: z.string(),
  country: z.string(),
  month: z.string().describe('YYYY-MM. The day is never published.'),
  kind: verticalSet.word.describe('The vertical of the place.'),
  preview_url: z.string().describe('A marked preview, 480 pixels wide.'),
  width: z.int().describe('Pixels of the licensed file.'),
  height: z.int(),
  orientation: orientationSet.schema,
  caption: z.string(),
  photographer: z.object({ display_name: z.string() }),
  attribution: z.string().describe('Show it beside the photo.'),
  prices: pricesSchema.describe('US cents for each use at this moment; null: not offered for it.'),
  drop: z.object({
    left: z.int().describe('Licences that are left.'),
    sold: z.int(),
    ends_at: z.string(),
    price_next: pricesSchema.describe('The prices after the next licence.'),
  }),
  people: z.literal('none').describe('No photo shows a recognisable person.'),
  checked_by_person: z.boolean().describe('false only for pictures drawn for the demonstration directory.'),
});

/** Public path of the watermarked preview. */
export function previewPath(photoId: string): string {
  return `/photos/${photoId}/w480`;
}

export function photoCard(deps: OperationDeps, photo: LivePhoto): z.input<typeof photoCardSchema> {
  const { width, height, sold } = photo;
  return {
    photo_id: photo.id,
    place: { place_id: photo.place_id, name: photo.place_name },
    city: photo.city ?? cityOf(deps, photo),
    country: photo.country,
    month: photo.month,
    kind: photo.kind,
    preview_url: deps.config.baseUrl + previewPath(photo.id),
    width,
    height,
    orientation: width > height ? 'landscape' : width < height ? 'portrait' : 'square',
    caption: photo.caption,
    photographer: { display_name: photo.photographer },
    attribution: photoAttribution(photo, deps.config.serviceName),
    prices: pricesAfter(photo, sold),
    drop: {
      left: photo.drop_cap - sold,
      sold,
      ends_at: photo.ends_at.toISOString(),
      price_next: pricesNext(photo),
    },
    people: 'none',
    checked_by_person: !photo.generated,
  };
}

/** Name of the destination, for places without a city. */
export function cityOf(
  { destinations }: OperationDeps,
  { destination_id: id }: { destination_id: string },
): string {
  return destinations.current.destinations.find((one) => one.id === id)?.name ?? '';
}

export const PHOTO_CARD_EXAMPLE: z.input<typeof photoCardSchema> = {
  photo_id: 'pho_01kdtqb00071qz6sbs7e2vkqza',
  place: { place_id: 'plc_01kdtqb00071qz6sbs7e2vkqza', name: 'Warung Senja' },
  city: 'Ubud',
  country: 'ID',
  month: '2026-09',
  kind: 'restaurant',
  preview_url: 'https://waypost.example/photos/pho_01kdtqb00071qz6sbs7e2vkqza/w480',
  width: 4032,
  height: 3024,
  orientation: 'landscape',
  caption: 'The terrace before the rain',
  photographer: { display_name: 'Ayu' },
  attribution: 'Photo: Ayu via Waypost',
  prices: { social: 500, web: 900, ad: 2_500, ai_training: null },
  drop: {
    left: 7,
    sold: 3,
    ends_at: '2026-11-17T09:00:00.000Z',
    price_next: { social: 550, web: 990, ad: 2_750, ai_training: null },
  },
  people: 'none',
  checked_by_person: true,
};
