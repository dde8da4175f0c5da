import { after } from 'node:test';
import { pathToFileURL } from 'node:url';
import { isKeeping } from './kept.ts';

// Loaded for each file anew, with its path behind the question mark. The last hook of a file ends it where something
// that files share keeps the process alive; elsewhere the file is over when nothing is left to do.
const file = new URL(import.meta.url).searchParams.get('run') ?? '';
try {
  await import(pathToFileURL(file).href);
} finally {
  after(() => {
    if (isKeeping()) setImmediate(() => process.emit('beforeExit', 0));
  });
}
