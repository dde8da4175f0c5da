import own from './words/own-words.json' with { type: 'json' };

const PLAIN = /^[a-z]+$/;

/** Single words for kinds of places, as candidates for spelling correction. */
export const KIND_WORDS: readonly string[] = [
  ...new Set(
    [own.kinds, own.cuisines].flatMap((entries) =>
      Object.entries(entries).flatMap(([kind, phrases]) => [kind, ...phrases.split('|')]),
    ),
  ),
].filter((word) => PLAIN.test(word));
