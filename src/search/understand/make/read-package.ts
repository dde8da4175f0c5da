import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGES = join(import.meta.dirname, '../../../../node_modules');

/** A file of a package that only the maker of the vocabulary needs. */
export function readPackage(path: string): unknown {
  return JSON.parse(readFileSync(join(PACKAGES, path), 'utf8'));
}

/** A file of our own, by its path in the source. */
export function readSource(path: string): unknown {
  return JSON.parse(readFileSync(join(import.meta.dirname, '../../..', path), 'utf8'));
}
