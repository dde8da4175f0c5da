import type { Seen } from '../host.ts';
import type { Wanted } from '../task.ts';

const ID = /\b([a-z]{3})_[0-9a-z]{26}\b/g;

/** Something that a result tells of, with an id and what stands beside it. */
export interface Item {
  id: string;
  about: string;
}

/** Whether an id can be one of these: the letters of its prefix stand in the word, in this order (plc in place). */
export function isIdOf(noun: string, id: string): boolean {
  let at = 0;
  for (const letter of id.slice(0, 3)) {
    at = noun.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

/** The items of this kind in a result, in order. */
export function itemsOf(seen: Seen, noun: string): Item[] {
  const items = seen.data === undefined ? inText(seen.view, noun) : inData(seen.data, noun);
  return items.filter(({ id }, at) => items.findIndex((other) => other.id === id) === at);
}

/** The smallest objects that hold such an id. Where one object holds another, both speak of it. */
function inData(data: unknown, noun: string): Item[] {
  if (Array.isArray(data)) return data.flatMap((one) => inData(one, noun));
  if (typeof data !== 'object' || data === null) return [];
  const own = Object.entries(data)
    .filter(([key]) => key === 'id' || key.endsWith('_id'))
    .flatMap(([, value]) =>
      typeof value === 'string' && /^[a-z]{3}_[0-9a-z]{26}$/.test(value) ? [value] : [],
    )
    .filter((id) => isIdOf(noun, id))
    .map((id) => ({ id, about: JSON.stringify(data) }));
  const inner = Object.values(data).flatMap((value) => inData(value, noun));
  if (own.length > 0) return [...own, ...inner];
  // An inner object may lack fields that stand around it, such as the name of the place beside an offer.
  return new Set(inner.map(({ id }) => id)).size === 1
    ? inner.map(({ id }) => ({ id, about: JSON.stringify(data) }))
    : inner;
}

function inText(text: string, noun: string): Item[] {
  const fitting = (part: string) => [...part.matchAll(ID)].map(([id]) => id).filter((id) => isIdOf(noun, id));
  const ids = new Set(fitting(text));
  if (ids.size === 1) return [...ids].map((id) => ({ id, about: text }));
  // An entry of a list begins at a mark or a number, or after an empty line; without either it is a line.
  const entries = text.split(/\n(?=\s*(?:[-*•]|\d+[.)])\s)|\n\s*\n/);
  const parts = entries.some((entry) => new Set(fitting(entry)).size > 1) ? text.split('\n') : entries;
  return parts.flatMap((part) => fitting(part).map((id) => ({ id, about: part })));
}

/** Patterns by which a reader recognises each kind of information. */
const TOLD: Readonly<Record<Wanted, RegExp>> = {
  phone: /\+\d[\d\s().-]{5,}\d/,
  link: /https?:\/\//,
  hours: /\d{1,2}:\d{2}"?\s*[-–,]\s*"?\d{1,2}:\d{2}|24\/7/,
  price: /\$\s?\d|\d\s?(?:usd|cents?|dollars?)\b|price\w*"?:?\s*"?\d/i,
  rating: /\b[0-5]\.\d\b/,
  menu: /\d[^]*\d[^]*\d/,
  status:
    /status|state|pending|sent|asking|offered|confirmed|declined|cancelled|requested|review|created|updated/i,
  channel: /channel|text|mail|phone|desk|page/i,
  id: /\b[a-z]{3}_\w{20,}/,
  reason: /reason|because|why|not\b/i,
  balance: /(?:balance|credit|left)[^]*\d/i,
};

/** Words by which a tool is known that tells such a thing. */
export const WORDS_FOR: Readonly<Record<Wanted, string>> = {
  phone: 'phone telephone contact',
  link: 'link page url',
  hours: 'hours',
  price: 'price quote',
  rating: 'rating reviews',
  menu: 'menu',
  status: 'status',
  channel: 'availability',
  id: '',
  reason: 'reason',
  balance: 'balance wallet',
};

/** Whether something wanted stands in a text. The sources of the data are no link that anybody asks for. */
export function tells(view: string, wanted: Wanted): boolean {
  return TOLD[wanted].test(withoutSources(view));
}

function withoutSources(view: string): string {
  if (!view.startsWith('{')) return ownLines(view);
  return view
    .replaceAll(/"attribution\w*":(?:"(?:[^"\\]|\\.)*"|\[[^\]]*\])/g, '')
    .replaceAll(/https?:\/\/[^\s")]*openstreetmap[^\s")]*/g, '');
}

function ownLines(text: string): string {
  return text
    .split('\n')
    .filter((line) => !/attribution|©|OpenStreetMap/i.test(line))
    .join('\n');
}

/** Whether a result says that there is nothing of the kind. */
export function isEmpty(seen: Seen): boolean {
  if (seen.error) return false;
  if (seen.data === undefined)
    return /\b(?:no|0|none|nothing)\b[^.\n]*\b(?:places?|photos?|match\w*|found|results?|destinations?|submissions?|bookings?)\b/i.test(
      seen.view.slice(0, 300),
    );
  const { data } = seen;
  if (typeof data !== 'object' || data === null) return false;
  // A record that has an id is there, whatever lists of it are empty.
  if (Object.keys(data).some((key) => key.endsWith('_id'))) return false;
  const lists = Object.entries(data).filter(
    ([key, value]) => Array.isArray(value) && !/^(?:attribution|warning)/.test(key),
  );
  return lists.length > 0 && lists.every(([, list]) => (list as unknown[]).length === 0);
}

/** The value of a name such as next_cursor, wherever it stands. */
export function valueOf(seen: Seen, name: string): string | undefined {
  return new RegExp(`${name}"?\\s*[:=]?\\s*[\`"']?([A-Za-z0-9_\\-.=]{8,})`, 'i').exec(seen.view)?.[1];
}

/** Whether an error says what to do about it. */
export function hasRemedy(view: string, names: readonly string[]): boolean {
  return (
    names.some((name) => new RegExp(`\\b${name}\\b`).test(view)) ||
    /\b(?:instead|try|use|give|leave|send|call|choose|ask|wait|did you mean|must be|should be|one of|such as|omit)\b/i.test(
      view,
    )
  );
}
