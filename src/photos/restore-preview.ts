import type { Photo } from './photo.ts';
import {
  licensedFileOf,
  previewFileOf,
  readStored,
  type PhotoStorage,
  type PreviewWidth,
} from './photo-storage.ts';
import { drawPreview } from './pipeline/clean-photo.ts';

/** Previews being drawn, by key. */
const drawn = new Map<string, Promise<void>>();
/** Ends with the last of them. Drawing takes a core for a second, so it is one picture at a time. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Draws and stores a preview that the store does not have: it was made by an earlier release, or restored from a backup,
 * which leaves out what can be drawn again. Without the full file it does nothing.
 */
export function restorePreview(
  storage: PhotoStorage,
  photo: Pick<Photo, 'id' | 'width' | 'height'>,
  width: PreviewWidth,
): Promise<void> {
  const key = previewFileOf(photo.id, width);
  let drawing = drawn.get(key);
  if (drawing === undefined) {
    drawing = last.then(() => draw(storage, photo, width)).finally(() => drawn.delete(key));
    last = drawing.catch(() => undefined);
    drawn.set(key, drawing);
  }
  return drawing;
}

async function draw(
  storage: PhotoStorage,
  { id, width, height }: Pick<Photo, 'id' | 'width' | 'height'>,
  targetWidth: PreviewWidth,
): Promise<void> {
  const full = await readStored(storage, licensedFileOf(id));
  if (full === undefined || width === null || height === null) return;
  const preview = await drawPreview({ full, width, height }, targetWidth);
  await storage.put(previewFileOf(id, targetWidth), preview, 'image/jpeg');
}
