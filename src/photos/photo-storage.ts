import type { Readable } from 'node:stream';
import { DiskStorage } from './storage/disk-storage.ts';
import { S3Storage, type S3Settings } from './storage/s3-storage.ts';

declare module '../core/context.ts' {
  interface Deps {
    photoStorage: PhotoStorage;
  }
}

/** The first and the last byte, both counted from 0 and both included, as in an HTTP range. */
export interface ByteRange {
  start: number;
  end: number;
}

export interface StoredFile {
  /** The size of the whole file, whatever part of it was asked for. */
  size: number;
  body: Readable;
}

/** Where the files of photos lie. A key is a path of plain words; what is put under it replaces what was there. */
export interface PhotoStorage {
  put(key: string, bytes: Uint8Array, contentType: string): Promise<void>;
  /** The file or a part of it; undefined when there is none. Whoever gets a body reads or destroys it. */
  get(key: string, range?: ByteRange): Promise<StoredFile | undefined>;
  /** Does nothing when there is no such file. */
  delete(key: string): Promise<void>;
}

/** What the settings say about where the files lie. */
export interface StorageSettings {
  photoDir: string;
  photoS3: S3Settings | undefined;
}

export function openPhotoStorage(config: StorageSettings): PhotoStorage {
  return config.photoS3 === undefined ? new DiskStorage(config.photoDir) : new S3Storage(config.photoS3);
}

export type PreviewWidth = 480 | 1080;

/** The clean file in full size, which only a licensee gets. */
export function licensedFileOf(photoId: string): string {
  return `full/${photoId}.jpg`;
}

/** A marked, smaller copy for everybody to look at. */
export function previewFileOf(photoId: string, width: PreviewWidth): string {
  return `preview/${photoId}-w${width}.jpg`;
}

/** The file as it came, which is deleted as soon as the clean copies are made. */
export function uploadedFileOf(photoId: string): string {
  return `upload/${photoId}`;
}

/** Reads a whole file into memory. */
export async function readStored(storage: PhotoStorage, key: string): Promise<Buffer | undefined> {
  const file = await storage.get(key);
  if (file === undefined) return undefined;
  const chunks: Buffer[] = [];
  for await (const chunk of file.body) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
