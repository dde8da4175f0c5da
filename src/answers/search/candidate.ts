import type { z } from 'zod';
import type { cardSchema } from '../../search/card.ts';
import type { Hit } from '../../search/query/hit.ts';

export type Card = z.output<typeof cardSchema>;

/** A place that may be part of an answer. */
export interface Candidate {
  card: Card;
  hit: Hit;
  /** From the landmark or the middle of the area that was asked for. */
  metres: number | undefined;
}

const NAME_MAX = 80;
/** Markup, addresses and line breaks are no part of a name; whoever writes them there speaks to programs. */
const UNSPEAKABLE = /[<>{}[\]`|\\^~*#]|:\/\/|www\.|@|\p{Cc}|\p{Cf}|\p{Co}|\p{Zl}|\p{Zp}/iu;

/** Whether a stored text can stand in a sentence of ours as it is. */
export function isSpeakable(text: string): boolean {
  return text.length > 0 && text.length <= NAME_MAX && text.trim() === text && !UNSPEAKABLE.test(text);
}

/** A name that is a sentence to somebody is not spoken: a venue is called something, it does not give orders. */
const ORDERS =
  /\b(ignore|disregard|forget|override)\b.*\b(instruction|instructions|previous|above|prompt|rules?)\b|\b(system|assistant|user)\s*:|\byou (are|must|should|will)\b|\b(say|tell|answer|reply|respond|write|book|call|visit|click)\b .*\b(that|with|now|them|this|only)\b/i;

export function isName(text: string): boolean {
  return isSpeakable(text) && !ORDERS.test(text);
}
