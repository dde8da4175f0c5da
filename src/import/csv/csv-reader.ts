import type { Progress } from '../../core/progress.ts';
import { visibleText } from '../../core/text/visible-text.ts';
import { draftFromFields } from '../geojson/feature-draft.ts';
import { type ObjectStates, type PlaceBatch, type PlaceReading, newReadCounts } from '../place-draft.ts';
import { SkippedLines } from '../skipped-lines.ts';
import { positionIn } from '../table/read-position.ts';
import type { TableField } from '../table/fields.ts';
import { limitReference } from '../tags/tag-limits.ts';
import { csvRows, type CsvRow } from './csv-file.ts';
import { fieldsOfRow, type CsvMapping } from './csv-mapping.ts';

const BATCH_PLACES = 1000;

/** Opens a table of places whose columns the mapping names. */
export function openCsv(
  path: string,
  mapping: CsvMapping,
  { progress = () => undefined, asOf }: { progress?: Progress; asOf?: Date | undefined } = {},
): PlaceReading {
  return new CsvReading({ path, mapping, progress, asOf: asOf ?? null });
}

export async function findCsvRows(
  path: string,
  mapping: CsvMapping,
  refs: ReadonlySet<string>,
): Promise<ObjectStates> {
  const objects: ObjectStates = new Map();
  const ignore = () => undefined;
  for await (const row of csvRows(path, mapping, ignore, ignore)) {
    const ref = referenceOf(visibleFields(row, mapping), mapping);
    if (refs.has(ref)) objects.set(ref, 'there');
  }
  return objects;
}

function visibleFields(row: CsvRow, mapping: CsvMapping): Map<TableField, string> {
  return new Map(
    fieldsOfRow(row, mapping)
      .entries()
      .map(([field, value]) => [field, visibleText(value)]),
  );
}

/** Returns the id of the row, or else one made of its position and name. */
function referenceOf(fields: ReadonlyMap<TableField, string>, { exportOf }: CsvMapping): string {
  const id = fields.get('id');
  if (id !== undefined) return limitReference(exportOf === null ? id : `google/${id}`);
  const { lat, lng } = positionIn(fields) ?? { lat: 0, lng: 0 };
  return limitReference(`at/${lat.toFixed(5)},${lng.toFixed(5)}/${fields.get('name') ?? ''}`);
}

interface CsvSource {
  path: string;
  mapping: CsvMapping;
  progress: Progress;
  asOf: Date | null;
}

class CsvReading implements PlaceReading {
  readonly extractedAt = null;
  readonly box = null;
  readonly counts = newReadCounts();
  readonly skipped = new SkippedLines();
  readonly #source: CsvSource;

  constructor(source: CsvSource) {
    this.#source = source;
  }

  /** Does nothing: the file is open only while it is read. */
  close(): Promise<void> {
    return Promise.resolve();
  }

  async *batches(): AsyncGenerator<PlaceBatch> {
    let places: PlaceBatch['places'] = [];
    const skip = (line: number, reason: string) => {
      this.skipped.add(line, reason);
    };
    const { path, mapping, progress } = this.#source;
    for await (const row of csvRows(path, mapping, progress, skip)) {
      const draft = this.#draftOf(row);
      if (draft === null || places.push(draft) < BATCH_PLACES) continue;
      yield { places, settlements: [], areas: [] };
      places = [];
    }
    yield { places, settlements: [], areas: [] };
  }

  #draftOf(row: CsvRow) {
    const { header } = this.#source.mapping;
    if (row.values.length > header.length) {
      this.skipped.add(row.line, `it has ${row.values.length} values for ${header.length} columns`);
      return null;
    }
    const fields = visibleFields(row, this.#source.mapping);
    const at = positionIn(fields);
    if (!fields.has('name')) {
      this.counts.unnamed++;
      this.skipped.add(row.line, 'it has no name');
    } else if (at === null) {
      this.counts.without_position++;
      const given = [fields.get('lat'), fields.get('lng'), fields.get('position')].filter(
        (text) => text !== undefined,
      );
      this.skipped.add(
        row.line,
        given.length === 0 ? 'it has no position' : `"${given.join(', ')}" is no position`,
      );
    } else {
      const source_ref = referenceOf(fields, this.#source.mapping);
      return draftFromFields(fields, { source: 'csv', source_ref, ...at }, this.#source.asOf, this.counts);
    }
    return null;
  }
}
