import { writeFileSync } from 'node:fs';
import { BRANDS_FILE, WORDS_FILE } from '../vocabulary.ts';
import { brandLines } from './brands.ts';
import { VocabularyDraft } from './draft.ts';
import { addEmoji } from './emoji.ts';
import { addSchemaWords } from './kinds.ts';
import { KIND_NAMES_FILE } from '../../../../directory/kind-names/kind-names.ts';
import { UNNAMED_KINDS_FILE } from '../../../../directory/place/generated-name.ts';
import { makeKindNames } from './make-kind-names.ts';
import { addOwnWords } from './own-words.ts';
import { unnamedKinds } from './unnamed-kinds.ts';

/** Builds the vocabulary files from their sources, by path. */
export function makeVocabulary(): Map<string, string> {
  const draft = new VocabularyDraft();
  addOwnWords(draft);
  addSchemaWords(draft);
  addEmoji(draft);
  return new Map([
    [WORDS_FILE, `${draft.lines().join('\n')}\n`],
    [KIND_NAMES_FILE, `${JSON.stringify(makeKindNames(), null, 2)}\n`],
    [UNNAMED_KINDS_FILE, unnamedKinds()],
    [BRANDS_FILE, `${brandLines().join('\n')}\n`],
  ]);
}

if (import.meta.main) for (const [file, text] of makeVocabulary()) writeFileSync(file, text);
