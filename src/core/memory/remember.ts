/**
 * Remembers what a function made of the texts that it met last. For texts that most callers repeat, such as headers;
 * the number is bounded, because a caller may also send a new one every time.
 */
export function remember<Result>(compute: (text: string) => Result, max: number): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const result = compute(text);
    if (known.size >= max) known.clear();
    // A long text is rather worked out again than kept.
    if (text.length <= TEXT_MAX) known.set(text, result);
    return result;
  };
}

const TEXT_MAX = 512;
