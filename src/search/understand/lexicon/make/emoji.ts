import { fold } from '../../../../core/text/fold.ts';
import { VocabularyDraft } from './draft.ts';
import { addSchemaWords } from './kinds.ts';
import { addOwnKinds } from './own-words.ts';
import { readPackage } from '../../../../core/read-package.ts';

interface Annotations {
  annotations: { annotations: Record<string, { default?: string[]; tts?: string[] }> };
}

/** Food and drink, buildings, and some others. */
const PLACES =
  /^[\u{1F32D}-\u{1F32F}\u{1F345}-\u{1F37F}\u{1F942}-\u{1F943}\u{1F950}-\u{1F96F}\u{1F9AA}\u{1F9C0}-\u{1F9CB}\u{1F3D5}-\u{1F3D6}\u{1F3DB}\u{1F3DE}-\u{1F3F0}\u{1F54C}-\u{1F54D}⛪⛩⛽☕🛕💊💈💇🎭🎬🎰🎡🏊🚉✈🚕🛍🛒💆🧖🗿🦞🦀🦐🎨🐠📚🥾⛺🚲]/u;
/** Keywords that are too general. */
const TOO_GENERAL = new Set(
  'food drink drinks eat eating dinner lunch restaurant breakfast bag building stay tea water view'.split(
    ' ',
  ),
);
const MEANINGS_MAX = 3;

/** Adds emoji of places and dishes by their English Unicode names, or else by their keywords. */
export function addEmoji(draft: VocabularyDraft): void {
  const english = new VocabularyDraft();
  addOwnKinds(english);
  addSchemaWords(english, ['en']);
  const kindsIn = (text: string): string[] =>
    TOO_GENERAL.has(text) ? [] : [...english.meaningsOf(fold(text))];
  const { annotations } = (
    readPackage('cldr-annotations-full/annotations/en/annotations.json') as Annotations
  ).annotations;
  for (const [emoji, { tts = [], default: keywords = [] }] of Object.entries(annotations)) {
    if (!PLACES.test(emoji)) continue;
    const named = tts.flatMap(kindsIn);
    const meanings =
      named.length > 0 ? named : [...new Set(keywords.flatMap(kindsIn))].slice(0, MEANINGS_MAX);
    for (const meaning of meanings) draft.addAsIs(meaning, emoji.replaceAll('\ufe0f', ''));
  }
}
