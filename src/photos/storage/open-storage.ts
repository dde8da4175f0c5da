import { join } from 'node:path';
import type { PhotoStorage } from '../photo-storage.ts';
import { DiskStorage } from './disk-storage.ts';
import { S3Storage, type S3Settings } from './s3-storage.ts';

export interface StorageSettings {
  photoDir: string;
  photoS3: S3Settings | undefined;
}

interface StoragePlace extends StorageSettings {
  dataDir: string;
  databaseUrl: string | undefined;
}

export function openPhotoStorage(config: StorageSettings): PhotoStorage {
  return config.photoS3 === undefined ? new DiskStorage(config.photoDir) : new S3Storage(config.photoS3);
}

/** True when several nodes see the storage. The folder inside DATA_DIR belongs to one. */
export function isSharedStorage({ photoS3, photoDir, dataDir, databaseUrl }: StoragePlace): boolean {
  if (databaseUrl === undefined) return false;
  return photoS3 !== undefined || photoDir !== join(dataDir, 'photos');
}
