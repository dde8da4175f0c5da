import { z } from 'zod';
import { TABLE_TERMS, type TermValues } from '../terms/table-terms.ts';
import { minorDigits } from '../terms/term-words.ts';
import { int64, type ServerBooking } from './booking-server-shapes.ts';

const MICRO_DIGITS = 6;

/** A price per table is the default of the protocol, which servers leave out. */
const depositShape = z.object({
  deposit: z.object({ price_micros: int64, currency_code: z.string().regex(/^[A-Z]{3}$/) }),
  deposit_type: z.enum(['FIXED_RATE_DEFAULT', 'PER_PERSON']).default('FIXED_RATE_DEFAULT'),
  min_advance_cancellation_sec: int64.optional(),
});

/** Reads the terms that a venue's system states with a booking. What cannot be expressed exactly is left out. */
export function statedTerms({ payment_information: payment }: ServerBooking): TermValues {
  const { data } = depositShape.safeParse(payment?.deposit);
  if (data === undefined) return {};
  const { deposit: price, deposit_type, min_advance_cancellation_sec: seconds = 0 } = data;
  const deposit = TABLE_TERMS.deposit.value.safeParse({
    amount_minor: price.price_micros / 10 ** (MICRO_DIGITS - minorDigits(price.currency_code)),
    currency: price.currency_code,
    per: deposit_type === 'PER_PERSON' ? 'person' : 'table',
  });
  const hours = TABLE_TERMS.cancellation_hours.value.safeParse(seconds / 3600);
  return {
    ...(deposit.success && { deposit: deposit.data }),
    ...(hours.success && { cancellation_hours: hours.data }),
  };
}
