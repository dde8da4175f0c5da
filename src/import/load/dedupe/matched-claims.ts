import type { Db } from '../../../core/postgres/db.ts';
import { applyFieldClaims, type PlaceWithClaims } from '../../../directory/provenance/apply-field-claims.ts';
import { lockPlaceClaims, writePlaceClaims } from '../../../directory/provenance/stored-claims.ts';
import { fetchBatches } from '../../fetch-batches.ts';
import { fillMatched } from './fill-matched.ts';
import { type Draft, DRAFT_SQL, mapClaims } from '../draft-claims.ts';

interface Matched {
  place_id: string;
  source: string;
  observed_at: Date | null;
  draft: Draft;
}

const BATCH_PLACES = 1_000;

/** Adds the claims of a second source to places that another one imported. Returns the number of changed places. */
export async function applyMatchedClaims(tx: Db, asOf: Date, now: Date): Promise<number> {
  const query = `
    select d.belongs_to as place_id, d.source, d.observed_at, ${DRAFT_SQL} as draft
    from import_draft d join place p on p.id = d.belongs_to and p.source <> d.source
    where d.contributes and not d.disused and p.closed_at is null order by d.belongs_to`;
  const changed = new Set<string>();
  for await (const some of fetchBatches<Matched>(tx, { cursor: 'matched', query, rows: BATCH_PLACES })) {
    const byPlace = new Map(some.map((row) => [row.place_id, row]));
    const places = await lockPlaceClaims(tx, [...byPlace.keys()]);
    const updated = places.map((place) => withClaims(place, byPlace.get(place.id), asOf));
    for (const id of await writePlaceClaims(tx, now, updated)) changed.add(id);
  }
  for (const id of await fillMatched(tx, asOf, now)) changed.add(id);
  return changed.size;
}

function withClaims(place: PlaceWithClaims, matched: Matched | undefined, otherwise: Date): PlaceWithClaims {
  if (matched === undefined) return place;
  const { source, observed_at, draft } = matched;
  const at = (observed_at ?? otherwise).toISOString();
  return applyFieldClaims(place, mapClaims({ by: 'map', ref: source, at, proof: 'published' }, draft));
}
