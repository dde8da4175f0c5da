import { fold } from '../../../../core/text/fold.ts';

/** Where something is, from the smallest to the largest, each name once: "Roppongi, Roppongi" says no more than one. */
export function whereabouts(parts: readonly (string | null)[]): string[] {
  const seen = new Set<string>();
  return parts.filter((part): part is string => {
    if (part === null) return false;
    const name = fold(part);
    if (name === '' || seen.has(name)) return false;
    // A street address may name its area and its city itself.
    for (const piece of [part, ...part.split(',')]) seen.add(fold(piece));
    return true;
  });
}
