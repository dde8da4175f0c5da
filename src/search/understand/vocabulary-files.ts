import { join } from 'node:path';

/** Meanings with their phrases; made by `npm run vocabulary`. */
export const WORDS_FILE = join(import.meta.dirname, 'words/phrases.tsv');
/** Brands with their names; made with it. */
export const BRANDS_FILE = join(import.meta.dirname, 'words/brands.tsv');
