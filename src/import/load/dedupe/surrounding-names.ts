import type { Db } from '../../../core/postgres/db.ts';
import type { MatchSide } from '../../match/match-side.ts';

/** Towns in cells of eleven kilometres and their neighbours are nearby. */
const CELLS_PER_DEGREE = 10;
const TOWN_KINDS = ['city', 'municipality', 'town', 'village', 'suburb', 'borough', 'island'];

interface Town {
  lat: number;
  lng: number;
  names: string[];
}

/** Returns a function that adds the names of the destination and of the towns nearby, in any language, to a record. */
export async function surroundingNames(tx: Db): Promise<<Side extends MatchSide>(side: Side) => Side> {
  const destinations = await tx<{ id: string; names: string[] }[]>`
    select id, array_append(other_names, name) as names from destination
    where id in (select destination_id from import_draft)`;
  const towns = await tx<Town[]>`
    select a.lat, a.lng, array_prepend(a.name, array(select n.value from jsonb_each_text(a.names) n)) as names
    from area a
    where a.kind = any(${TOWN_KINDS}) and (floor(a.lat * ${CELLS_PER_DEGREE}), floor(a.lng * ${CELLS_PER_DEGREE})) in (
      select y + dy, x + dx
      from (select distinct floor(lat * ${CELLS_PER_DEGREE}) as y, floor(lng * ${CELLS_PER_DEGREE}) as x from import_draft) d
      cross join generate_series(-1, 1) as dy cross join generate_series(-1, 1) as dx)`;
  const byDestination = new Map(destinations.map(({ id, names }) => [id, names]));
  const townsAt = Map.groupBy(towns, ({ lat, lng }) => cellOf(lat, lng));
  const nearby = new Map<string, readonly string[]>();
  const townsAround = (lat: number, lng: number) =>
    nearby.getOrInsertComputed(cellOf(lat, lng), () =>
      cellsAround(lat, lng).flatMap((cell) => townsAt.get(cell)?.flatMap(({ names }) => names) ?? []),
    );
  return (side) => ({
    ...side,
    destination: byDestination.get(side.destination_id ?? '') ?? [],
    towns: side.lat === null || side.lng === null ? [] : townsAround(side.lat, side.lng),
  });
}

function cellOf(lat: number, lng: number): string {
  return `${Math.floor(lat * CELLS_PER_DEGREE)} ${Math.floor(lng * CELLS_PER_DEGREE)}`;
}

function cellsAround(lat: number, lng: number): string[] {
  const steps = [-1, 0, 1];
  return steps.flatMap((dy) =>
    steps.map((dx) => cellOf(lat + dy / CELLS_PER_DEGREE, lng + dx / CELLS_PER_DEGREE)),
  );
}
