import { createHash } from 'node:crypto';
import type { PlaceDraft } from '../../../src/import/place-draft.ts';

/** The usual ways in which a second source writes the name of a place. */
const FORMS: Readonly<Record<string, (name: string, town: string, country: string, kind: string) => string>> =
  {
    'the town behind it': (name, town) => `${name} ${town}`,
    'the country behind it': (name, _town, country) => `${name} ${country}`,
    'a dash and the town': (name, town) => `${name} - ${town}`,
    'a comma and the town': (name, town) => `${name}, ${town}`,
    'the town in brackets': (name, town) => `${name} (${town})`,
    'a bar and the country': (name, _town, country) => `${name} | ${country}`,
    'town and country': (name, town, country) => `${name} ${town}, ${country}`,
    'an article before it': (name) => `The ${name}`,
    'its kind before it': (name, _town, _country, kind) => `${kind} ${name}`.trim(),
    'its kind behind it': (name, _town, _country, kind) => `${name} ${kind}`.trim(),
    capitals: (name) => name.toUpperCase(),
    'no accents': (name) => name.normalize('NFD').replace(/\p{M}/gu, ''),
    'the same': (name) => name,
  };

const KIND_WORDS: Readonly<Record<string, readonly string[]>> = {
  restaurant: ['Restaurant', 'Ristorante', 'Restaurante'],
  cafe: ['Café', 'Caffè'],
  bar: ['Bar'],
  hotel: ['Hotel', 'Hôtel'],
};

export interface SecondSourceRow {
  /** Reference of the place that it describes. */
  of: string;
  form: string;
  /** True when the place is taken out of the directory before, so that the row is a new place. */
  isAbsent: boolean;
  feature: object;
}

/** Bytes that depend on the reference only, so that every run has the same rows. */
export function bytesOf(reference: string): Buffer {
  return createHash('sha256').update(`second source ${reference}`).digest();
}

/** Returns a row as another source would have it: the name in another form, a few metres off, with less data. */
export function rowFor(draft: PlaceDraft, town: string, country: string): SecondSourceRow {
  const bytes = bytesOf(draft.source_ref);
  const pick = <T>(from: readonly T[], at: number): T => from[bytes.readUInt8(at) % from.length] as T;
  const form = pick(Object.keys(FORMS), 3);
  const angle = (bytes.readUInt8(1) / 255) * 2 * Math.PI;
  const metres = 5 + 55 * (bytes.readUInt8(2) / 255) ** 1.5;
  const lat = draft.lat + (metres * Math.cos(angle)) / 111_195;
  const lng = draft.lng + (metres * Math.sin(angle)) / 111_195 / Math.cos((draft.lat * Math.PI) / 180);
  const kind = pick(KIND_WORDS[draft.vertical] ?? [''], 6);
  const keeps = (at: number) => bytes.readUInt8(at) % 2 === 0;
  const properties = {
    name: FORMS[form]?.(draft.name, town, country, kind),
    [draft.vertical === 'shop' ? 'shop' : 'category']: draft.category,
    ...(keeps(7) && draft.phone !== null && { phone: draft.phone }),
    ...(keeps(8) && draft.website !== null && { website: draft.website }),
    ...(keeps(9) && draft.address !== null && { addr_full: draft.address }),
    ...(keeps(10) && draft.city !== null && { addr_city: draft.city }),
  };
  return {
    of: draft.source_ref,
    form,
    isAbsent: bytes.readUInt8(4) % 3 === 0,
    feature: {
      type: 'Feature',
      id: `second/${draft.source_ref}`,
      geometry: { type: 'Point', coordinates: [lng, lat] },
      properties,
    },
  };
}
