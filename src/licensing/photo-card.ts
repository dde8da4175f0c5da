import { z } from 'zod';
import { closedSet } from '../core/input/closed-set.ts';
import sets from './sets.json' with { type: 'json' };
import { verticalSet } from '../directory/sets/vertical.ts';
import type { OperationDeps } from '../core/context.ts';
import example from './photo-card-example.json' with { type: 'json' };
import { photoAttribution, pricesAfter, pricesNext, type LivePhoto } from './offered-photo.ts';

const cents = z.int().nullable();
const pricesSchema = z.object({ social: cents, web: cents, ad: cents, ai_training: cents });

const orientationSet = closedSet('Orientation', sets.Orientation);

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

export function cityOf(
  { destinations }: OperationDeps,
  { destination_id: id }: { destination_id: string },
): string {
  return destinations.current.destinations.find((one) => one.id === id)?.name ?? '';
}

export const PHOTO_CARD_EXAMPLE = example as z.input<typeof photoCardSchema>;
