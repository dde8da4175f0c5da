import { z } from 'zod';
import { neededMember } from '../core/input/needed-member.ts';
import { line, text } from '../core/text/text.ts';
import { isDay, isStorableDate } from '../core/time.ts';
import { ownReference } from './business-fields.ts';
import { promoKindSet } from '../directory/sets/place-sets.ts';

const RFC_3339 =
  /^(\d{4}-\d{2}-\d{2})[Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/;

/** A time with its zone. A date alone is refused, because its time zone is unknown. */
const moment = text(0, 40).refine((value) => value === '' || isMoment(value), {
  error: 'must be an RFC 3339 time with its zone, such as 2026-12-31T22:00:00Z',
});

function isMoment(value: string): boolean {
  const [, day = ''] = RFC_3339.exec(value) ?? [];
  return isDay(day) && isStorableDate(new Date(value));
}

export const promoFields = z
  .object({
    title: line(3, 140).optional().describe('In one line. Required for a new one.'),
    submission_id: text(0, 64).optional().describe('The business, by submission.'),
    external_ref: ownReference.optional().describe('The business, by your reference.'),
    promo_ref: ownReference.nullable().optional().describe('Your reference; a known one updates.'),
    kind: promoKindSet.schema.nullable().optional().describe('What it is (promo).'),
    detail: text(0, 2_000).nullable().optional().describe('What it is about.'),
    starts_at: moment.nullable().optional().describe('RFC 3339 with zone. Absent: at once.'),
    ends_at: moment.nullable().optional().describe('It then expires.'),
    discount_pct: z.int().min(0).max(90).nullable().optional().describe('Per cent, 0 to 90.'),
    terms: text(0, 2_000).nullable().optional().describe('Conditions.'),
    dry_run: z.boolean().optional().describe('true: only check, for one read.'),
  })
  .check(neededMember('title', ({ promo_ref, title }) => Boolean(promo_ref) || title !== undefined))
  // An update has its reference and the changed fields.
  .meta({ anyOf: [{ required: ['title'] }, { required: ['promo_ref'] }] });

export type PromoInput = z.output<typeof promoFields>;
