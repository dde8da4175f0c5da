/** Jaro-Winkler similarity of two words, 0 to 1: tolerant of a typo, strict at the beginning. */
export function wordSimilarity(a: string, b: string): number {
  if (a === b) return 1;
  const jaro = jaroSimilarity(a, b);
  let prefix = 0;
  while (prefix < 4 && prefix < a.length && a[prefix] === b[prefix]) prefix++;
  return jaro + prefix * 0.1 * (1 - jaro);
}

function jaroSimilarity(a: string, b: string): number {
  const reach = Math.max(0, Math.floor(Math.max(a.length, b.length) / 2) - 1);
  const matched = new Array<boolean>(b.length).fill(false);
  const commonA: string[] = [];
  for (let i = 0; i < a.length; i++) {
    const end = Math.min(b.length, i + reach + 1);
    for (let j = Math.max(0, i - reach); j < end; j++) {
      if (matched[j] !== true && a[i] === b[j]) {
        matched[j] = true;
        commonA.push(b.charAt(j));
        break;
      }
    }
  }
  if (commonA.length === 0) return 0;
  const commonB = matched.flatMap((used, j) => (used ? [b.charAt(j)] : []));
  const swapped = commonA.filter((letter, i) => letter !== commonB[i]).length / 2;
  const m = commonA.length;
  return (m / a.length + m / b.length + (m - swapped) / m) / 3;
}

/** Dice similarity of letter pairs, 0 to 1, independent of word boundaries. */
export function letterPairSimilarity(a: string, b: string): number {
  if (a === b) return 1;
  return share(2 * sharedPairs(a, b), pairCount(a) + pairCount(b));
}

/** Share of the shorter text's letter pairs that the longer one contains, 0 to 1. */
export function letterPairOverlap(a: string, b: string): number {
  return share(sharedPairs(a, b), Math.min(pairCount(a), pairCount(b)));
}

function sharedPairs(a: string, b: string): number {
  const pairs = new Map<string, number>();
  for (let i = 0; i + 1 < a.length; i++) {
    const pair = a.slice(i, i + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  let shared = 0;
  for (let i = 0; i + 1 < b.length; i++) {
    const pair = b.slice(i, i + 2);
    const remaining = pairs.get(pair) ?? 0;
    if (remaining > 0) shared++;
    pairs.set(pair, remaining - 1);
  }
  return shared;
}

function pairCount(text: string): number {
  return Math.max(0, text.length - 1);
}

function share(part: number, total: number): number {
  return total === 0 ? 0 : part / total;
}
