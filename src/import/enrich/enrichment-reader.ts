import { StringDecoder } from 'node:string_decoder';
import type { Progress } from '../../core/progress.ts';
import { FeatureSplitter } from '../geojson/feature-splitter.ts';
import { ImportFileError } from '../import-file-error.ts';
import { TextFile } from '../text-file.ts';

const LINE_LENGTH_MAX = 16 * 1024 * 1024;
// Matches the first member of a FeatureCollection.
const COLLECTION = /^\s*\{[^{}[\]]*("FeatureCollection"|"features")/;

/** Reads JSON lines or a GeoJSON FeatureCollection, plain or gzip-compressed, one object at a time. */
export async function* readEnrichment(path: string, progress: Progress): AsyncGenerator {
  const plain = ['a JSON file', 'a text file'];
  const file = await TextFile.open(path, { plain, isNot: 'is neither JSON lines nor GeoJSON' });
  try {
    yield* readObjects(path, file, progress);
  } catch (error) {
    throw file.explain(error);
  } finally {
    await file.close();
  }
}

async function* readObjects(path: string, file: TextFile, progress: Progress): AsyncGenerator {
  let cut: ((chunk: Buffer | null) => Iterable<unknown>) | undefined;
  for await (const chunk of file.chunks(progress)) {
    cut ??= COLLECTION.test(chunk.toString('utf8', 0, 4096)) ? featuresIn(path, file) : linesIn(path, file);
    yield* cut(chunk);
  }
  yield* cut?.(null) ?? [];
}

function featuresIn(path: string, file: TextFile): (chunk: Buffer | null) => Iterable<unknown> {
  const splitter = new FeatureSplitter(path);
  let number = 0;
  return function* (chunk) {
    if (chunk === null) splitter.end();
    else
      for (const bytes of splitter.push(chunk))
        yield file.parse(`feature ${++number}`, bytes.toString('utf8'));
  };
}

function linesIn(path: string, file: TextFile): (chunk: Buffer | null) => Iterable<unknown> {
  const decoder = new StringDecoder('utf8');
  let number = 0;
  let remainder = '';
  return function* (chunk) {
    const lines = (remainder + (chunk === null ? `${decoder.end()}\n` : decoder.write(chunk))).split('\n');
    remainder = lines.pop() ?? '';
    if (remainder.length > LINE_LENGTH_MAX) throw new ImportFileError(`${path} has a line that is too long.`);
    for (const line of lines) {
      number++;
      if (line.trim() !== '') yield file.parse(`line ${number}`, line.replace(/^\ufeff/, ''));
    }
  };
}
