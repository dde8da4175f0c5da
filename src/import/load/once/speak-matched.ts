import type { Db } from '../../../core/postgres/db.ts';
import { speak, type SpokenPlace } from '../../../directory/word/speak.ts';
import { lockSpoken, writeSpoken } from '../../../directory/word/stored-words.ts';
import { fillMatched } from './fill-matched.ts';
import { type Draft, DRAFT_SQL, mapSpeech } from '../speak-in-drafts.ts';

interface Matched {
  place_id: string;
  source: string;
  observed_at: Date | null;
  draft: Draft;
}

const BATCH_PLACES = 1_000;

/** What a second source says of a place that another brought is its word beside the other's. Returns how many changed. */
export async function speakMatched(tx: Db, asOf: Date, now: Date): Promise<number> {
  await tx.unsafe(`
    declare matched no scroll cursor for
    select d.belongs_to as place_id, d.source, d.observed_at, ${DRAFT_SQL} as draft
    from import_draft d join place p on p.id = d.belongs_to and p.source <> d.source
    where d.speaks and not d.disused and p.closed_at is null order by d.belongs_to`);
  const next = () => tx.unsafe<Matched[]>(`fetch ${BATCH_PLACES} from matched`);
  const changed = new Set<string>();
  for (let some = await next(); some.length > 0; some = await next()) {
    const byPlace = new Map(some.map((one) => [one.place_id, one]));
    const places = await lockSpoken(tx, [...byPlace.keys()]);
    const spoken = places.map((place) => spokenOf(place, byPlace.get(place.id), asOf));
    for (const id of await writeSpoken(tx, now, spoken)) changed.add(id);
  }
  await tx`close matched`;
  for (const id of await fillMatched(tx, asOf, now)) changed.add(id);
  return changed.size;
}

function spokenOf(place: SpokenPlace, matched: Matched | undefined, otherwise: Date): SpokenPlace {
  if (matched === undefined) return place;
  const { source, observed_at, draft } = matched;
  const at = (observed_at ?? otherwise).toISOString();
  return speak(place, mapSpeech({ by: 'map', ref: source, at, proof: 'published' }, draft));
}
