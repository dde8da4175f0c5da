import { plainPhone } from '../core/text/e164.ts';
import type { BusinessInput } from './business-fields.ts';
import type { PromoInput } from './promo-fields.ts';
import type { BusinessContent, PromoContent } from './submission.ts';

/** Defaults for fields that a submission omits. */
export const EMPTY_BUSINESS: Omit<BusinessContent, 'relationship' | 'name' | 'country' | 'city'> = {
  vertical: null,
  address: null,
  lat: null,
  lng: null,
  phone: null,
  email: null,
  website: null,
  description: null,
  languages: [],
  price_range: null,
  hours: null,
  claims: [],
  callback_url: null,
};

const EMPTY_PROMO: Omit<PromoContent, 'title'> = {
  kind: 'promo',
  detail: null,
  terms: null,
  starts_at: null,
  ends_at: null,
  discount_pct: null,
};

/** Removes absent fields and empty texts, which leave the stored value unchanged. null clears a field. */
function withoutOmitted<T extends object>(input: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(input).filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

/** Applies an input to the content before it. For a new business, required fields may still be missing. */
export function mergeBusiness(
  before: BusinessContent | undefined,
  input: BusinessInput,
): Partial<BusinessContent> {
  const { external_ref: _ref, submission_id: _id, dry_run: _dry, ...fields } = input;
  const changes = withoutOmitted(fields);
  const merged = { ...EMPTY_BUSINESS, ...before, ...changes };
  return {
    ...merged,
    languages: [...new Set((merged.languages ?? []).flatMap((tag) => Intl.getCanonicalLocales(tag)))],
    claims: merged.claims ?? [],
    // The syntax was validated with the other fields; only a text or an object of days reaches this point.
    hours: (typeof merged.hours === 'string'
      ? merged.hours.trim()
      : merged.hours) as BusinessContent['hours'],
    ...(typeof changes.phone === 'string' ? { phone: plainPhone(changes.phone) } : {}),
  };
}

export function mergePromo(before: PromoContent | undefined, input: PromoInput): Partial<PromoContent> {
  const { submission_id: _id, external_ref: _ref, promo_ref: _promo, dry_run: _dry, ...fields } = input;
  const merged = { ...EMPTY_PROMO, ...before, ...withoutOmitted(fields) };
  return {
    ...merged,
    kind: merged.kind ?? 'promo',
    starts_at: utc(merged.starts_at),
    ends_at: utc(merged.ends_at),
  };
}

function utc(time: string | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
