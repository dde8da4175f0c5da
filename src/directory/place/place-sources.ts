import { ownValue } from '../../core/input/own-value.ts';
import type { PlaceField } from '../sets/source-sets.ts';
import type { ClaimField } from '../provenance/field.ts';
import type { FieldClaim } from '../provenance/field-claim.ts';
import { IMPORTED_SOURCES, isImportedSource } from './imported-sources.ts';
import type { Place } from './place.ts';

/** A source of some of a place's fields. */
export interface PlaceSource {
  name: string;
  ref: string;
  fields: PlaceField[];
  /** Null where it is unknown. */
  observed_at: string | null;
}

const SOURCE_NAMES: Readonly<Record<string, string>> = {
  ...IMPORTED_SOURCES,
  demo: 'Demonstration data',
  submission: 'Submitted by an agent',
};

const SOURCED_FIELDS = ['name', 'lat', 'lng', 'address', 'phone', 'website'] as const;
/** Fields without claims, which only maps provide, also where a venue has claimed the place. */
const FACTS = 'facts';
const CUISINE = 'cuisine';

const POSITION: ReadonlySet<PlaceField> = new Set(['lat', 'lng']);

/** Fields of an answer that correspond to a field that a second source filled. */
function filledFields(field: string): Iterable<PlaceField> {
  return field === 'position' ? POSITION : [field === CUISINE ? CUISINE : FACTS];
}

/** Lists the sources of the displayed fields: the source of the record, then those of other fields. */
export function placeSources(place: Place): PlaceSource[] {
  const { source, source_ref, observed_at, verified_at, updated_at, field_claims, filled_by } = place;
  const displayed = Object.entries(field_claims).map(([field, [claim]]) => ({
    field: field as ClaimField,
    claim,
  }));
  const others = displayed.filter(
    ({ claim }) => claim !== undefined && claim.ref !== source && claim.ref !== source_ref,
  );
  const claimed = new Set<string>(others.map(({ field }) => field));
  const isFilled = (field: PlaceField) => 'position' in filled_by && POSITION.has(field);
  const own: PlaceSource = {
    name: ownValue(SOURCE_NAMES, source) ?? source,
    ref: source_ref,
    fields: [
      ...SOURCED_FIELDS.filter((field) => place[field] !== null && !claimed.has(field) && !isFilled(field)),
      ...(Object.keys(place.facts).some((fact) => !(fact in filled_by)) ? ([FACTS] as const) : []),
    ],
    // The import date of a map does not show the age of its data; data entered here is as old as its entry.
    observed_at:
      (observed_at ?? (isImportedSource(source) ? null : (verified_at ?? updated_at)))?.toISOString() ?? null,
  };
  const sources = new Map<string, PlaceSource>();
  const add = (origin: Pick<PlaceSource, 'name' | 'ref'>, field: PlaceField, at: string) => {
    const { fields, observed_at } = sources.get(origin.ref) ?? { fields: [], observed_at: at };
    const latest = observed_at === null || observed_at < at ? at : observed_at;
    sources.set(origin.ref, { ...origin, fields: [...new Set([...fields, field])], observed_at: latest });
  };
  for (const { field, claim } of others) if (claim !== undefined) add(nameOf(claim), field, claim.at);
  for (const [field, { ref, at }] of Object.entries(filled_by))
    for (const placeField of filledFields(field))
      add({ name: ownValue(SOURCE_NAMES, ref) ?? ref, ref }, placeField, at);
  return [own, ...sources.values()];
}

function nameOf({ by, ref }: FieldClaim): { name: string; ref: string } {
  switch (by) {
    case 'owner':
      return { name: 'The venue', ref: 'owner' };
    case 'agent':
      return { name: 'Submitted by an agent', ref };
    case 'reviewer':
      return { name: 'Corrected by staff of this service', ref };
    case 'provider':
      return { name: 'A web-mapping provider', ref };
    case 'map':
      return { name: SOURCE_NAMES[ref.split(':')[0] ?? ''] ?? ref, ref };
  }
}
