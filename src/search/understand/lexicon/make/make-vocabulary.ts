import { writeFileSync } from 'node:fs';
import { BRANDS_FILE, WORDS_FILE } from '../vocabulary.ts';
import { brandLines } from './brands.ts';
import { VocabularyDraft } from './draft.ts';
import { addEmoji } from './emoji.ts';
import { addSchemaWords } from './kinds.ts';
import { addOwnWords } from './own-words.ts';

/** Builds the vocabulary files from their sources, by path. */
export function makeVocabulary(): Map<string, string> {
  const draft = new VocabularyDraft();
  addOwnWords(draft);
  addSchemaWords(draft);
  addEmoji(draft);
  return new Map([
    [WORDS_FILE, `${draft.lines().join('\n')}\n`],
    [BRANDS_FILE, `${brandLines().join('\n')}\n`],
  ]);
}

if (import.meta.main) for (const [file, text] of makeVocabulary()) writeFileSync(file, text);
