const TEXT_MAX = 512;

/** Caches results by their key. A full cache is emptied, without the bookkeeping of an LRU cache. */
export function memoize<Key, Result>(
  compute: (key: Key) => Result,
  max: number,
  isCached: (key: Key) => boolean = () => true,
): (key: Key) => Result {
  const cache = new Map<Key, Result>();
  return (key) => {
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const result = compute(key);
    if (cache.size >= max) cache.clear();
    if (isCached(key)) cache.set(key, result);
    return result;
  };
}

/** Caches results by their text. Long texts are recomputed rather than cached. */
export function memoizeText<Result>(compute: (text: string) => Result, max: number) {
  return memoize(compute, max, (text) => text.length <= TEXT_MAX);
}
