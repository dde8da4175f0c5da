import { ImportFileError } from '../import-file-error.ts';
import { DAYS, fieldOf, isTableField, TABLE_FIELDS, type TableField } from '../table/fields.ts';
import { csvRows, readCsvFormat, type CsvFormat, type CsvRow } from './csv-file.ts';

/** Column of each field. */
export interface CsvMapping extends CsvFormat {
  /** Numbers of the columns, by field. */
  columns: ReadonlyMap<TableField, number>;
  /** Name of the program whose export was recognized by its header. */
  exportOf: 'Google Business Profile' | null;
}

export interface CsvChoices {
  encoding?: string | undefined;
  delimiter?: string | undefined;
  /** Corrections such as `name=Title,lat=Y`; an empty column leaves a field out. */
  map?: string | undefined;
}

const GOOGLE_COLUMNS = ['Store code', 'Business name', 'Address line 1', 'Primary category'];
/** Fields whose columns Google names so that they would be taken for another. */
const GOOGLE_FIELDS: Readonly<Record<string, TableField>> = {
  'Store code': 'id',
  'Business name': 'name',
  'Address line 1': 'addr:full',
  'Country / Region': 'addr:country',
};
const PREVIEW_ROWS = 3;
const PREVIEW_LENGTH = 60;

/** Guesses the mapping from the header, and applies the operator's corrections. */
export async function readCsvMapping(path: string, choices: CsvChoices = {}): Promise<CsvMapping> {
  const format = await readCsvFormat(path, choices);
  const { header } = format;
  const isGoogle = GOOGLE_COLUMNS.every((name) => header.includes(name));
  const columns = new Map<TableField, number>();
  if (isGoogle)
    for (const [name, field] of Object.entries(GOOGLE_FIELDS))
      if (header.includes(name)) columns.set(field, header.indexOf(name));
  for (const [at, name] of header.entries()) {
    const field = fieldOf(name);
    if (field !== undefined && !columns.has(field)) columns.set(field, at);
  }
  for (const [field, column] of corrections(path, choices.map ?? '', header)) {
    if (column === null) columns.delete(field);
    else columns.set(field, column);
  }
  const hasPosition = columns.has('position') || (columns.has('lat') && columns.has('lng'));
  const missing = [...(columns.has('name') ? [] : ['name']), ...(hasPosition ? [] : ['lat', 'lng'])];
  if (missing.length > 0) {
    throw new ImportFileError(
      `${path}: no column was recognized for ${missing.join(' and ')}. Its columns are: ${header.join(', ')}. State them, such as --map "${missing.map((field) => `${field}=COLUMN`).join(',')}".`,
    );
  }
  return { ...format, columns, exportOf: isGoogle ? 'Google Business Profile' : null };
}

function* corrections(
  path: string,
  text: string,
  header: readonly string[],
): Generator<[TableField, number | null]> {
  // A name of a column may contain a comma; a new pair begins with a field and an equals sign.
  for (const pair of text.split(/,(?=\s*[a-zA-Z][\w:-]*\s*=)/).filter((part) => part.trim() !== '')) {
    const at = pair.indexOf('=');
    const [field, name] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    if (at < 1 || !isTableField(field)) {
      throw new ImportFileError(
        `--map: "${at < 1 ? pair : field}" is not a field. Fields are: ${TABLE_FIELDS.join(', ')}, and name:LANGUAGE.`,
      );
    }
    const column = header.findIndex((other) => other.toLowerCase() === name.toLowerCase());
    if (name !== '' && column < 0) {
      throw new ImportFileError(
        `--map: ${path} has no column "${name}". Its columns are: ${header.join(', ')}.`,
      );
    }
    yield [field, name === '' ? null : column];
  }
}

/** Returns the fields of a row that have a value. */
export function fieldsOfRow(row: CsvRow, { columns }: CsvMapping): Map<TableField, string> {
  const fields = new Map<TableField, string>();
  for (const [field, at] of columns) {
    const value = row.values[at]?.trim() ?? '';
    if (value !== '') fields.set(field, value);
  }
  return fields;
}

/** Describes the mapping and the first rows as they are read, for the operator to confirm. */
export async function describeCsv(path: string, mapping: CsvMapping): Promise<string[]> {
  const { encoding, delimiter, header, columns, exportOf } = mapping;
  const used = new Set(columns.values());
  const unused = header.filter((name, at) => !used.has(at) && name !== '');
  const separator = delimiter === '\t' ? 'tab' : `"${delimiter}"`;
  const lines = [
    ...(exportOf === null ? [] : [`${path} is an export of ${exportOf}.`]),
    `${path}: ${header.length} columns, separated by ${separator}, in ${encoding}.`,
    ...Array.from(columns, ([field, at]) => `  ${labelOf(field)} = ${header[at] ?? ''}`),
    ...(unused.length > 0 ? [`  not used: ${unused.join(', ')}`] : []),
  ];
  let shown = 0;
  for await (const row of csvRows(
    path,
    mapping,
    () => undefined,
    () => undefined,
  )) {
    const values = Array.from(fieldsOfRow(row, mapping), ([field, value]) => `${field}: ${shorten(value)}`);
    lines.push(`Line ${row.line}: ${values.join(' | ')}`);
    if (++shown === PREVIEW_ROWS) break;
  }
  return lines;
}

function labelOf(field: TableField): string {
  return (DAYS as readonly string[]).includes(field) ? `hours on ${field}` : field;
}

function shorten(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ');
  return line.length <= PREVIEW_LENGTH ? line : `${line.slice(0, PREVIEW_LENGTH - 1).toWellFormed()}…`;
}
