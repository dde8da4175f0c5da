import { comparePhones, phoneEndings } from '../../match/compare-phones.ts';
import { findMatch } from '../../match/find-match.ts';
import { prepareRecord } from '../../match/match-features.ts';
import type { MatchRecord } from '../../match/match-record.ts';
import { type MatchSide, matchRecord } from '../../match/match-side.ts';
import { metresApart } from '../../match/metres-apart.ts';
import { haveSameName } from '../../match/same-name.ts';
import { kindsClash } from '../../match/place-kinds.ts';
import { samePlace } from '../../match/same-place.ts';
import { nameKeys } from './name-key.ts';
import { addressesConflict } from './duplicate.ts';

export interface DraftToMatch {
  side: MatchSide;
  source_ref: string;
  /** True when the name is a brand's, or occurs in the file more than once. */
  chain: boolean;
}

export interface MatchCandidate extends MatchSide {
  id: string;
  source: string;
  source_ref: string;
  closed: boolean;
}

interface ChosenMatch {
  place_id: string;
  score: number;
  /**
   * False when the object is treated as this place, but its data is not used: the match is ambiguous, the
   * place is closed, or the data differs too much.
   */
  contributes: boolean;
}

/** Maximum distance at which equal names alone make two records the same place. */
const NAMESAKE_METRES_MAX = 50;
const CHAIN_METRES_MAX = 60;
/** Maximum distance for a name that occurs only once; beyond it other evidence is needed. */
const UNIQUE_METRES_MAX = 150;
const SAME_OBJECT_METRES_MAX = 250;
const OSM_REF = /^(node|way|relation)\/\d+$/;

type Record = MatchRecord & { id: string; metres: number };

/** Returns the place that an object of a second source describes. Closed places are the last choice. */
export function chooseMatch(draft: DraftToMatch, nearby: readonly MatchCandidate[]): ChosenMatch | undefined {
  const record = matchRecord(draft.side);
  const candidates = nearby.map((side) => {
    const other = matchRecord(side);
    return { side, record: { ...other, id: side.id, metres: metresApart(record, other) ?? Infinity } };
  });
  const same = candidates.find(({ side, record: candidate }) => isSameObject(draft, side, candidate.metres));
  if (same !== undefined) {
    const { same: alike, score } = samePlace(record, same.record);
    return { place_id: same.side.id, score: 1 + score, contributes: alike && !same.side.closed };
  }
  for (const closed of [false, true]) {
    const records = candidates
      .filter(({ side }) => side.closed === closed)
      .map((candidate) => candidate.record);
    const match = matchAmong(record, draft, records);
    if (match !== undefined) return { ...match, contributes: match.contributes && !closed };
  }
  return undefined;
}

/** True when both refer to the same OpenStreetMap object, even after it was renamed. */
function isSameObject({ source_ref }: DraftToMatch, side: MatchCandidate, metres: number): boolean {
  const osm = side.source === 'osm' || side.source === 'geojson';
  return (
    osm && side.source_ref === source_ref && OSM_REF.test(source_ref) && metres <= SAME_OBJECT_METRES_MAX
  );
}

function matchAmong(
  draft: MatchRecord,
  { chain }: DraftToMatch,
  records: readonly Record[],
): ChosenMatch | undefined {
  const within = records.filter((record) => record.metres <= reachOf(draft, record, chain));
  const { match, ambiguous, score } = findMatch(draft, within);
  if (match !== null) return { place_id: match.id, score, contributes: true };
  const namesake = nearestNamesake(draft, within);
  // Two places fit equally well, or name and position agree and little else is known: it is not a new place.
  return namesake === undefined ? undefined : { place_id: namesake.id, score, contributes: !ambiguous };
}

function reachOf(draft: MatchRecord, candidate: MatchRecord, chain: boolean): number {
  const phones = comparePhones(phoneEndings(draft.phones ?? []), phoneEndings(candidate.phones ?? []));
  // The distance of a place without a position is unknown.
  if (phones === 'same' || candidate.lat == null) return Infinity;
  return chain ? CHAIN_METRES_MAX : UNIQUE_METRES_MAX;
}

/** Returns the nearest place of the same name, apart from articles, words for its kind and the town at the end. */
function nearestNamesake(draft: MatchRecord, records: readonly Record[]): Record | undefined {
  const prepared = prepareRecord(draft);
  const keys = new Set(nameKeys(draft.names));
  const isExact = ({ names }: MatchRecord) => nameKeys(names).some((key) => keys.has(key));
  return records
    .filter((record) => record.metres <= NAMESAKE_METRES_MAX && !addressesConflict(draft, record))
    .filter((record) => {
      const other = prepareRecord(record);
      return haveSameName(prepared, other) && !kindsClash(prepared.kinds, other.kinds);
    })
    .sort((a, b) => Number(isExact(b)) - Number(isExact(a)) || a.metres - b.metres)[0];
}
