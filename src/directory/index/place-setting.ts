import { remember } from '../../core/remember.ts';
import { wordsOf } from '../fold.ts';
import { categoryKey } from './synonyms.ts';

/** The tokens that the places of one area have in common. */
export interface PlaceSetting {
  tokens: string;
  /** The tokens of a kind of place there, each with a space before it. */
  kinds: (kind: string) => string;
}

/** Kinds of an area that are kept, and areas: nearly all places share theirs with many others. */
const KINDS_MAX = 2_000;
const SETTINGS_MAX = 5_000;

const settings = new Map<number, Map<string | null, Map<string | null, PlaceSetting>>>();
let kept = 0;

export function placeSetting(destination: number, area: string | null, city: string | null): PlaceSetting {
  const known = settings.get(destination)?.get(area)?.get(city);
  if (known !== undefined) return known;
  const setting = newSetting(String(destination), area, city);
  if (kept >= SETTINGS_MAX) {
    settings.clear();
    kept = 0;
  }
  const areas = inside(
    settings,
    destination,
    () => new Map<string | null, Map<string | null, PlaceSetting>>(),
  );
  inside(areas, area, () => new Map<string | null, PlaceSetting>()).set(city, setting);
  kept++;
  return setting;
}

function inside<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}

function newSetting(scope: string, area: string | null, city: string | null): PlaceSetting {
  const tokens = new Set([scope]);
  const areaToken = area === null ? undefined : `${scope}a_${categoryKey(area)}`;
  if (areaToken !== undefined) tokens.add(areaToken);
  for (const word of [area, city].flatMap((text) => (text === null ? [] : wordsOf(text))))
    tokens.add(`w_${word}`).add(`${scope}w_${word}`);
  const kinds = remember((kind) => {
    const key = categoryKey(kind);
    return ` k_${key} ${scope}k_${key}${areaToken === undefined ? '' : ` ${areaToken}_k_${key}`}`;
  }, KINDS_MAX);
  return { tokens: [...tokens].join(' '), kinds };
}
