import { type FileHandle, open } from 'node:fs/promises';
import { StringDecoder } from 'node:string_decoder';
import { createGunzip } from 'node:zlib';
import { pipeline, type Readable } from 'node:stream';
import type { Progress } from '../../core/progress.ts';
import { FeatureSplitter } from '../geojson/feature-splitter.ts';
import { ImportFileError, asImportFileError, nameFormat } from '../import-file-error.ts';

const LINE_LENGTH_MAX = 16 * 1024 * 1024;
// The first member of a FeatureCollection; a line of JSON lines could only begin so if it were a whole collection.
const COLLECTION = /^\s*\{[^{}[\]]*("FeatureCollection"|"features")/;

/** Reads JSON lines or a GeoJSON FeatureCollection, plain or compressed with gzip, object by object. */
export async function* readEnrichment(path: string, progress: Progress): AsyncGenerator {
  let handle: FileHandle | undefined;
  try {
    handle = await open(path, 'r');
    yield* readObjects(path, handle, progress);
  } catch (error) {
    throw explain(path, error);
  } finally {
    await handle?.close();
  }
}

function explain(path: string, error: unknown): ImportFileError {
  const code = (error as Partial<NodeJS.ErrnoException> | null)?.code ?? '';
  if (code === 'Z_BUF_ERROR') return new ImportFileError(`${path} is cut off: its gzip data ends too early.`);
  if (code.startsWith('Z_'))
    return new ImportFileError(`${path} is damaged: its gzip data cannot be unpacked.`);
  return asImportFileError(path, error);
}

async function* readObjects(path: string, handle: FileHandle, progress: Progress): AsyncGenerator {
  const { size } = await handle.stat();
  const head = Buffer.alloc(16);
  const { bytesRead } = await handle.read(head, 0, head.length, 0);
  if (bytesRead === 0) throw new ImportFileError(`${path} is empty.`);
  const format = nameFormat(head.subarray(0, bytesRead));
  if (!['a gzip file', 'a JSON file', 'a text file'].includes(format))
    throw new ImportFileError(`${path} is neither JSON lines nor GeoJSON but ${format}.`);
  const file = handle.createReadStream({ start: 0, autoClose: false, highWaterMark: 256 * 1024 });
  let source: Readable = file;
  // The error of either stream ends the loop below; pipeline wants a place to report it as well.
  if (format === 'a gzip file') source = pipeline(file, createGunzip(), () => undefined);
  let cut: ((chunk: Buffer | null) => Iterable<unknown>) | undefined;
  for await (const chunk of source as AsyncIterable<Buffer>) {
    cut ??= COLLECTION.test(chunk.toString('utf8', 0, 4096)) ? featuresIn(path) : linesIn(path);
    yield* cut(chunk);
    progress(Math.min(file.bytesRead, size), size);
  }
  yield* cut?.(null) ?? [];
}

function featuresIn(path: string): (chunk: Buffer | null) => Iterable<unknown> {
  const splitter = new FeatureSplitter(path);
  let number = 0;
  return function* (chunk) {
    if (chunk === null) splitter.end();
    else
      for (const bytes of splitter.push(chunk))
        yield parse(path, `feature ${++number}`, bytes.toString('utf8'));
  };
}

function linesIn(path: string): (chunk: Buffer | null) => Iterable<unknown> {
  const decoder = new StringDecoder('utf8');
  let number = 0;
  let rest = '';
  return function* (chunk) {
    const lines = (rest + (chunk === null ? `${decoder.end()}\n` : decoder.write(chunk))).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LINE_LENGTH_MAX)
      throw new ImportFileError(`${path} has a line that is too long for a row.`);
    for (const line of lines) {
      number++;
      if (line.trim() !== '') yield parse(path, `line ${number}`, line);
    }
  };
}

function parse(path: string, where: string, json: string): unknown {
  try {
    return JSON.parse(json.replace(/^\ufeff/, ''));
  } catch (error) {
    throw new ImportFileError(`${path} is not valid JSON: ${where} cannot be read.`, { cause: error });
  }
}
