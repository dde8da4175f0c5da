import { addressParts, compareAddresses, type AddressParts } from './compare-addresses.ts';
import { compareNames, type NameComparison } from './names/compare-names.ts';
import { comparePhones, phoneEndings } from './compare-phones.ts';
import { compareWebsites, webAddresses, websiteNaming, type WebAddress } from './compare-websites.ts';
import { latinWords } from './names/latin-words.ts';
import type { MatchRecord } from './match-record.ts';
import type { FeatureName } from './match-weights.ts';
import { metresApart } from './metres-apart.ts';
import { nameForms, type NameForm } from './names/name-forms.ts';
import { surroundingsOf, trimmedForms, type Surroundings } from './names/place-endings.ts';
import { kindsClash, kindsOf } from './place-kinds.ts';

/** Record parsed once, so that it can be compared with many neighbours. */
export interface PreparedRecord {
  readonly record: MatchRecord;
  readonly names: readonly NameForm[];
  readonly phones: readonly string[];
  readonly websites: readonly WebAddress[];
  readonly address: AddressParts;
  /** Words of the town, the street and the category, which are weak evidence when the name repeats them. */
  readonly local: ReadonlySet<string>;
  readonly surroundings: Surroundings;
  readonly kinds: ReadonlySet<string>;
}

/** Features of a pair. Each is 0 when unknown and 1 when it applies fully; only `distance` exceeds that range. */
type MatchFeatures = Record<FeatureName, number>;

/** Usual distance between two sources' positions of the same door, and the offset below which metres matter little. */
const usualDistance = 40;
const spread = 50;

export function prepareRecord(record: MatchRecord): PreparedRecord {
  const categories = record.categories ?? [];
  const local = new Set(latinWords([record.city, record.street, ...categories].join(' ')));
  return {
    record,
    names: nameForms(record.names),
    phones: phoneEndings(record.phones ?? []),
    websites: webAddresses(record.websites ?? []),
    address: addressParts(record),
    local,
    surroundings: surroundingsOf(record),
    kinds: kindsOf(categories[0] ?? '', record.vertical),
  };
}

export function matchFeatures(a: PreparedRecord, b: PreparedRecord): MatchFeatures {
  const metres = metresApart(a.record, b.record);
  const clash = kindsClash(a.kinds, b.kinds);
  const local = a.local.union(b.local);
  const surroundings = [a.surroundings, b.surroundings];
  const names = compareNames(
    trimmedForms(a.names, surroundings, local),
    trimmedForms(b.names, surroundings, local),
    { local, kindsClash: clash },
  );
  return {
    ...names,
    ...contactFeatures(a, b, names),
    ...addressFeatures(a, b),
    kindsClash: Number(clash),
    // Doublings of the distance relative to the usual one; negative, and thus in favour, below it.
    distance: metres === null ? 0 : Math.log2((metres + spread) / (usualDistance + spread)),
  };
}

function contactFeatures(a: PreparedRecord, b: PreparedRecord, { nameConflict }: NameComparison) {
  const phone = comparePhones(a.phones, b.phones);
  const website = compareWebsites(a.websites, b.websites);
  const naming = websiteNaming(a, b);
  return {
    phoneSame: Number(phone === 'same'),
    phoneSameRenamed: phone === 'same' ? nameConflict : 0,
    phoneDifferent: Number(phone === 'different'),
    websiteSame: Number(website === 'same'),
    websiteOtherPage: Number(website === 'other_page'),
    websiteNamesBoth: Number(naming === 'both'),
    websiteNamesOne: Number(naming === 'one'),
  };
}

function addressFeatures(a: PreparedRecord, b: PreparedRecord) {
  const address = compareAddresses(a.address, b.address);
  const street = (address.street ?? 0.5) * 2 - 1;
  return {
    houseSame: Number(address.numbers === 'same'),
    houseDifferent: Number(address.numbers === 'different'),
    unitsClash: Number(address.unitsClash),
    streetSame: Math.max(0, street),
    houseAndStreetSame: address.numbers === 'same' ? Math.max(0, street) : 0,
    streetDifferent: Math.max(0, -street),
    postcodeDifferent: Number(address.postcode === 'different'),
    cityDifferent: Number(address.city === 'different'),
  };
}
