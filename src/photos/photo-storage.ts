import type { Readable } from 'node:stream';

declare module '../core/context.ts' {
  interface Deps {
    photoStorage: PhotoStorage;
  }
}

/** First and last byte, zero-based and inclusive, as in an HTTP range. */
export interface ByteRange {
  start: number;
  end: number;
}

export interface StoredFile {
  /** Size of the whole file, even when only a part was requested. */
  size: number;
  body: Readable;
}

/** Storage for photo files. A key is a path of plain words; `put` overwrites an existing file. */
export interface PhotoStorage {
  put(key: string, bytes: Uint8Array, contentType: string): Promise<void>;
  /** Returns the file or a part of it; undefined when there is none. The caller must read or destroy the body. */
  get(key: string, range?: ByteRange): Promise<StoredFile | undefined>;
  /** Does nothing when there is no such file. */
  delete(key: string): Promise<void>;
}

export type PreviewWidth = 480 | 1080;

/** The clean file in full size, which only a licensee gets. */
export function licensedFileOf(photoId: string): string {
  return `full/${photoId}.jpg`;
}

/** A smaller, marked copy, which is public. Another look gets another name, so that no copy with the old one is sent. */
export function previewFileOf(photoId: string, width: PreviewWidth): string {
  return `preview/${photoId}-w${width}-marked-once.jpg`;
}

/** The copy of earlier releases, with marks all over it. Their nodes may still run beside this one. */
export function earlierPreviewFileOf(photoId: string, width: PreviewWidth): string {
  return `preview/${photoId}-w${width}.jpg`;
}

/** The file as uploaded, which is deleted as soon as the clean copies are made. */
export function uploadedFileOf(photoId: string): string {
  return `upload/${photoId}`;
}

export async function storeCleanPhoto(
  storage: PhotoStorage,
  photoId: string,
  { full, previews }: { full: Buffer; previews: Record<PreviewWidth, Buffer> },
): Promise<void> {
  await storage.put(licensedFileOf(photoId), full, 'image/jpeg');
  for (const width of [480, 1080] as const)
    await storage.put(previewFileOf(photoId, width), previews[width], 'image/jpeg');
}

export async function readStored(storage: PhotoStorage, key: string): Promise<Buffer | undefined> {
  const file = await storage.get(key);
  if (file === undefined) return undefined;
  const chunks: Buffer[] = [];
  for await (const chunk of file.body) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
