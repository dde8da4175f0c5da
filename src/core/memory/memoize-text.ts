/**
 * Caches the results of a function by text. For texts that most callers repeat, such as headers. The size is bounded,
 * because a caller may also send a new text every time. A full cache is emptied rather than kept in LRU order: several
 * of these functions run for every row of a search, where the bookkeeping would cost more than a rare recomputation.
 */
export function memoizeText<Result>(
  compute: (text: string) => Result,
  max: number,
): (text: string) => Result {
  const cache = new Map<string, Result>();
  return (text) => {
    const cached = cache.get(text);
    if (cached !== undefined) return cached;
    const result = compute(text);
    if (cache.size >= max) cache.clear();
    // Long texts are recomputed rather than cached.
    if (text.length <= TEXT_MAX) cache.set(text, result);
    return result;
  };
}

const TEXT_MAX = 512;
