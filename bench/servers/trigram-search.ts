import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../src/core/context.ts';
import { findDestination } from '../../src/directory/find-destination.ts';
import { authenticate } from '../../src/protocol/authenticate.ts';
import { exchangeRequestOf } from '../../src/protocol/http/exchange.ts';
import { takeRead } from '../../src/protocol/run/meter-read.ts';

/** The alternative: PostgreSQL's trigram index over the same rows, behind the same guards, keys and quotas. */
export function addTrigramSearch(http: FastifyInstance, deps: Deps): void {
  http.get<{
    Querystring: { q?: string; city?: string; category?: string; country?: string; area?: string };
  }>('/bench/trigram', async (request, reply) => {
    const actor = await authenticate(deps, 'agent', exchangeRequestOf(request));
    const { q, city, category, country, area } = request.query;
    const destination = city === undefined ? undefined : findDestination(deps.destinations.current, city);
    const { pool } = deps;
    const places = await pool`
        select id as place_id, name, vertical, category, cuisine, country, city, area, address, lat, lng,
               rating::float8 as rating, review_count, price_range, badge
        from place where closed_at is null
          ${destination === undefined ? pool`` : pool`and destination_id = ${destination.id}`}
          ${country === undefined ? pool`` : pool`and country = ${country}`}
          ${category === undefined ? pool`` : pool`and vertical = ${category}`}
          ${area === undefined ? pool`` : pool`and area = ${area}`}
          ${q === undefined ? pool`` : pool`and name ilike ${`%${q}%`}`}
        order by rating desc nulls last limit 20`;
    reply.headers(await takeRead(deps, actor, deps.clock.now()));
    return { places, count: places.length, ...deps.destinations.current.attribution };
  });
}
