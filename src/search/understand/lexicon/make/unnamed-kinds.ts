import { readPackage } from '../../../../core/read-package.ts';
import { SCHEMA_LANGUAGES, SCHEMA, type Translation } from './kinds.ts';

/** Kinds that are useful without a name of their own: the preset of the tagging schema and the English name. */
const KINDS: Readonly<Record<string, readonly [preset: string, english: string]>> = {
  toilets: ['amenity/toilets', 'Public toilet'],
  atm: ['amenity/atm', 'Cash machine'],
  fuel: ['amenity/fuel', 'Fuel station'],
  viewpoint: ['tourism/viewpoint', 'Viewpoint'],
  pharmacy: ['amenity/pharmacy', 'Pharmacy'],
  drinking_water: ['amenity/drinking_water', 'Drinking water'],
  parking: ['amenity/parking', 'Car park'],
  motorcycle_parking: ['amenity/motorcycle_parking', 'Motorcycle parking'],
  bicycle_parking: ['amenity/bicycle_parking', 'Bicycle parking'],
  bicycle_rental: ['amenity/bicycle_rental', 'Bicycle rental'],
  bicycle_repair_station: ['amenity/bicycle_repair_station', 'Bicycle repair station'],
  charging_station: ['amenity/charging_station', 'Charging station'],
  car_sharing: ['amenity/car_sharing', 'Car sharing station'],
  taxi: ['amenity/taxi', 'Taxi stand'],
  post_box: ['amenity/post_box', 'Post box'],
  post_office: ['amenity/post_office', 'Post office'],
  bank: ['amenity/bank', 'Bank'],
  currency_exchange: ['amenity/bureau_de_change', 'Currency exchange'],
  shower: ['amenity/shower', 'Shower'],
  luggage_storage: ['amenity/luggage_locker', 'Luggage lockers'],
  playground: ['leisure/playground', 'Playground'],
  picnic_site: ['tourism/picnic_site', 'Picnic site'],
};

/** Language tags of the schema that differ from those of names. */
const TAGS: Readonly<Record<string, string>> = { 'zh-CN': 'zh-Hans', 'zh-TW': 'zh-Hant' };

/** Returns the names of these kinds by language tag, as JSON. */
export function unnamedKinds(): string {
  const names: Record<string, Record<string, string>> = {};
  for (const [kind, [, english]] of Object.entries(KINDS)) names[kind] = { en: english };
  for (const language of SCHEMA_LANGUAGES) {
    if (language.startsWith('en')) continue;
    const file = readPackage(`${SCHEMA}/translations/${language}.min.json`) as Record<
      string,
      { presets: Translation }
    >;
    const presets = file[language]?.presets.presets ?? {};
    for (const [kind, [preset]] of Object.entries(KINDS)) {
      const name = plainName(presets[preset]?.name ?? '', language);
      if (name !== '') (names[kind] ??= {})[TAGS[language] ?? language] = name;
    }
  }
  return `${JSON.stringify(names, null, 2)}\n`;
}

/** Returns the first of several names, without remarks in brackets. */
function plainName(text: string, language: string): string {
  const [first = ''] = text.replace(/[(（].*?[)）]/g, '').split(/[/,・]/);
  const name = first.trim();
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
}
