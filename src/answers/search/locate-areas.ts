import type { Ctx } from '../../core/context.ts';
import { AREA_REACH_M } from '../../directory/area-reach.ts';
import type { Destination } from '../../directory/destinations.ts';
import { searchPlaces } from '../../search/search-places.ts';
import type { Question } from '../../search/understand/question/read-question.ts';
import type { SearchCircle } from './constraints.ts';

const TOWN_REACH_M = 4_000;
/**
 * Share of an area's reach within which its name is certain. Farther out, the names of its neighbours apply as well.
 */
const SURE_SHARE = 0.5;

export interface LocatedAreas {
  /** Areas that are points on the map, without a boundary. */
  points: ReadonlyMap<string, SearchCircle>;
  /** Areas without a known position. */
  unknown: readonly string[];
}

export async function locateAreas(
  { db, deps }: Ctx,
  destination: Destination,
  { areas }: Question,
): Promise<LocatedAreas> {
  if (areas.length === 0) return { points: new Map(), unknown: [] };
  const rows = await db<{ name: string; kind: string; lat: number; lng: number; is_shaped: boolean }[]>`
    select a.name, a.kind, a.lat, a.lng, a.shape is not null as is_shaped
    from area a join destination d on d.id = ${destination.id}
    where a.name = any(${areas}) and coalesce(a.north, a.lat) >= d.south and coalesce(a.south, a.lat) <= d.north
      and case when d.west <= d.east then coalesce(a.east, a.lng) >= d.west and coalesce(a.west, a.lng) <= d.east
        else coalesce(a.east, a.lng) >= d.west or coalesce(a.west, a.lng) <= d.east end
    order by a.source_ref`;
  const shaped = new Set(rows.filter(({ is_shaped }) => is_shaped).map(({ name }) => name));
  const points = new Map(
    rows
      .filter(({ name }) => !shaped.has(name))
      .map(({ name, kind, lat, lng }) => [
        name,
        { lat, lng, radiusM: SURE_SHARE * (AREA_REACH_M[kind] ?? TOWN_REACH_M) },
      ]),
  );
  const isUnknown = (area: string) =>
    !shaped.has(area) &&
    !points.has(area) &&
    searchPlaces(deps, { destination, area, limit: 1 }).hits.length === 0;
  return { points, unknown: areas.filter(isUnknown) };
}

/** Removes areas without a known position and reports them as unanswered. */
export function withoutUnknown(question: Question, unknown: readonly string[]): Question {
  if (unknown.length === 0) return question;
  const areas = question.areas.filter((area) => !unknown.includes(area));
  const words = unknown.map((area) => question.words.byValue.get(area) ?? area);
  return {
    ...question,
    areas,
    nearArea: question.nearArea && areas.length > 0,
    unanswered: [...new Set([...question.unanswered, ...words])],
  };
}
