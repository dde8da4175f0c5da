import type { PlaceCard } from '../../directory/place/place-fields.ts';
import type { Hit } from '../../search/query/hit.ts';

/** A place that may be part of an answer. */
export interface AnswerCandidate {
  card: PlaceCard;
  hit: Hit;
  /** Distance from the landmark or the middle of the requested area. */
  metres: number | undefined;
  /** True when it is open at the requested time only by hours that are too old to be verified. */
  byOldHours?: boolean;
}

/** Returns every name of a place: on its sign, in other languages, in Latin letters. */
export function candidateNames({ place }: Hit, card: PlaceCard): string[] {
  return [card.name, ...Object.values(place.allNames(card)), place.latinName ?? ''].filter(Boolean);
}

const NAME_MAX = 80;
/** Markup, URLs and control characters do not belong in a name. They are usually aimed at programs. */
const UNSAFE = /[<>{}[\]`|\\^~*#]|:\/\/|www\.|@|\p{Cc}|\p{Cf}|\p{Co}|\p{Zl}|\p{Zp}/iu;

/** True when a stored text can be used in a sentence unchanged. */
export function isSafeText(text: string): boolean {
  return text.length > 0 && text.length <= NAME_MAX && text.trim() === text && !UNSAFE.test(text);
}

/** Rejects names that read as instructions (prompt injection). */
const INSTRUCTIONS =
  /\b(ignore|disregard|forget|override)\b.*\b(instruction|instructions|previous|above|prompt|rules?)\b|\b(system|assistant|user)\s*:|\byou (are|must|should|will)\b|\b(say|tell|answer|reply|respond|write|book|call|visit|click)\b .*\b(that|with|now|them|this|only)\b/i;

export function isName(text: string): boolean {
  return isSafeText(text) && !INSTRUCTIONS.test(text);
}
