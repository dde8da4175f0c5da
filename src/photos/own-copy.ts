import { licensedFileOf, readStored, type PhotoStorage } from './photo-storage.ts';
import { cleanPicture } from './pipeline/clean-picture.ts';

/** Longest side in pixels: twice what the pages of a photographer show. */
const SIDE_MAX = 960;

/** Renders a small copy without the watermark of the previews, for the photographer of the photo. */
export async function renderOwnCopy(storage: PhotoStorage, photoId: string): Promise<Buffer | undefined> {
  const stored = await readStored(storage, licensedFileOf(photoId));
  return stored && (await cleanPicture(stored, SIDE_MAX)).full;
}
