const STOP = new Set(
  'a an the of in on at to for and or by it its is are be with from one this that what which where how we our your as'.split(
    ' ',
  ),
);

/** The words of a text that carry meaning, without their endings. */
export function wordsOf(text: string): string[] {
  return flat(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !STOP.has(word))
    .map(stem);
}

export function flat(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

function stem(word: string): string {
  if (word.length <= 4) return word;
  const base = word.replace(/(ations?|ings?|ions?|ies|es|ed|s|y|e)$/, '');
  return base.length < 3 ? word : base;
}

/** Whether every word of the first text stands in the second. */
export function mentions(text: string, words: string): boolean {
  const there = new Set(wordsOf(text));
  const wanted = wordsOf(words);
  return wanted.length > 0 && wanted.every((word) => there.has(word));
}

/** How many letters have to change to make one word of the other. */
export function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

const NEAR_SHARE = 0.34;

/** Finds the text's nearest spelling of a name that the text does not contain exactly. */
export function nearest(said: string, text: string): string | undefined {
  const wanted = flat(said);
  const offers = text.match(/[\p{Lu}\p{L}][\p{L}'’.-]*(?: [\p{Lu}][\p{L}'’.-]*)*/gu) ?? [];
  const near = offers
    .map((offer) => ({ offer: offer.replace(/[.,]$/, ''), far: distance(flat(offer), wanted) }))
    .filter(({ far }) => far > 0 && far <= Math.max(1, wanted.length * NEAR_SHARE))
    .sort((a, b) => a.far - b.far);
  return near[0]?.offer;
}
