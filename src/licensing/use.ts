import { z } from 'zod';
import { usdField } from '../core/text/money.ts';
import { closedSet } from '../core/input/closed-set.ts';
import sets from './sets.json' with { type: 'json' };

export const useSet = closedSet('Use', sets.Use);
export const USES = useSet.values;
export type Use = (typeof USES)[number];

export const useSchema = useSet.schema;

const durationSet = closedSet('LicenceDuration', sets.LicenceDuration);

export const termsSchema = z.object({
  scope: z.string().describe('What the licence allows, in full.'),
  duration: durationSet.schema,
  exclusive: z.literal(false).describe('Others may license the same photo.'),
  attribution_required: z.literal(true).describe('Show the attribution line beside the photo.'),
  revocable: z.literal(false),
});
export type Terms = z.output<typeof termsSchema>;

const SCOPES: Record<Use, Pick<Terms, 'scope' | 'duration'>> = {
  social: { scope: 'One post on social accounts that you or your client control.', duration: 'one post' },
  web: { scope: 'One website or listing page, for as long as it runs.', duration: 'while it runs' },
  ad: {
    scope: 'One paid campaign on any channel, for up to 12 months from the day of the licence.',
    duration: '12 months',
  },
  ai_training: {
    scope: 'Training, evaluation or fine-tuning data for models that you operate.',
    duration: 'models you operate',
  },
};

/** Terms of a licence for a use. It is not exclusive, requires the attribution and cannot be revoked. */
export function licenceTerms(use: Use): Terms {
  return { ...SCOPES[use], exclusive: false, attribution_required: true, revocable: false };
}

/** Expiry of a licence: a campaign runs for at most 12 months, the other uses do not expire. */
export function endOf(use: Use, licensedAt: Date): Date | null {
  if (use !== 'ad') return null;
  const end = new Date(licensedAt);
  end.setUTCFullYear(end.getUTCFullYear() + 1);
  return end;
}

/** A use of a photo with its price, as quotes and licences name it. */
export function pricedUse(meaning: string) {
  return { photo_id: z.string(), use: useSchema, price_cents: z.int().describe(meaning), currency: usdField };
}
