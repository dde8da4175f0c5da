import { latinWords } from './latin-words.ts';
import { placeKinds } from './place-kind.ts';

export function categoryWords(categories: readonly string[]): string[] {
  return categories.flatMap(latinWords);
}

/** True when both categories have a kind, and no kind in common. */
export function kindsClash(a: string, b: string): boolean {
  const kindsA = placeKinds(latinWords(a));
  const kindsB = placeKinds(latinWords(b));
  return kindsA.size > 0 && kindsB.size > 0 && kindsA.isDisjointFrom(kindsB);
}
