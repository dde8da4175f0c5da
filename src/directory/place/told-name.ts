import type { Languages } from '../../core/text/languages.ts';
import { nameInWords, showName, type Names, type ShownName } from './place-names.ts';

/** The members with which every place begins in an answer: its id, its name, and its names where there are several. */
interface Told {
  name: string;
  names: Names | undefined;
  /** Where the text of the name begins and ends. */
  from: number;
  to: number;
}

const NAME = '"name":';
const NAMES = ',"names":{';

/** Reads the name off the text of an answer. Inside a JSON string no quote stands bare, so the marks are found by it. */
function readTold(text: string): Told {
  const from = text.indexOf(NAME) + NAME.length;
  const to = text.indexOf('","', from) + 1;
  const names = text.startsWith(NAMES, to)
    ? (JSON.parse(text.slice(to + NAMES.length - 1, text.indexOf('"},"', to) + 2)) as Names)
    : undefined;
  return { name: JSON.parse(text.slice(from, to)) as string, names, from, to };
}

/** For whom an answer is written. */
export interface Reader {
  languages: Languages;
  country: string;
  /** Names that do not stand in the answer itself. */
  more?: (told: Names) => Names;
}

function shownOf({ name, names }: Told, { languages, country, more }: Reader): ShownName {
  if (names === undefined) return { name, local: undefined, wanted: false };
  return showName({ name, names: { ...more?.(names), ...names }, country }, languages);
}

/** The text of a place in which the name is the one to be shown; the name on the sign is then `local_name`. */
export function withShownName(text: string, reader: Reader): string {
  const told = readTold(text);
  const { name, local } = shownOf(told, reader);
  if (local === undefined) return text;
  return `${text.slice(0, told.from)}${JSON.stringify(name)},"local_name":${JSON.stringify(local)}${text.slice(told.to)}`;
}

/** The name of a place as a sentence has it. */
export function spokenName(text: string, reader: Reader | undefined): string {
  const told = readTold(text);
  return reader === undefined ? told.name : nameInWords(shownOf(told, reader));
}
