import type { Languages } from '../../core/text/languages.ts';
import { nameInWords, chooseDisplayName, type NamesByLanguage, type DisplayName } from './place-names.ts';

/** First members of every place in an answer: its id, its name, and its names where there are several. */
interface EmbeddedName {
  name: string;
  names: NamesByLanguage | undefined;
  /** Start and end of the name in the text. */
  from: number;
  to: number;
}

const NAME = '"name":';
const NAMES = ',"names":{';

/**
 * Reads the name from the JSON text of an answer. Quotes inside a JSON string are escaped, so that the unescaped
 * markers are unambiguous.
 */
function readEmbeddedName(text: string): EmbeddedName {
  const from = text.indexOf(NAME) + NAME.length;
  const to = text.indexOf('","', from) + 1;
  const names = text.startsWith(NAMES, to)
    ? (JSON.parse(text.slice(to + NAMES.length - 1, text.indexOf('"},"', to) + 2)) as NamesByLanguage)
    : undefined;
  return { name: JSON.parse(text.slice(from, to)) as string, names, from, to };
}

/** The reader of an answer. */
export interface NameReader {
  languages: Languages;
  country: string;
  /** Names that are not in the answer itself. */
  more?: (names: NamesByLanguage) => NamesByLanguage;
}

function chooseName({ name, names }: EmbeddedName, { languages, country, more }: NameReader): DisplayName {
  if (names === undefined) return { name, local: undefined, isRequestedLanguage: false };
  return chooseDisplayName({ name, names: { ...more?.(names), ...names }, country }, languages);
}

/** Replaces the name in the text of a place by the one to show; the name on the sign becomes `local_name`. */
export function withLocalizedName(text: string, reader: NameReader): string {
  const embedded = readEmbeddedName(text);
  const { name, local } = chooseName(embedded, reader);
  if (local === undefined) return text;
  return `${text.slice(0, embedded.from)}${JSON.stringify(name)},"local_name":${JSON.stringify(local)}${text.slice(embedded.to)}`;
}

/** Name of a place for use in a sentence. */
export function localizedName(text: string, reader: NameReader | undefined): string {
  const embedded = readEmbeddedName(text);
  return reader === undefined ? embedded.name : nameInWords(chooseName(embedded, reader));
}
