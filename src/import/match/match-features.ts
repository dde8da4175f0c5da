import { addressParts, compareAddresses, type AddressParts } from './compare-addresses.ts';
import { categoryWords, kindsClash } from './compare-categories.ts';
import { comparePhones, compareWebsites, phoneDigits, webAddresses, type WebAddress } from './compare-contacts.ts';
import { compareNames, nameForms, type NameComparison, type NameForm } from './compare-names.ts';
import { latinWords } from './latin-words.ts';
import type { MatchRecord } from './match-record.ts';
import type { FeatureName } from './match-weights.ts';
import { metresBetween } from './metres-between.ts';

/** A record taken apart once, so that it can be compared with many neighbours. */
export interface PreparedRecord {
  readonly record: MatchRecord;
  readonly names: readonly NameForm[];
  readonly phones: readonly string[];
  readonly websites: readonly WebAddress[];
  readonly address: AddressParts;
  readonly mainCategory: string;
}

/** Everything is 0 where nothing is known, 1 where it holds in full; only `distance` may exceed 1. */
export type MatchFeatures = Record<FeatureName, number>;

const neighbourly = 100;

export function prepareRecord(record: MatchRecord): PreparedRecord {
  const categories = record.categories ?? [];
  // A branch is often named after its town or street; such words must not look like another venue.
  const local = new Set([...latinWords(`${record.city ?? ''} ${record.street ?? ''}`), ...categoryWords(categories)]);
  return {
    record,
    names: nameForms(record.names, local),
    phones: phoneDigits(record.phones ?? []),
    websites: webAddresses(record.websites ?? []),
    address: addressParts(record),
    mainCategory: categories[0] ?? '',
  };
}

export function matchFeatures(a: PreparedRecord, b: PreparedRecord): MatchFeatures {
  const names = compareNames(a.names, b.names);
  return {
    ...nameFeatures(names),
    ...contactFeatures(a, b, names),
    ...addressFeatures(a, b),
    kindsClash: Number(kindsClash(a.mainCategory, b.mainCategory)),
    distance: distanceDoublings(metresBetween(a.record, b.record)),
  };
}

function nameFeatures(names: NameComparison | null) {
  return {
    nameContainment: names?.containment ?? 0,
    nameLetters: (names?.letters ?? 0) ** 2,
    nameExact: Number(names?.exact ?? false),
    nameLong: Math.min(1, Math.max(0, (names?.exactWords ?? 0) - 1) / 2),
    nameConflict: names?.conflict ?? 0,
    partOnly: Number(names?.partOnly ?? false),
    nameGeneric: Number(names?.generic ?? false),
    numbersClash: Number(names?.numbersClash ?? false),
    marksDiffer: Number(names?.marksDiffer ?? false),
  };
}

function contactFeatures(a: PreparedRecord, b: PreparedRecord, names: NameComparison | null) {
  const phone = comparePhones(a.phones, b.phones);
  const website = compareWebsites(a.websites, b.websites);
  return {
    phoneSame: Number(phone === 'same'),
    phoneSameRenamed: phone === 'same' ? (names?.conflict ?? 1) : 0,
    phoneDifferent: Number(phone === 'different'),
    websiteSamePage: Number(website === 'same_page'),
    websiteSameHome: Number(website === 'same_home'),
    websiteOtherPage: Number(website === 'other_page'),
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
    streetDifferent: Math.max(0, -street),
    postcodeDifferent: Number(address.postcode === 'different'),
    cityDifferent: Number(address.city === 'different'),
  };
}

/** How often the distance doubles beyond what two sources differ by for the same door. */
function distanceDoublings(metres: number | null): number {
  return metres === null ? 0 : Math.log2(1 + metres / neighbourly);
}
