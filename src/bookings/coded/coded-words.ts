import { ENGLISH, type VenueLanguage } from '../language/venue-language.ts';
import { timeWords } from '../table-words.ts';
import type { CodedMessage } from './coded-message.ts';

/** A coded message as a sentence in a language. */
export function codedSentence(
  { code, minutes, allergens, at }: Pick<CodedMessage, 'code' | 'minutes' | 'allergens' | 'at'>,
  language: VenueLanguage = ENGLISH,
): string {
  const { text } = language;
  switch (code) {
    case 'late':
      return text('coded.late', { minutes: minutes ?? 0 });
    case 'allergies':
      return text('coded.allergies', {
        list: (allergens ?? []).map((one) => text(`allergen.${one}`)).join(', '),
      });
    case 'step_free':
    case 'child_seat':
    case 'coming':
      return text(`coded.${code}`);
    case 'ready_later':
    case 'kitchen_closes':
      return `${text(`form.${code}`)} ${timeWords(at ?? '00:00', language)}`;
    case 'please_confirm':
      return text('form.please_confirm');
  }
}
