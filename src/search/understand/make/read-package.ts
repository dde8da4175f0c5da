import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGES = join(import.meta.dirname, '../../../../node_modules');

/** A file of a package that only the maker of the vocabulary needs. */
export function readPackage<Shape>(path: string): Shape {
  return JSON.parse(readFileSync(join(PACKAGES, path), 'utf8')) as Shape;
}

/** A file of our own, by its path in the source. */
export function readSource<Shape>(path: string): Shape {
  return JSON.parse(readFileSync(join(import.meta.dirname, '../../..', path), 'utf8')) as Shape;
}
