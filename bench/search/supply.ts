import { openEmbeddedPostgres } from '../../src/core/embedded/embedded-postgres.ts';
import { connect, type Pool } from '../../src/core/postgres/db.ts';
import { DAY_MS } from '../../src/core/time.ts';
import { byWeight, SeededRandom } from '../../src/demo/demo-random.ts';

/** A search as an agent sends it. */
export interface Search {
  q?: string;
  city?: string;
  country?: string;
  category?: string;
  area?: string;
}

interface DrawnPlace {
  name: string;
  kinds: string[];
  area: string | null;
  country: string;
  city: string;
}

const PLACES_AT_ONCE = 52_000;
/** Fewer new ones than this among so many places: the directory has no more to ask about. */
const NEW_SHARE_MIN = 0.02;
const SEED = 20_261_116;

const WITHIN = byWeight([
  ['name', 3],
  ['word', 3],
  ['two words', 2],
  ['kind', 2],
  ['kind in area', 2],
  ['begun word', 2],
] as const);
const ANY: readonly ((typeof WITHIN)[number] | 'name in country' | 'name anywhere')[] = [
  ...WITHIN,
  ...byWeight([
    ['name in country', 1],
    ['name anywhere', 1],
  ] as const),
];

export type Shape = (typeof ANY)[number];
export const SHAPES: readonly Shape[] = [...new Set(ANY)];

/**
 * Searches drawn from the directory itself, none of them twice. Each comes from a place drawn by chance with a fixed
 * seed, so that destinations and words come as often as they stand in the directory, and warm is what chance made warm.
 */
export class Supply {
  readonly #pool: Pool;
  readonly #release: () => Promise<void>;
  readonly #random = new SeededRandom();
  readonly #drawn = new Set<string>();
  #places: DrawnPlace[] = [];
  #turns = 0;

  private constructor(pool: Pool, release: () => Promise<void>) {
    this.#pool = pool;
    this.#release = release;
    this.#random.restart(SEED, 0);
  }

  /** Of the embedded database of a service that runs. */
  static async of(dataDir: string): Promise<Supply> {
    const database = await openEmbeddedPostgres({ dataDir, role: 'tool', note: () => undefined });
    return new Supply(connect(database.url, { max: 1, statementTimeoutMs: 0 }), () => database.release());
  }

  async close(): Promise<void> {
    await this.#pool.end();
    await this.#release();
  }

  /** Draws places for so many searches, so that `next` has them at hand while a clock runs. */
  async ahead(count: number): Promise<void> {
    if (this.#places.length < count)
      this.#places = [...(await this.#draw(Math.max(count, PLACES_AT_ONCE))), ...this.#places];
  }

  /** A new search, or undefined when the places at hand have no more. */
  next(where: 'anywhere' | 'within a destination' = 'anywhere'): Search | undefined {
    return this.#nextOf((place) => this.#searchOf(place, where === 'anywhere' ? ANY : WITHIN));
  }

  /** A new search of one shape. */
  nextOf(shape: Shape): Search | undefined {
    return this.#nextOf((place) => this.#searchOf(place, [shape]));
  }

  /** A new question of what is open: at any minute of the coming two weeks, every other one of a kind. */
  nextOpen(): { destination: string; at: string; category?: string } | undefined {
    return this.#nextOf(({ city, kinds }) => {
      const at = new Date(Date.now() + DAY_MS + this.#random.below(14 * 1440) * 60_000);
      const category = this.#random.chance(0.5) ? kinds[0] : undefined;
      const when = at.toISOString().slice(0, 16);
      return { destination: city, at: when, ...(category === undefined ? {} : { category }) };
    });
  }

  /** So many searches, or fewer where the directory has no more. */
  async take(count: number, where?: 'anywhere' | 'within a destination'): Promise<Search[]> {
    const taken: Search[] = [];
    for (;;) {
      await this.ahead(count);
      const [before, places] = [taken.length, this.#places.length];
      for (let one = this.next(where); one !== undefined; one = this.next(where))
        if (taken.push(one) === count) return taken;
      if (taken.length - before < places * NEW_SHARE_MIN) return taken;
    }
  }

  #nextOf<Made extends object>(make: (place: DrawnPlace) => Made | undefined): Made | undefined {
    for (let place = this.#places.pop(); place !== undefined; place = this.#places.pop()) {
      const made = make(place);
      if (made === undefined) continue;
      const text = JSON.stringify(made).toLowerCase();
      if (this.#drawn.has(text)) continue;
      this.#drawn.add(text);
      return made;
    }
    return undefined;
  }

  async #draw(count: number): Promise<DrawnPlace[]> {
    const [size] = await this.#pool<{ places: number }[]>`
      select greatest(reltuples, 1)::float8 as places from pg_class where oid = 'place'::regclass`;
    const percent = Math.min(100, (110 * count) / (size?.places ?? 1));
    const places = await this.#pool.unsafe<DrawnPlace[]>(
      `select p.name, array_prepend(p.vertical, array_prepend(p.category, p.cuisine)) as kinds, p.area, p.country,
              d.slug as city
       from place p tablesample bernoulli (${percent}) repeatable (${SEED + this.#turns++})
       join destination d on d.id = p.destination_id where p.closed_at is null`,
    );
    for (let last = places.length - 1; last > 0; last--) {
      const other = this.#random.below(last + 1);
      [places[last], places[other]] = [places[other] as DrawnPlace, places[last] as DrawnPlace];
    }
    return places;
  }

  #searchOf({ name, kinds, area, country, city }: DrawnPlace, kindsOfSearch: typeof ANY): Search | undefined {
    const random = this.#random;
    const words = name.split(/[\s'’&-]+/).filter((word) => word.length > 2);
    const [word, kind] = [words[random.below(words.length)], random.pick(kinds)];
    switch (random.pick(kindsOfSearch)) {
      case 'name':
        return { q: name, city };
      case 'word':
        return word === undefined ? undefined : { q: word, city };
      case 'two words': {
        const at = random.below(words.length - 1);
        return words.length < 3 ? undefined : { q: words.slice(at, at + 2).join(' '), city };
      }
      case 'kind':
        return random.chance(0.5) ? { category: kind, city } : { q: kind.replaceAll('_', ' '), city };
      case 'kind in area':
        return area === null ? undefined : { category: kind, area, city };
      case 'begun word':
        return word === undefined || word.length < 5
          ? undefined
          : { q: word.slice(0, random.between(3, word.length - 1)), city };
      case 'name in country':
        return { q: name, country };
      case 'name anywhere':
        return { q: name };
    }
  }
}
