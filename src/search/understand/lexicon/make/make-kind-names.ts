import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPackage } from '../../../../core/read-package.ts';
import { kindMeaning, meaningOf, SCHEMA, type Preset, type Translation } from './kinds.ts';

const OWN_NAMES = join(import.meta.dirname, 'own-kind-names.tsv');

type Names = Record<string, string>;

/** Languages that capitalize common nouns in a list, but not in a sentence. */
const LOWER_FIRST = new Set(['fr', 'es', 'it', 'pt', 'nl', 'id']);

/** Makes the names of kinds and cuisines by language: our own, otherwise those of the map's tagging schema. */
export function makeKindNames(): Record<string, { kinds: Names; cuisines: Names }> {
  const [heading = '', ...lines] = readFileSync(OWN_NAMES, 'utf8').trimEnd().split('\n');
  const [, ...languages] = heading.split('\t');
  const own = lines.map((line) => line.split('\t'));
  const presets = readPackage(`${SCHEMA}/presets.min.json`) as Record<string, Preset>;
  return Object.fromEntries(
    languages.map((language, column) => {
      const file = readPackage(`${SCHEMA}/translations/${language}.min.json`) as Record<
        string,
        { presets: Translation }
      >;
      const translation = file[language]?.presets ?? {};
      const kinds: Names = Object.fromEntries(
        own.map(([kind = '', ...names]) => [kind, names[column] ?? '']),
      );
      for (const [id, { name = '' }] of Object.entries(translation.presets ?? {})) {
        const preset = presets[id];
        const kind = preset === undefined ? undefined : kindOfPreset(preset);
        const text = inSentence(name, language);
        if (kind !== undefined && text !== '') kinds[kind] ??= text;
      }
      const options = translation.fields?.['cuisine']?.options ?? {};
      const cuisines = Object.entries(options).map(([cuisine, title]): [string, string] => [
        cuisine,
        inSentence(typeof title === 'string' ? title : (title.title ?? ''), language),
      ]);
      return [language, { kinds: sorted(kinds), cuisines: sorted(Object.fromEntries(cuisines)) }];
    }),
  );
}

const KIND_MARK = kindMeaning('').charAt(0);

/** Returns the kind of a preset with a single tag. */
function kindOfPreset(preset: Preset): string | undefined {
  if (Object.keys(preset.tags).length !== 1) return undefined;
  const meaning = meaningOf(preset);
  return meaning?.startsWith(KIND_MARK) === true ? meaning.slice(KIND_MARK.length).split('>')[0] : undefined;
}

/** Returns the first of several names as it stands in a sentence; empty for a fragment such as "Lift-". */
function inSentence(name: string, language: string): string {
  const [first = ''] = name.replace(/\s*[(（].*?[)）]|\u00ad/g, '').split(/\s*[/／,、]\s*/);
  const text = first.trim();
  if (text.endsWith('-')) return '';
  return LOWER_FIRST.has(language) && !/^\p{Lu}{2}/u.test(text)
    ? text.charAt(0).toLowerCase() + text.slice(1)
    : text;
}

function sorted(names: Names): Names {
  const entries = Object.entries(names).filter(([, name]) => name !== '');
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
