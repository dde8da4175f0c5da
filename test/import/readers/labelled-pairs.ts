import { ImportFileError } from '../../../src/import/import-file-error.ts';
import type { OvertureRow } from '../../../src/import/overture/overture-row.ts';
import { ParquetFile } from '../../../src/import/overture/parquet-file.ts';

/** Two records, and whether a person judged them to be the same place. */
export interface LabelledPair {
  same: boolean;
  record: OvertureRow;
  base: OvertureRow;
}

const TEXTS = ['names', 'categories', 'websites', 'emails', 'phones', 'addresses', 'sources'];
const FIELDS = ['id', 'confidence', ...TEXTS];

/** One of the two sides, whose columns hold JSON as text. */
function sideOf(row: Record<string, unknown>, prefix: string): OvertureRow {
  const side: Record<string, unknown> = {};
  for (const field of FIELDS) {
    const value = row[prefix + field];
    side[field] = typeof value === 'string' && TEXTS.includes(field) ? JSON.parse(value) : value;
  }
  return side;
}

/** Reads a file of labelled pairs, by which a matcher is measured. */
export async function readLabelledPairs(path: string): Promise<LabelledPair[]> {
  const file = await ParquetFile.open(path);
  if (!file.columns.has('label') || !file.columns.has('base_names')) {
    throw new ImportFileError(
      `${path} is parquet, but has no labelled pairs: a column label or base_names is missing.`,
    );
  }
  const pairs: LabelledPair[] = [];
  for await (const { rows } of file.read(['label', ...FIELDS, ...FIELDS.map((field) => `base_${field}`)])) {
    for (const row of rows) {
      pairs.push({ same: row['label'] === 1, record: sideOf(row, ''), base: sideOf(row, 'base_') });
    }
  }
  return pairs;
}
