import { fold } from '../../../../core/text/fold.ts';

/** Returns location names from smallest to largest without duplicates: "Roppongi, Roppongi" becomes "Roppongi". */
export function locationParts(parts: readonly (string | null)[]): string[] {
  const seen = new Set<string>();
  return parts.filter((part): part is string => {
    if (part === null) return false;
    const name = fold(part);
    if (name === '' || seen.has(name)) return false;
    // A street address may already contain its area and its city.
    for (const piece of [part, ...part.split(',')]) seen.add(fold(piece));
    return true;
  });
}
