import { comparePhones, phoneEndings } from '../../match/compare-phones.ts';
import { findMatch } from '../../match/find-match.ts';
import type { MatchRecord } from '../../match/match-record.ts';
import { type MatchSide, recordOf } from '../../match/match-side.ts';
import { metresBetween } from '../../match/metres-between.ts';
import { kindsClash } from '../../match/place-kinds.ts';
import { samePlace } from '../../match/same-place.ts';
import { nameKeys } from './name-key.ts';
import { contradict } from './twin.ts';

export interface DraftToMatch {
  side: MatchSide;
  source_ref: string;
  /** Whether the name is that of a brand, or stands in the file more than once. */
  chain: boolean;
}

/** A place of another source that may be the same. */
export interface Candidate extends MatchSide {
  id: string;
  source: string;
  source_ref: string;
  closed: boolean;
}

export interface ChosenMatch {
  place_id: string;
  score: number;
  /** False where the two are one, or nearly surely so, and yet what this source says may be of another. */
  speaks: boolean;
}

/** As far as this a name alone tells that two are one. */
const NAMESAKE_METRES_MAX = 50;
const CHAIN_METRES_MAX = 60;
/** A name that stands only once may lie this far off, as large places do; beyond it something else has to agree. */
const UNIQUE_METRES_MAX = 150;
const SAME_OBJECT_METRES_MAX = 250;
const OSM_REF = /^(node|way|relation)\/\d+$/;

type Record = MatchRecord & { id: string; metres: number };

/** The place that an object of a second source is, if there is one. One that has closed is taken when no other fits. */
export function chooseMatch(draft: DraftToMatch, nearby: readonly Candidate[]): ChosenMatch | undefined {
  const record = recordOf(draft.side);
  const candidates = nearby.map((side) => ({ side, record: candidateOf(record, side) }));
  const same = candidates.find(({ side, record: held }) => isSameObject(draft, side, held.metres));
  if (same !== undefined) {
    const { same: alike, score } = samePlace(record, same.record);
    return { place_id: same.side.id, score: 1 + score, speaks: alike && !same.side.closed };
  }
  for (const closed of [false, true]) {
    const records = candidates.filter(({ side }) => side.closed === closed).map((one) => one.record);
    const found = amongPlaces(record, draft, records);
    if (found !== undefined) return { ...found, speaks: found.speaks && !closed };
  }
  return undefined;
}

function candidateOf(draft: MatchRecord, side: Candidate): Record {
  const record = recordOf(side);
  return { ...record, id: side.id, metres: metresBetween(draft, record) ?? Infinity };
}

/** Lists that were made from OpenStreetMap name the object that they took: it is the same one, also after a new name. */
function isSameObject({ source_ref }: DraftToMatch, side: Candidate, metres: number): boolean {
  const osm = side.source === 'osm' || side.source === 'geojson';
  return (
    osm && side.source_ref === source_ref && OSM_REF.test(source_ref) && metres <= SAME_OBJECT_METRES_MAX
  );
}

function amongPlaces(
  draft: MatchRecord,
  { chain }: DraftToMatch,
  records: readonly Record[],
): ChosenMatch | undefined {
  const within = records.filter((held) => held.metres <= reachOf(draft, held, chain));
  const { match, ambiguous, score } = findMatch(draft, within);
  if (match !== null) return { place_id: match.id, score, speaks: true };
  const namesake = nearestNamesake(draft, within);
  // Two fit equally well, or the name and the spot agree and little else is known: it is none of its own in either case.
  return namesake === undefined ? undefined : { place_id: namesake.id, score, speaks: !ambiguous };
}

function reachOf(draft: MatchRecord, held: MatchRecord, chain: boolean): number {
  const phones = comparePhones(phoneEndings(draft.phones ?? []), phoneEndings(held.phones ?? []));
  // How far a place without a position lies away, nobody knows.
  if (phones === 'same' || held.lat == null) return Infinity;
  return chain ? CHAIN_METRES_MAX : UNIQUE_METRES_MAX;
}

function nearestNamesake(draft: MatchRecord, records: readonly Record[]): Record | undefined {
  const keys = new Set(nameKeys(draft.names));
  const kind = draft.categories?.[0] ?? '';
  return records
    .filter((held) => held.metres <= NAMESAKE_METRES_MAX && nameKeys(held.names).some((key) => keys.has(key)))
    .filter((held) => !kindsClash(kind, held.categories?.[0] ?? '') && !contradict(draft, held))
    .sort((a, b) => a.metres - b.metres)[0];
}
