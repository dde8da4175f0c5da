import type { Db } from '../../core/postgres/db.ts';

export interface PlaceName {
  /** BCP 47 tag of the language that the name is in. */
  language: string;
  text: string;
}

/** What a place is called besides its name, each text once: in other languages and in other scripts. */
export async function listOtherNames(db: Db, placeId: string): Promise<PlaceName[]> {
  const rows = await db<PlaceName[]>`
    select distinct on (names.value) names.key as language, names.value as text
    from place, jsonb_each_text(place.names) as names
    where place.id = ${placeId} and names.value <> place.name and names.value <> ''
    order by names.value, names.key`;
  return [...rows].sort((a, b) => (a.language < b.language ? -1 : 1));
}
