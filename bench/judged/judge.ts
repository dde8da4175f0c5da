import { read, searchPath } from '../search/bench.ts';
import { isOneOf, type Place } from './directory.ts';
import type { Extract, MapObject, ObjectMap } from './map-objects.ts';
import { rightObjects } from './right-objects.ts';
import type { Outcome } from './score.ts';
import { type Asked, SEARCHES } from './searches.ts';

const FIRST = 3;

/** Asks for the ids of places: a text, and the destination where one is given. */
export type Ask = (text: string, destination: string | undefined) => Promise<readonly string[]>;

/** Asks the service over REST. */
export async function idsFound(
  port: number,
  key: string,
  text: string,
  city: string | undefined,
): Promise<string[]> {
  const answer = await read(port, searchPath(city === undefined ? { q: text } : { q: text, city }), key);
  const { places } = JSON.parse(answer ?? '') as { places: { place_id: string }[] };
  return places.map(({ place_id }) => place_id);
}

/** All places of a destination, page by page, without any text. */
export async function idsOfAll(port: number, key: () => string, city: string): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page = new URLSearchParams({ city, limit: '100', ...(cursor === '' ? {} : { cursor }) });
    const path = `/api/agent/search?${page.toString()}`;
    const answer = JSON.parse((await read(port, path, key())) ?? '') as {
      places: { place_id: string }[];
      next_cursor: string | null;
    };
    ids.push(...answer.places.map(({ place_id }) => place_id));
    cursor = answer.next_cursor;
  }
  return ids;
}

interface Known {
  right: MapObject[];
  held: Place[];
}

/** Knows what is right by the map, and which places of the directory that is. */
export class Judge {
  readonly #places: ReadonlyMap<string, Place>;
  readonly #objects: ReadonlyMap<Extract, ObjectMap>;
  readonly #cache = new Map<Asked, Known>();

  constructor(places: readonly Place[], objects: ReadonlyMap<Extract, ObjectMap>) {
    this.#places = new Map(places.map((place) => [place.id, place]));
    this.#objects = objects;
  }

  async askAll(ask: Ask): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const asked of SEARCHES) {
      const { right, held } = this.#known(asked);
      const destination = asked.settlement === '' ? undefined : destinationOf(asked.settlement, held);
      const found = (await ask(asked.text, destination)).slice(0, FIRST);
      const answers = found.map((id) => this.#answer(id, right));
      outcomes.push({ asked, destination, answers, held: held.length > 0 });
    }
    return outcomes;
  }

  /** Looked up once for all states, unless hours are part of what is right. */
  #known(asked: Asked): Known {
    const known = this.#cache.get(asked);
    if (known !== undefined) return known;
    const right = this.rightOf(asked);
    const found = { right, held: this.placesOf(right) };
    if (!JSON.stringify(asked.right).includes('open=now')) this.#cache.set(asked, found);
    return found;
  }

  /** The objects that are right now; opening hours may decide. */
  rightOf({ extract, right }: Pick<Asked, 'extract' | 'right'>): MapObject[] {
    return rightObjects(extract, this.#objects.get(extract) ?? new Map(), right, new Date());
  }

  placesOf(objects: readonly MapObject[]): Place[] {
    return [...this.#places.values()].filter((place) => place.open && isOneOf(place, objects));
  }

  #answer(id: string, right: readonly MapObject[]): Outcome['answers'][number] {
    const place = this.#places.get(id);
    if (place === undefined) return { name: id, ref: 'unknown', right: false };
    return { name: place.name, ref: place.ref, right: place.open && isOneOf(place, right) };
  }
}

/** The destination of that name when right places lie in it, else the one that holds most of them. */
export function destinationOf(settlement: string, held: readonly Place[]): string | undefined {
  const counts = Object.entries(Object.groupBy(held, ({ destination }) => destination));
  const slug = settlement
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, '-');
  if (counts.some(([destination]) => destination === slug)) return slug;
  return counts.sort(([, a], [, b]) => (b?.length ?? 0) - (a?.length ?? 0))[0]?.[0];
}
