import { pipeline, Readable } from 'node:stream';
import { parse, type CsvError, type Info } from 'csv-parse';
import { parse as parseNow } from 'csv-parse/sync';
import type { Progress } from '../../core/progress.ts';
import { ImportFileError } from '../import-file-error.ts';
import { TextFile } from '../text-file.ts';

export interface CsvFormat {
  /** As TextDecoder names it. */
  encoding: string;
  delimiter: string;
  header: readonly string[];
}

export interface CsvRow {
  /** Number of its first line in the file. */
  line: number;
  values: readonly string[];
}

const DELIMITERS = [',', ';', '\t', '|'];
const SAMPLE_BYTES = 256 * 1024;
const SAMPLE_ROWS = 20;
const COLUMNS_MAX = 2_000;
/** A longer row is an opening quote without an end. */
const ROW_LENGTH_MAX = 1_000_000;
const PLAIN = ['a text file', 'a JSON file', 'a file of an unknown format'];

async function openText(path: string): Promise<TextFile> {
  return TextFile.open(path, { plain: PLAIN, isNot: 'is not a CSV file' });
}

/** Reads how the file is written: its encoding, delimiter and header. */
export async function readCsvFormat(
  path: string,
  given: { encoding?: string | undefined; delimiter?: string | undefined } = {},
): Promise<CsvFormat> {
  const file = await openText(path);
  try {
    const sample = await firstBytes(file);
    const encoding = given.encoding ?? encodingOf(sample);
    const text = decoderOf(encoding).decode(sample);
    const end = sample.length < SAMPLE_BYTES ? text.length : text.lastIndexOf('\n') + 1;
    const lines = text.slice(0, end === 0 ? undefined : end);
    const delimiter = given.delimiter ?? delimiterOf(lines);
    const header = sampleRows(lines, delimiter)[0] ?? [];
    if (header.length < 2 || header.length > COLUMNS_MAX) {
      throw new ImportFileError(
        `${path} has no header with several columns in its first line. If the columns are separated by an unusual character, state it with --delimiter.`,
      );
    }
    return { encoding, delimiter, header: header.map((name) => name.trim()) };
  } catch (error) {
    throw file.explain(error);
  } finally {
    await file.close();
  }
}

async function firstBytes(file: TextFile): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of file.chunks(() => undefined)) {
    chunks.push(chunk);
    if ((length += chunk.length) >= SAMPLE_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, SAMPLE_BYTES);
}

/** UTF-16 is known by its mark. A text that is not UTF-8 is taken for the encoding of western Windows. */
function encodingOf(sample: Buffer): string {
  if (sample[0] === 0xff && sample[1] === 0xfe) return 'utf-16le';
  if (sample[0] === 0xfe && sample[1] === 0xff) return 'utf-16be';
  try {
    // The last character of the sample may be cut; streaming ignores that.
    new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: true });
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

function decoderOf(encoding: string): TextDecoder {
  try {
    return new TextDecoder(encoding);
  } catch {
    throw new ImportFileError(
      `The encoding ${encoding} is not known. Try utf-8, utf-16le, windows-1252 or shift_jis.`,
    );
  }
}

/** Returns the delimiter that splits the first rows into the most columns, equally many in each. */
function delimiterOf(text: string): string {
  const scores = DELIMITERS.map((delimiter) => {
    const widths = sampleRows(text, delimiter).map(({ length }) => length);
    const width = widths[0] ?? 0;
    const equal = widths.filter((other) => other === width).length;
    return { delimiter, score: width < 2 ? 0 : (equal / widths.length) * Math.min(width, 50) };
  });
  return scores.reduce((best, next) => (next.score > best.score ? next : best)).delimiter;
}

const OPTIONS = { bom: true, relax_column_count: true, skip_empty_lines: true, relax_quotes: true } as const;

function sampleRows(text: string, delimiter: string): string[][] {
  return parseNow(text, { ...OPTIONS, delimiter, to: SAMPLE_ROWS, skip_records_with_error: true });
}

/** Reads all rows after the header. `onSkip` hears of rows that cannot be read. */
export async function* csvRows(
  path: string,
  { encoding, delimiter }: CsvFormat,
  progress: Progress,
  onSkip: (line: number, reason: string) => void,
): AsyncGenerator<CsvRow> {
  const file = await openText(path);
  const parser = parse({
    ...OPTIONS,
    delimiter,
    info: true,
    max_record_size: ROW_LENGTH_MAX,
    skip_records_with_error: true,
    on_skip: (error) => {
      // The parser cannot find the next row after one that is too long.
      if (error?.code === 'CSV_MAX_RECORD_SIZE')
        throw new ImportFileError(
          `${path}: a row that ends near or after line ${(error as CsvError & Partial<Info>).lines ?? 0} is longer than a million characters. A quotation mark may be missing there or before. Nothing was changed.`,
        );
      onSkip((error as (CsvError & Partial<Info>) | undefined)?.lines ?? 0, 'it cannot be read as CSV');
      return undefined;
    },
  });
  try {
    const text = Readable.from(decoded(file, decoderOf(encoding), progress));
    pipeline(text, parser, () => undefined);
    let line = 1;
    let isHeader = true;
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: Info }>) {
      const first = line;
      line = info.lines + 1;
      if (!isHeader) yield { line: first, values: record };
      isHeader = false;
    }
  } catch (error) {
    throw file.explain(error);
  } finally {
    parser.destroy();
    await file.close();
  }
}

async function* decoded(file: TextFile, decoder: TextDecoder, progress: Progress): AsyncGenerator<string> {
  for await (const chunk of file.chunks(progress)) {
    const text = decoder.decode(chunk, { stream: true });
    if (text !== '') yield text;
  }
  const rest = decoder.decode();
  if (rest !== '') yield rest;
}
