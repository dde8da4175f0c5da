import { createNewId } from '../../src/core/ids.ts';
import type { Facts } from '../../src/directory/place/facts.ts';
import type { TestService } from '../harness/service/service.ts';

interface NamedPlace {
  name: string;
  slug?: string;
  names?: Record<string, string>;
  latin_name?: string | null;
  vertical?: string;
  category?: string;
  areas?: string[];
  /** In the middle of the destination where it is not said. */
  lat?: number;
  lng?: number;
  facts?: Facts;
  observed_at?: Date | null;
}

/** Adds a place that a map tells much of, lets the index follow, and gives its id. */
export async function addNamedPlace(service: TestService, made: NamedPlace): Promise<string> {
  const { clock } = service;
  const { pool } = service.database;
  const id = createNewId(clock)('plc');
  const {
    name,
    slug = 'tokyo',
    names = {},
    latin_name = null,
    vertical = 'restaurant',
    category = vertical,
  } = made;
  const { areas = [], facts = {}, observed_at = null, lat = null, lng = null } = made;
  await pool`
    insert into place (id, destination_id, name, names, latin_name, vertical, category, country, lat, lng, area, areas,
      facts, observed_at, source, source_ref, created_at, updated_at)
    select ${id}, d.id, ${name}, ${pool.json(names)}, ${latin_name}, ${vertical}, ${category}, d.country,
      coalesce(${lat}, d.lat), coalesce(${lng}, d.lng),
      ${areas[0] ?? null}, ${areas}, ${pool.json(facts)}, ${observed_at}, 'osm', ${`node/${id}`}, ${clock.now()}, ${clock.now()}
    from destination d where d.slug = ${slug}`;
  await service.app.deps.places.follow();
  return id;
}
