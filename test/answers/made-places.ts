import type { TestService } from '../harness/service/service.ts';

export interface MadePlace {
  name: string;
  vertical?: string;
  category?: string;
  cuisine?: string[];
  area?: string | null;
  lat?: number;
  lng?: number;
  about?: string | null;
  rating?: number | null;
  review_count?: number;
  price_range?: string | null;
  closed?: boolean;
  slug?: string;
}

let made = 0;

/** Adds a place of the test's own, verified and well rated, and waits until the index has it. Gives its id. */
export async function makePlace({ app, database, clock }: TestService, place: MadePlace): Promise<string> {
  const id = app.deps.newId('plc');
  const { pool } = database;
  await pool`
    insert into place (id, destination_id, name, vertical, category, cuisine, country, area, lat, lng, about, rating,
                       review_count, price_range, verified_at, closed_at, source, source_ref)
    select ${id}, d.id, ${place.name}, ${place.vertical ?? 'restaurant'}, ${place.category ?? 'restaurant'},
           ${place.cuisine ?? []}, d.country, ${place.area ?? null}, ${place.lat ?? 64.13}, ${place.lng ?? -21.9},
           ${place.about ?? null}, ${place.rating === undefined ? 4.8 : place.rating}, ${place.review_count ?? 500},
           ${place.price_range ?? null}, ${clock.now()}, ${place.closed === true ? clock.now() : null}, 'test',
           ${`made/${(made += 1)}`}
    from destination d where d.slug = ${place.slug ?? 'reykjavik'}`;
  await app.deps.places.follow();
  return id;
}
