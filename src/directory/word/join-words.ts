import { CONTACT_FIELDS, FIELD_NAMES, type Field } from './field.ts';
import { show, sourceOf, wordsAbout, type SpokenPlace } from './speak.ts';
import type { Word } from './word.ts';

/**
 * Two records of one place become one: of what was said of the other one, that which nobody of its kind said of the record
 * that stays. A contact that was published in either stays a published one. Of a record that has vanished from its map,
 * the map says nothing any more.
 */
export function joinWords(
  kept: SpokenPlace,
  gone: SpokenPlace,
  { vanished }: { vanished: boolean },
): SpokenPlace {
  return FIELD_NAMES.reduce((place, field) => {
    const words = wordsAbout(gone, field).filter(({ by }) => !vanished || by !== 'map');
    return joinWordsAbout(place, gone, field, words);
  }, kept);
}

function joinWordsAbout(
  kept: SpokenPlace,
  gone: SpokenPlace,
  field: Field,
  words: readonly Word[],
): SpokenPlace {
  const held = wordsAbout(kept, field);
  const added = words
    .filter(({ ref }) => ref === sourceOf(gone).ref || !held.some((word) => word.ref === ref))
    .filter(({ by }) => isContact(field) || !held.some((word) => word.by === by))
    .filter(({ by }) => by !== 'agent' || kept.badge !== 'claimed' || held.length === 0)
    .map((word) => renamed(word, gone));
  return added.length === 0 ? kept : show(kept, field, [...held, ...added]);
}

function isContact(field: Field): boolean {
  return CONTACT_FIELDS.some((contact) => contact === field);
}

/** The map that the other record came from goes on speaking of it, which must not pass for the map of the one that stays. */
function renamed<F extends Field>(word: Word<F>, gone: SpokenPlace): Word<F> {
  return word.ref === sourceOf(gone).ref && word.by === 'map'
    ? { ...word, ref: `${gone.source}:${gone.source_ref}` }
    : word;
}
