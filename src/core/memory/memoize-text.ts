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
