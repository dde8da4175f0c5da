import type { OperationDeps } from '../core/context.ts';
import type { Db } from '../core/postgres/db.ts';
import { findMatch } from '../import/match/find-match.ts';
import type { MatchRecord } from '../import/match/match-record.ts';
import { metresApart } from '../import/match/metres-apart.ts';
import { samePlace } from '../import/match/same-place.ts';
import { matchSide, matchRecord, type MatchSide } from '../import/match/match-side.ts';
import type { Destination } from '../directory/destinations.ts';
import { boxAround } from '../search/query/geo-cells.ts';
import { destinationFor } from './locate-business.ts';
import type { BusinessContent } from './submission.ts';

const CANDIDATES = 20;
const REPORTED_MAX = 5;
/** Minimum score of a possible duplicate. Below it, two records share little more than a word. */
const SCORE_MIN = 0.35;
const NEARBY_M = 150;

/** Finds places with a similar name in the town, or within 150 m. `match` is the only certain duplicate, or null. */
export async function findDuplicates(deps: OperationDeps, db: Db, content: BusinessContent) {
  const candidates = await readCandidates(deps, db, content);
  const record = recordOfContent(content);
  const scored = candidates
    .map((place) => ({ place, score: samePlace(record, place).score }))
    .filter(({ score }) => score >= SCORE_MIN)
    .sort((a, b) => b.score - a.score);
  const duplicates = scored.slice(0, REPORTED_MAX).map(({ place, score }) => {
    const metres = metresApart(record, place);
    return {
      place_id: place.id,
      name: place.names[0] ?? '',
      distance_m: metres === null ? null : Math.round(metres),
      score: Math.round(score * 100) / 100,
    };
  });
  return { duplicates, match: findMatch(record, candidates).match?.id ?? null };
}

type Candidate = MatchRecord & { id: string };

async function readCandidates(deps: OperationDeps, db: Db, content: BusinessContent): Promise<Candidate[]> {
  const destination = await destinationFor(deps, db, content);
  const ids = deps.places.isReady
    ? searchIndex(deps, content, destination)
    : await searchDatabase(db, content, destination);
  const rows = await db.unsafe<{ id: string; side: MatchSide }[]>(
    `select p.id, ${matchSide('p')} as side from place p where p.id = any($1)`,
    [ids],
  );
  return rows.map(({ id, side }) => ({ ...matchRecord(side), id }));
}

function searchIndex(
  deps: OperationDeps,
  { country, city, name, lat, lng }: BusinessContent,
  destination: Destination | undefined,
): string[] {
  const number = destination === undefined ? undefined : deps.places.destinationNumber(destination.id);
  const inTown = number === undefined ? { country, city } : { destination: number };
  const near =
    lat === null || lng === null
      ? []
      : deps.places.search({ near: { lat, lng, radiusM: NEARBY_M }, limit: CANDIDATES }).hits;
  const hits = [...deps.places.search({ text: name, ...inTown, limit: CANDIDATES }).hits, ...near];
  return [...new Set(hits.map(({ place }) => place.placeId))];
}

/** Finds the same in the database while the search index is not ready. */
async function searchDatabase(
  db: Db,
  { country, name, lat, lng }: BusinessContent,
  destination: Destination | undefined,
): Promise<string[]> {
  const box = lat === null || lng === null ? null : boxAround(lat, lng, NEARBY_M);
  const { south, north, west, east } = box ?? { south: null, north: null, west: null, east: null };
  const rows = await db<{ id: string }[]>`
    select p.id from place p join destination d on d.id = p.destination_id
    where d.country = ${country} and (${destination === undefined} or d.id = ${destination?.id ?? ''})
      and p.closed_at is null
      and (strpos(lower(p.name), lower(${name})) > 0 or strpos(lower(${name}), lower(p.name)) > 0
           -- The west edge of a box across the date line is greater than its east edge.
           or (p.lat between ${south} and ${north}
               and case when ${west}::float8 <= ${east} then p.lng between ${west} and ${east}
                        else p.lng >= ${west} or p.lng <= ${east} end))
    limit ${CANDIDATES * 2}`;
  return rows.map(({ id }) => id);
}

export function recordOfContent(content: BusinessContent): MatchRecord {
  return matchRecord({ ...content, names: {}, latin_name: null, category: content.vertical });
}
