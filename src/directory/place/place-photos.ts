import { z } from 'zod';
import { placePhotoKindSet } from '../sets/place-sets.ts';
import type { MemberPhoto, Place } from './place.ts';

export const placePhotosSchema = z
  .array(
    z.object({
      url: z.string(),
      kind: placePhotoKindSet.schema,
      attribution: z.string().describe('Show it beside the photo.'),
    }),
  )
  .describe("The venue's own photo first, then at most 8 of travellers.");

type PlacePhoto = z.output<typeof placePhotosSchema>[number];

export function placePhotos(
  { listing_photo, member_photos, name }: Pick<Place, 'listing_photo' | 'member_photos' | 'name'>,
  { baseUrl, serviceName }: { baseUrl: string; serviceName: string },
): PlacePhoto[] {
  const listing: PlacePhoto[] =
    listing_photo === null
      ? []
      : [
          {
            url: `${baseUrl}/photos/listing/${listing_photo}`,
            kind: 'listing',
            attribution: `Photo: ${name}`,
          },
        ];
  return [
    ...listing,
    ...member_photos.map((photo) => ({
      url: `${baseUrl}/photos/${photo.photo_id}/w480`,
      kind: 'member' as const,
      attribution: memberAttribution(photo, serviceName),
    })),
  ];
}

export function memberAttribution({ by }: MemberPhoto, serviceName: string): string {
  return `Photo: ${by ?? 'a traveller'} via ${serviceName}`;
}
