import { ENGLISH, type VenueLanguage } from '../language/venue-language.ts';
import { TERM_NAMES, type KnownTerms, type Money, type TermName } from './table-terms.ts';

/** The known terms, one sentence each, in a language. */
export function termSentences(terms: KnownTerms, language: VenueLanguage = ENGLISH): string[] {
  return TERM_NAMES.flatMap((name) => sentenceOf(name, terms, language) ?? []);
}

function sentenceOf(name: TermName, terms: KnownTerms, language: VenueLanguage): string | undefined {
  const { text } = language;
  switch (name) {
    case 'deposit':
    case 'minimum_spend': {
      const sum = terms[name]?.value;
      if (sum === undefined) return undefined;
      if (sum.amount_minor === 0)
        return text(name === 'deposit' ? 'terms.noDeposit' : 'terms.noMinimumSpend');
      return text(`terms.${name}`, { money: moneyWords(sum, language), per: sum.per });
    }
    case 'service_charge_pct': {
      const percent = terms[name]?.value;
      if (percent === 0) return text('terms.noServiceCharge');
      return percent === undefined ? undefined : text('terms.service_charge_pct', { percent });
    }
    case 'cancellation_hours': {
      const hours = terms[name]?.value;
      return hours === undefined ? undefined : text('terms.cancellation_hours', { hours });
    }
    case 'hold_minutes': {
      const minutes = terms[name]?.value;
      return minutes === undefined ? undefined : text('terms.hold_minutes', { minutes });
    }
    case 'children_from_age': {
      const age = terms[name]?.value;
      if (age === 0) return text('terms.allAges');
      return age === undefined ? undefined : text('terms.children_from_age', { age });
    }
    case 'dress_code': {
      const dress = terms[name]?.value;
      return dress === undefined ? undefined : text('terms.dress_code', { dress });
    }
  }
}

/** An amount with its currency, as a language writes it; without a part below the unit where there is none. */
function moneyWords({ amount_minor, currency }: Money, { locale }: VenueLanguage): string {
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    trailingZeroDisplay: 'stripIfInteger',
  });
  return format.format(amount_minor / 10 ** minorDigits(currency)).replace(/[\u00a0\u202f]/g, ' ');
}

/** How many decimals a currency has, such as 2 for EUR and 0 for JPY. */
export function minorDigits(currency: string): number {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.resolvedOptions().maximumFractionDigits ?? 2;
}
