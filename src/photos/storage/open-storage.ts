import type { PhotoStorage } from '../photo-storage.ts';
import { DiskStorage } from './disk-storage.ts';
import { S3Storage, type S3Settings } from './s3-storage.ts';

export interface StorageSettings {
  photoDir: string;
  photoS3: S3Settings | undefined;
}

export function openPhotoStorage(config: StorageSettings): PhotoStorage {
  return config.photoS3 === undefined ? new DiskStorage(config.photoDir) : new S3Storage(config.photoS3);
}
