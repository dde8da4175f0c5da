import type { Progress } from '../../core/progress.ts';
import { visibleMembers } from '../../core/text/visible-text.ts';
import { roundDegrees } from '../centre.ts';
import { ParquetFolder } from '../overture/parquet-folder.ts';
import { isSelected, NO_FILTER, type PlaceFilter } from '../overture/place-filter.ts';
import { cuisineIn } from '../overture/overture-draft.ts';
import { textsIn } from '../overture/overture-row.ts';
import {
  newReadCounts,
  type ObjectStates,
  type PlaceBatch,
  type PlaceDraft,
  type PlaceReading,
  type ReadCounts,
} from '../place-draft.ts';
import { readSourceDate } from '../source-date.ts';
import { countryCode } from '../tags/address.ts';
import { countJudgement, draftFromTags } from '../tags/draft-from-tags.ts';
import { isNamed } from '../tags/names.ts';
import { limitReference, limitTags } from '../tags/tag-limits.ts';
import { classifyFoursquare } from './foursquare-categories.ts';
import { COLUMNS, REQUIRED_COLUMNS, type FoursquareRow } from './foursquare-row.ts';

const DATA_SET = 'Foursquare Open Source Places';
/** Reports after which a place is left out. */
const DOUBTFUL = new Set([
  'duplicate',
  'delete',
  'deleted',
  'inappropriate',
  'doesnt_exist',
  'privatevenue',
  'fake',
]);

/** Opens a file of Foursquare Open Source Places, or a folder with the files of a release. */
export async function openFoursquare(
  path: string,
  options: { progress?: Progress; asOf?: Date | undefined; filter?: PlaceFilter } = {},
): Promise<PlaceReading> {
  const folder = await ParquetFolder.open(path);
  folder.require(REQUIRED_COLUMNS, DATA_SET);
  const { progress = () => undefined, asOf = null, filter = NO_FILTER } = options;
  const counts = newReadCounts();
  return {
    extractedAt: null,
    box: null,
    counts,
    // No file stays open between two batches of rows.
    close: () => Promise.resolve(),
    async *batches(): AsyncGenerator<PlaceBatch> {
      for await (const rows of folder.read(COLUMNS, filter, progress)) {
        const places: PlaceDraft[] = [];
        for (const row of rows) {
          const draft = draftOf(visibleMembers(row), filter, asOf, counts);
          if (draft !== null) places.push(draft);
        }
        yield { places, settlements: [], areas: [] };
      }
    },
  };
}

/** Returns which of these places the files contain. */
export async function findFoursquareRows(path: string, refs: ReadonlySet<string>): Promise<ObjectStates> {
  const objects: ObjectStates = new Map();
  const folder = await ParquetFolder.open(path);
  for await (const rows of folder.read(['fsq_place_id'], NO_FILTER, () => undefined)) {
    for (const { fsq_place_id: id } of rows) {
      const ref = typeof id === 'string' ? limitReference(id) : '';
      if (refs.has(ref)) objects.set(ref, 'there');
    }
  }
  return objects;
}

function draftOf(
  row: FoursquareRow,
  filter: PlaceFilter,
  asOf: Date | null,
  counts: ReadCounts,
): PlaceDraft | null {
  const country = countryCode(row.country);
  const [lat, lng] = [row.latitude ?? null, row.longitude ?? null];
  const isPlaced = lat !== null && lng !== null && Math.abs(lat) <= 90 && Math.abs(lng) <= 180;
  if (isPlaced && !isSelected(filter, { lat, lng, country })) return null;
  const match = classifyFoursquare(textsIn(row.fsq_category_labels));
  if (match === null) return null;
  const { tags, cut } = limitTags(tagsOf(row, country));
  if (!isNamed(tags)) {
    countJudgement({ kind: 'unnamed' }, counts);
    return null;
  }
  const closedAt = readSourceDate(row.date_closed);
  const closed = closedAt === null ? null : `date_closed=${closedAt.toISOString().slice(0, 10)}`;
  const judgement = { kind: 'place' as const, match, disused: closed, tags, cut };
  countJudgement(judgement, counts);
  const isDoubtful = textsIn(row.unresolved_flags).some((flag) => DOUBTFUL.has(flag));
  if (!isPlaced || typeof row.fsq_place_id !== 'string') counts.without_position++;
  else if (isDoubtful && closed === null) counts.doubtful++;
  else {
    const draft = draftFromTags(
      judgement,
      {
        ...{
          source: 'foursquare' as const,
          source_ref: limitReference(row.fsq_place_id),
          asOf,
          squareMetres: null,
        },
        ...{ lat: roundDegrees(lat), lng: roundDegrees(lng) },
        changedAt: readSourceDate(row.date_refreshed) ?? closedAt,
      },
      counts,
    );
    if (draft === null) return null;
    const since = draft.closed === null ? null : { ...draft.closed, observed_at: closedAt };
    return { ...draft, cuisine: cuisineIn(draft.categories), closed: since };
  }
  return null;
}

function tagsOf(row: FoursquareRow, country: string | null): Map<string, string> {
  const texts = {
    name: row.name,
    'addr:full': row.address,
    'addr:city': row.locality,
    'addr:postcode': row.postcode,
    'addr:country': country,
    phone: row.tel,
    website: row.website,
    email: row.email,
  };
  const tags = new Map<string, string>();
  for (const [key, text] of Object.entries(texts))
    if (typeof text === 'string' && text.trim() !== '') tags.set(key, text);
  return tags;
}
