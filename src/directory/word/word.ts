import { FIELDS, ORDER, type Field, type FieldValues, type Origin } from './field.ts';

/** What one speaker says of one field of a place. */
export interface Word<F extends Field = Field> {
  by: Origin;
  /** Which one of them: a map by its name, a submission by its id, `venue`, `staff`, `provider`. */
  ref: string;
  /** When it was said; of a map, when its people last looked. RFC 3339. */
  at: string;
  /** What stands behind it. */
  proof: Proof;
  /** Null: the venue says that it has none. */
  value: FieldValues[F] | null;
}

/**
 * Published: anybody can look it up. Reviewed: that person let it pass. Claim: the venue entered the code that went to
 * its contact. Acts: the venue says that this agent acts for it. Confirmed: the business said so when it was asked. Tap, call: the venue's answer to a question. Seen: a
 * member of staff wrote down what they saw.
 */
export type Proof =
  'published' | 'claim' | 'tap' | `${'reviewed' | 'confirmed' | 'acts' | 'call' | 'seen'}:${string}`;

/** By field: what everybody says, that first which is shown. A field that only the record's own source fills is absent. */
export type Words = { [F in Field]?: Word<F>[] };

/** Whose word of two that say the same it is: of those who know the venue without any agent. */
const TRUST: Readonly<Record<Origin, number>> = { owner: 0, map: 1, provider: 2, reviewer: 3, agent: 4 };

/** All words about one field, that first which is shown. */
export function inOrder<F extends Field>(field: F, words: readonly Word<F>[]): Word<F>[] {
  const { same, renewed } = FIELDS[field];
  const ranked = words.toSorted((a, b) => rank(a) - rank(b) || newestFirst(a, b));
  const [first] = ranked;
  if (first === undefined || renewed === true) return ranked;
  const [shown = first] = ranked
    .filter(({ value }) => isSame(same, value, first.value))
    .sort((a, b) => TRUST[a.by] - TRUST[b.by]);
  return [shown, ...ranked.filter((word) => word !== shown)];
}

function isSame<Value>(same: (a: Value, b: Value) => boolean, a: Value | null, b: Value | null): boolean {
  return a === null || b === null ? a === b : same(a, b);
}

/** A page of which no platform is known is the last way in, whoever tells of it. */
function rank(word: Word): number {
  const { by, value } = word;
  const isWay = typeof value === 'object' && value !== null && 'booking_platform' in value;
  const unknown = by !== 'owner' && isWay && value.booking_platform === null;
  // An agent whom the business has confirmed comes right after staff; it is still no contact to ask the venue by.
  const position = isConfirmed(word) ? ORDER.indexOf('reviewer') + 0.5 : ORDER.indexOf(by);
  return position + (unknown ? ORDER.length : 0);
}

function isConfirmed({ by, proof }: Word): boolean {
  return by === 'agent' && proof.startsWith('confirmed:');
}

/** Of people who say different things the last one counts. Of two maps that which the record came from. */
function newestFirst(a: Word, b: Word): number {
  if (a.by === 'map' || a.by === 'provider') return 0;
  return Date.parse(b.at) - Date.parse(a.at) || (a.ref < b.ref ? -1 : 1);
}

/** The word by which a venue may be asked, and prove that it is the venue: published, or set by the venue itself. */
export function trusted<F extends Field>(words: readonly Word<F>[]): Word<F> | undefined {
  return words.find(({ by }) => by === 'owner' || by === 'map' || by === 'provider');
}

/** Whose word a field shows. */
export function shownBy({ words, source }: { words: Words; source: string }, field: Field): Origin {
  return words[field]?.[0]?.by ?? (source === 'submission' ? 'agent' : 'map');
}

/** The fields that an answer marks where only an agent fills them. */
export const MARKED_FIELDS = [
  'name',
  'address',
  'phone',
  'email',
  'website',
  'about',
  'hours',
] as const satisfies Field[];

/** The fields that only an agent's submission fills: nobody has published them, and the venue has not confirmed them. */
export function submittedFields(
  place: { words: Words; source: string } & { [F in (typeof MARKED_FIELDS)[number]]: FieldValues[F] | null },
): string[] {
  return MARKED_FIELDS.filter((field) => place[field] !== null && shownBy(place, field) === 'agent');
}

/** What a word says, for people to read; empty where it says that there is none. */
export function wordText({ value }: Word): string {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.join(', ');
  if ('text' in value) return value.text ?? '';
  if ('vertical' in value) return value.category;
  return [value.booking_method, value.booking_url].filter((part) => part !== null).join(', ');
}
