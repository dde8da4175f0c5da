import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGES = join(import.meta.dirname, '../../../../node_modules');

/** Reads a file of a package that only the vocabulary build needs. */
export function readPackage(path: string): unknown {
  return JSON.parse(readFileSync(join(PACKAGES, path), 'utf8'));
}

/** Reads one of our own files, by its path in the source. */
export function readSource(path: string): unknown {
  return JSON.parse(readFileSync(join(import.meta.dirname, '../../..', path), 'utf8'));
}
