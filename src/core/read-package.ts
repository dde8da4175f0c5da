import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const PACKAGES = join(import.meta.dirname, '../../node_modules');

/** Reads a JSON file of a package, for the commands that generate data files from packages. */
export function readPackage(path: string): unknown {
  return JSON.parse(readFileSync(join(PACKAGES, path), 'utf8'));
}
