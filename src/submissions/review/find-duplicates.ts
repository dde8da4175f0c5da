import type { OperationDeps } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import { findMatch } from '../../import/match/find-match.ts';
import type { MatchRecord } from '../../import/match/match-record.ts';
import { metresBetween } from '../../import/match/metres-between.ts';
import { samePlace } from '../../import/match/same-place.ts';
import { matchSide, recordOf, type MatchSide } from '../../import/match/match-side.ts';
import type { Destination } from '../../directory/destinations.ts';
import { boxAround } from '../../search/query/geo-cells.ts';
import { destinationFor } from '../locate-business.ts';
import type { BusinessContent } from '../submission.ts';

export interface PossibleDuplicate {
  place_id: string;
  name: string;
  distance_m: number | null;
  score: number;
}

const CANDIDATES = 20;
const TOLD = 5;
/** Below this the two have little more in common than a word. */
const SCORE_MIN = 0.35;
const NEARBY_M = 150;

/**
 * The places of the directory that a submission may be about: those with a similar name in its town, and those within
 * 150 m of its coordinates. `match` is the one that it surely is, or null where none or more than one is.
 */
export async function findDuplicates(
  deps: OperationDeps,
  db: Db,
  content: BusinessContent,
): Promise<{ duplicates: PossibleDuplicate[]; match: string | null }> {
  const candidates = await readCandidates(deps, db, content);
  const record = recordOfContent(content);
  const scored = candidates
    .map((place) => ({ place, score: samePlace(record, place).score }))
    .filter(({ score }) => score >= SCORE_MIN)
    .sort((a, b) => b.score - a.score);
  const duplicates = scored.slice(0, TOLD).map(({ place, score }) => {
    const metres = metresBetween(record, place);
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
    ? foundInIndex(deps, content, destination)
    : await foundInRecord(db, content, destination);
  const rows = await db.unsafe<{ id: string; side: MatchSide }[]>(
    `select p.id, ${matchSide('p')} as side from place p where p.id = any($1)`,
    [ids],
  );
  return rows.map(({ id, side }) => ({ ...recordOf(side), id }));
}

function foundInIndex(
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
  const found = [...deps.places.search({ text: name, ...inTown, limit: CANDIDATES }).hits, ...near];
  return [...new Set(found.map(({ place }) => place.placeId))];
}

/** While there is no index: what is called the same or has the name in its own, and what lies as near, within the destination. */
async function foundInRecord(
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
           -- A box over the date line has its west east of its east.
           or (p.lat between ${south} and ${north}
               and case when ${west}::float8 <= ${east} then p.lng between ${west} and ${east}
                        else p.lng >= ${west} or p.lng <= ${east} end))
    limit ${CANDIDATES * 2}`;
  return rows.map(({ id }) => id);
}

/** What a submission says, for comparing it with places. */
export function recordOfContent(content: BusinessContent): MatchRecord {
  const { name, lat, lng, phone, website, address, city, vertical } = content;
  return {
    names: [name],
    lat,
    lng,
    phones: phone === null ? [] : [phone],
    websites: website === null ? [] : [website],
    street: address,
    city,
    categories: vertical === null ? [] : [vertical],
  };
}
