import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../src/core/context.ts';
import type { Pool } from '../../src/core/postgres/db.ts';
import { wordsOf } from '../../src/core/text/fold.ts';
import { findDestination } from '../../src/directory/find-destination.ts';
import { authenticate } from '../../src/protocol/authenticate.ts';
import { exchangeRequestOf } from '../../src/protocol/http/exchange.ts';
import { takeRead } from '../../src/protocol/run/meter-read.ts';
import type { Search } from '../search/supply.ts';

const LIMIT = 20;

type Way = 'full text' | 'trigrams';
const WAYS: readonly Way[] = ['full text', 'trigrams'];

/** PostgreSQL over the rows of `bench_place` behind the same guards, keys and quotas. */
export function addPostgresSearch(http: FastifyInstance, deps: Deps, pool: Pool): void {
  const better = new Map<string, Way>();
  const find = (search: Search, way: Way) => {
    const { city } = search;
    const found = city === undefined ? undefined : findDestination(deps.destinations.current, city);
    return findInPostgres(pool, { ...search, destination: found?.id }, way);
  };
  http.get<{ Querystring: Search }>('/bench/postgres', async (request, reply) => {
    const actor = await authenticate(deps, 'agent', exchangeRequestOf(request));
    const cards = await find(request.query, better.get(shapeOf(request.query)) ?? 'full text');
    reply.headers(await takeRead(deps, actor, deps.clock.now())).type('application/json');
    const head = { count: cards.length, ...deps.destinations.current.attribution };
    return `{"places":[${cards.join(',')}],${JSON.stringify(head).slice(1)}`;
  });
  // Its users would find out which index is better for what, and then use that one.
  http.post<{ Body: { searches: Search[] } }>('/bench/postgres/choose', async (request) => {
    const chosen: Record<string, { way: Way; ms: Record<string, number> }> = {};
    for (const [shape, searches] of Map.groupBy(request.body.searches, shapeOf)) {
      const ms: Record<string, number> = {};
      for (const way of WAYS) {
        const startedAt = performance.now();
        for (const search of searches) await find(search, way);
        ms[way] = (performance.now() - startedAt) / searches.length;
      }
      const way = (ms['trigrams'] ?? 0) < (ms['full text'] ?? 0) ? 'trigrams' : 'full text';
      better.set(shape, way);
      if (!shape.startsWith('no words')) chosen[shape] = { way, ms };
    }
    return chosen;
  });
}

/** Searches that PostgreSQL would plan alike. */
function shapeOf({ q, city, country }: Search): string {
  const words = q === undefined ? 'no words' : wordsOf(q).length === 1 ? 'one word' : 'several words';
  return `${words} ${city !== undefined ? 'in a destination' : country !== undefined ? 'in a country' : 'anywhere'}`;
}

/** Cards as JSON text. Words by `way`; kinds and areas alone by the B-trees, in order of rank. */
export async function findInPostgres(
  pool: Pool,
  { q, destination, country, category, area }: Search & { destination?: string | undefined },
  way: Way,
): Promise<string[]> {
  const words = q === undefined ? [] : wordsOf(q);
  const kind = category?.toLowerCase().replaceAll(' ', '_');
  const rows = await pool<{ card: string }[]>`
    select card from bench_place where true
      ${destination === undefined ? pool`` : pool`and destination_id = ${destination}`}
      ${country === undefined ? pool`` : pool`and country = ${country}`}
      ${kind === undefined ? pool`` : VERTICALS.has(kind) ? pool`and vertical = ${kind}` : pool`and kinds @> array[${kind}]::text[]`}
      ${area === undefined ? pool`` : pool`and area = ${area}`}
      ${
        words.length === 0
          ? pool``
          : way === 'full text'
            ? // The last word may be unfinished.
              pool`and words @@ to_tsquery('simple', ${`${words.join(' & ')}:*`})`
            : pool`and name like ${`%${words.join(' ')}%`}`
      }
    order by rank desc limit ${LIMIT}`;
  return rows.map(({ card }) => card);
}

const VERTICALS = new Set(
  'restaurant cafe bar hotel guesthouse hostel spa massage boat tour market shop transport taxi event clinic salon gym beach attraction nightclub other'.split(
    ' ',
  ),
);
