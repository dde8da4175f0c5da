import { licensedFileOf, uploadedFileOf } from '../photos/photo-storage.ts';
import type { Db } from '../core/postgres/db.ts';
import { listingFileOf } from '../venue/listing-photo.ts';

/** Keys of uploads waiting to be processed; they are deleted as soon as that is done. */
export async function namedUploads(sql: Db): Promise<string[]> {
  const photos = await sql<{ id: string }[]>`
    select id from photo where has_files and state = 'processing' order by id`;
  return photos.map(({ id }) => uploadedFileOf(id));
}

/**
 * Keys of all other photos, and of listing pictures, including those that an undone edit would restore. Previews are drawn
 * again from the full file when somebody looks at them.
 */
export async function namedFiles(sql: Db): Promise<string[]> {
  const photos = await sql<{ id: string }[]>`
    select id from photo where has_files and state <> 'processing' order by id`;
  const listings = await sql<{ name: string }[]>`
    select listing_photo as name from place where listing_photo is not null
    union select before ->> 'value' from venue_edit where part = 'photo' and before ->> 'value' is not null
    order by 1`;
  return [...photos.map(({ id }) => licensedFileOf(id)), ...listings.map(({ name }) => listingFileOf(name))];
}
