import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGES = join(import.meta.dirname, '../../../../../node_modules');

/** Reads a file of a package that only the vocabulary build needs. */
export function readPackage(path: string): unknown {
  return JSON.parse(readFileSync(join(PACKAGES, path), 'utf8'));
}
