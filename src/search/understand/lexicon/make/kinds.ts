import { classify } from '../../../../import/categories.ts';
import { RELIGIOUS_KINDS } from '../kind-words.ts';
import own from '../own-words.json' with { type: 'json' };
import type { VocabularyDraft } from './draft.ts';
import { readPackage } from '../../../../core/read-package.ts';

/** Languages into which a good part of the tagging schema's presets is translated, and some widely spoken ones. */
export const SCHEMA_LANGUAGES =
  'en en-GB ar bg ca cs da de el es et eu fa fi fr gl he hi hr hu id is it ja kk ko lt lv mk ms nb nl no pl pt pt-BR ro ru sk sl sr sv th tr uk vi zh-CN zh-TW'.split(
    ' ',
  );
export const SCHEMA = '@openstreetmap/id-tagging-schema/dist';

export interface Preset {
  tags: Record<string, string>;
  searchable?: boolean;
}

interface Wording {
  name?: string;
  aliases?: string;
  terms?: string;
}

export interface Translation {
  presets?: Record<string, Wording>;
  fields?: Record<
    string,
    { label?: string; terms?: string; options?: Record<string, string | { title?: string }> }
  >;
}

const BROADER: Readonly<Record<string, string>> = own.broader;

/** Encodes a kind as a meaning. The broader kind applies when no place is of this one. */
export function kindMeaning(kind: string): string {
  const broader = BROADER[kind];
  return broader === undefined ? `k${kind}` : `k${kind}>${broader}`;
}

/** Tags that do not define the kind. */
const INCIDENTAL_TAGS = new Set('train subway light_rail bus tourism public_transport building'.split(' '));

/** Returns the meaning of a preset if it corresponds to exactly one of our kinds. */
export function meaningOf({ tags, searchable }: Preset): string | undefined {
  const entries = Object.entries(tags);
  if (searchable === false || entries.some(([, value]) => value === '*')) return undefined;
  const { cuisine, amenity, religion } = tags;
  if (cuisine !== undefined) return `c${cuisine}`;
  if (amenity === 'place_of_worship' && entries.length === 2 && religion !== undefined) {
    const kind = RELIGIOUS_KINDS[religion];
    return kind === undefined ? undefined : kindMeaning(kind);
  }
  const defining = entries.length === 1 ? entries : entries.filter(([key]) => !INCIDENTAL_TAGS.has(key));
  if (defining.length > 1) return undefined;
  const category = classify(new Map(entries))?.categories[0];
  return category === undefined || category === 'shop' ? undefined : kindMeaning(category);
}

/** Schema fields for facts, and the corresponding wishes. */
const WISH_FIELDS: Readonly<Record<string, string>> = {
  wheelchair: 'wheelchair',
  internet_access: 'wifi',
  outdoor_seating: 'outdoor_seating',
  delivery: 'delivery',
};

/** Adds names of kinds, cuisines and wishes from the map's tagging schema in each language. */
export function addSchemaWords(draft: VocabularyDraft, languages = SCHEMA_LANGUAGES): void {
  const presets = readPackage(`${SCHEMA}/presets.min.json`) as Record<string, Preset>;
  for (const language of languages) {
    const file = readPackage(`${SCHEMA}/translations/${language}.min.json`) as Record<
      string,
      { presets: Translation }
    >;
    const translation = file[language]?.presets ?? {};
    for (const [id, wording] of Object.entries(translation.presets ?? {})) {
      const preset = presets[id];
      const meaning = preset && meaningOf(preset);
      if (meaning !== undefined) addWording(draft, meaning, wording);
    }
    addFields(draft, translation);
  }
}

function addWording(draft: VocabularyDraft, meaning: string, { name, aliases, terms }: Wording): void {
  for (const text of [name, ...(aliases ?? '').split('\n')])
    for (const part of (text ?? '').split(/[/・]/)) draft.addForeign(meaning, part.replace(/\(.*\)/, ''));
  for (const text of (terms ?? '').split(',')) draft.addForeign(meaning, text, false);
}

function addFields(draft: VocabularyDraft, { fields = {} }: Translation): void {
  for (const [cuisine, title] of Object.entries(fields['cuisine']?.options ?? {}))
    draft.addForeign(`c${cuisine}`, textOf(title));
  for (const [diet, title] of Object.entries(fields['diet_multi']?.options ?? {}))
    if (diet in own.wishes) draft.addForeign(`f${diet}`, textOf(title));
  for (const [field, wish] of Object.entries(WISH_FIELDS)) {
    draft.addForeign(`f${wish}`, fields[field]?.label ?? '');
    for (const text of (fields[field]?.terms ?? '').split(',')) draft.addForeign(`f${wish}`, text, false);
  }
}

function textOf(title: string | { title?: string }): string {
  return typeof title === 'string' ? title : (title.title ?? '');
}
