import own from './own-words.json' with { type: 'json' };

/** Kinds of places of worship, by religion. */
export const RELIGIOUS_KINDS: Readonly<Record<string, string>> = own.religious_kinds;

/** Last words of compounds in languages that write them as one word, the longest first. */
export const COMPOUND_HEADS: readonly string[] = own.compound_heads
  .split('|')
  .sort((a, b) => b.length - a.length);

const PLAIN = /^[a-z]+$/;

/** Single words for kinds of places, as candidates for spelling correction. */
export const KIND_WORDS: readonly string[] = [
  ...new Set(
    [own.kinds, own.cuisines].flatMap((entries) =>
      Object.entries(entries).flatMap(([kind, phrases]) => [kind, ...phrases.split('|')]),
    ),
  ),
].filter((word) => PLAIN.test(word));
