import { ownValue } from '../../core/input/own-value.ts';
import type { PlaceField } from '../sets/source-sets.ts';
import type { Field } from '../word/field.ts';
import type { Word } from '../word/word.ts';
import type { Place } from './place.ts';

/** Somebody who said something of what a place shows. */
export interface PlaceSource {
  name: string;
  ref: string;
  fields: PlaceField[];
  /** Null where nobody knows. */
  observed_at: string | null;
}

const SOURCE_NAMES: Readonly<Record<string, string>> = {
  osm: 'OpenStreetMap',
  overture: 'Overture Maps',
  geojson: 'Imported map data',
  demo: 'Demonstration data',
  submission: 'Submitted by an agent',
};

const SOURCED_FIELDS = ['name', 'lat', 'lng', 'address', 'phone', 'website'] as const;
/** What nobody has a word about but maps, also where a venue has claimed the place. */
const FACTS = 'facts';
const CUISINE = 'cuisine';

const POSITION: ReadonlySet<PlaceField> = new Set(['lat', 'lng']);

/** The fields of an answer that a filled one stands for. */
function filledFields(field: string): Iterable<PlaceField> {
  return field === 'position' ? POSITION : [field === CUISINE ? CUISINE : FACTS];
}

const MAPS = new Set(['osm', 'overture', 'geojson']);

/** Everybody whose word is shown: the source of the record, then whoever else spoke of a field. */
export function placeSources(place: Place): PlaceSource[] {
  const { source, source_ref, observed_at, verified_at, updated_at, words, filled } = place;
  const shown = Object.entries(words).map(([field, [word]]) => ({ field: field as Field, word }));
  const others = shown.filter(
    ({ word }) => word !== undefined && word.ref !== source && word.ref !== source_ref,
  );
  const spokenOf = new Set<string>(others.map(({ field }) => field));
  const isFilled = (field: PlaceField) => 'position' in filled && POSITION.has(field);
  const own: PlaceSource = {
    name: ownValue(SOURCE_NAMES, source) ?? source,
    ref: source_ref,
    fields: [
      ...SOURCED_FIELDS.filter((field) => place[field] !== null && !spokenOf.has(field) && !isFilled(field)),
      ...(Object.keys(place.facts).some((fact) => !(fact in filled)) ? ([FACTS] as const) : []),
    ],
    // When a map was imported says nothing about how old it is; what was entered here is as old as its entry.
    observed_at:
      (observed_at ?? (MAPS.has(source) ? null : (verified_at ?? updated_at)))?.toISOString() ?? null,
  };
  const found = new Map<string, PlaceSource>();
  const add = (named: Pick<PlaceSource, 'name' | 'ref'>, field: PlaceField, at: string) => {
    const { fields, observed_at } = found.get(named.ref) ?? { fields: [], observed_at: at };
    const latest = observed_at === null || observed_at < at ? at : observed_at;
    found.set(named.ref, { ...named, fields: [...new Set([...fields, field])], observed_at: latest });
  };
  for (const { field, word } of others) if (word !== undefined) add(nameOf(word), field, word.at);
  for (const [field, { ref, at }] of Object.entries(filled))
    for (const told of filledFields(field)) add({ name: ownValue(SOURCE_NAMES, ref) ?? ref, ref }, told, at);
  return [own, ...found.values()];
}

function nameOf({ by, ref }: Word): { name: string; ref: string } {
  switch (by) {
    case 'owner':
      return { name: 'The venue', ref: 'owner' };
    case 'agent':
      return { name: 'Submitted by an agent', ref };
    case 'reviewer':
      return { name: 'Corrected by a person of this service', ref };
    case 'provider':
      return { name: 'A web-mapping provider', ref };
    case 'map':
      return { name: SOURCE_NAMES[ref.split(':')[0] ?? ''] ?? ref, ref };
  }
}
