import { readFileSync } from 'node:fs';
import { isOneOf, type Place, shortRef } from '../directory.ts';
import type { Extract, ObjectMap } from '../map-objects.ts';
import { type Ask, destinationOf } from '../judge.ts';

/** Search of a traveller, with the objects of the map that answer it, written before the service was asked. */
export interface RealSearch {
  id: string;
  extract: Extract;
  kind: string;
  lang: string;
  q: string;
  /** The city as a traveller types it; empty for none. Without it, the destination of most right answers is searched. */
  city?: string;
  expected: string[];
  rule: 'any' | 'exact' | 'near' | 'top10';
  /** For `near`: objects that may come first, because none of the right kind is much closer. */
  ok_first?: string[];
  /** Objects of the right kind whose hours the map does not state: neither right nor wrong. */
  unknown?: string[];
  min_in_top10?: number;
  must?: string[];
  min_must?: number;
}

/** Two sets, by two people at different times. Each was written before the service was asked. */
export const REAL_SETS = ['real-searches', 'second-searches'].map(
  (name) =>
    JSON.parse(readFileSync(new URL(`${name}.json`, import.meta.url), 'utf8')) as readonly RealSearch[],
);

export interface RealOutcome {
  search: RealSearch;
  destination: string | undefined;
  first: boolean;
  three: boolean;
  answers: string[];
}

const TEN = 10;
const THREE = 3;

/** Asks every search in the destination that holds most of its right answers, and judges the answers by the map. */
export async function askReal(
  ask: Ask,
  searches: readonly RealSearch[],
  places: readonly Place[],
  maps: ReadonlyMap<Extract, ObjectMap>,
): Promise<RealOutcome[]> {
  const byId = new Map(places.map((place) => [place.id, place]));
  const byRef = Map.groupBy(places, ({ ref }) => shortRef(ref));
  const outcomes: RealOutcome[] = [];
  for (const search of searches) {
    const objects = maps.get(search.extract) ?? (new Map() as ObjectMap);
    const isAmong = (refs: readonly string[] | undefined, place: Place | undefined) => {
      if (place === undefined || refs === undefined || !place.open) return false;
      if (refs.includes(shortRef(place.ref))) return true;
      return isOneOf(
        place,
        refs.flatMap((ref) => objects.get(ref) ?? []),
      );
    };
    const held = (search.must ?? search.expected).flatMap((ref) => byRef.get(ref) ?? []);
    const destination =
      search.city === undefined ? destinationOf('', held) : search.city === '' ? undefined : search.city;
    const all = (await ask(search.q, destination)).map((id) => byId.get(id));
    const found = all.filter((place) => !isAmong(search.unknown, place));
    const rightAt = (at: number, refs = search.expected) => isAmong(refs, found[at]);
    let first: boolean;
    let three: boolean;
    if (search.rule === 'top10') {
      const ten = found.slice(0, TEN);
      const wanted = search.expected.filter((ref) =>
        (byRef.get(ref) ?? []).some((place) => place.destination === destination),
      );
      const needed = Math.min(search.min_in_top10 ?? TEN, wanted.length);
      const must = (search.must ?? []).filter((ref) =>
        (byRef.get(ref) ?? []).some((place) => place.destination === destination),
      );
      const isRight =
        ten.filter((place) => isAmong(search.expected, place)).length >= needed &&
        must.filter((ref) => ten.some((place) => isAmong([ref], place))).length >=
          Math.min(search.min_must ?? 0, must.length);
      [first, three] = [isRight, isRight];
    } else {
      first = rightAt(0) && (search.rule !== 'near' || rightAt(0, search.ok_first));
      three = first || Array.from({ length: THREE }, (_, at) => at).some((at) => rightAt(at));
    }
    const answers = found
      .slice(0, THREE)
      .map((place) => `${place?.name} (${place === undefined ? '' : shortRef(place.ref)})`);
    outcomes.push({ search, destination, first, three, answers });
  }
  return outcomes;
}

/** Share of first and three by kind, ours beside PostgreSQL's. */
export function tableOf(ours: readonly RealOutcome[], theirs: readonly RealOutcome[]): string[] {
  const share = (outcomes: readonly RealOutcome[]) => {
    const part = (count: number) => (count / Math.max(1, outcomes.length)).toFixed(3);
    return `${part(outcomes.filter(({ first }) => first).length)} | ${part(outcomes.filter(({ three }) => three).length)}`;
  };
  const kinds = [...new Set(ours.map(({ search }) => search.kind))];
  const row = (name: string, of: (outcome: RealOutcome) => boolean) =>
    `| ${name} | ${ours.filter(of).length} | ${share(ours.filter(of))} | ${share(theirs.filter(of))} |`;
  return [
    '| kind | searches | first | three | PostgreSQL first | three |',
    '|---|--:|--:|--:|--:|--:|',
    ...kinds.map((kind) => row(kind.replaceAll('_', ' '), ({ search }) => search.kind === kind)),
    row('all', () => true),
  ];
}
