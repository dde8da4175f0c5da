import { kindNameIn } from '../../../../directory/kind-names/kind-names.ts';
import { sentenceCase } from '../../frame/wording.ts';
import type { AreaLanguage } from './area-language.ts';

/** Kinds that a catalogue of the area names. */
const KINDS = ['restaurant', 'cafe', 'bar', 'nightclub', 'hotel', 'guesthouse', 'hostel', 'spa'] as const;

/** Names the kind of a place in a language; null where there is no name in it. */
export function kindText({ category }: { category: string }, { code, area }: AreaLanguage): string | null {
  const kind = KINDS.find((one) => one === category);
  if (kind !== undefined) return area(`kind.${kind}`);
  const name = code === 'en' ? category : kindNameIn(code, category);
  return name === undefined ? null : sentenceCase(name);
}
