import { z } from 'zod';
import { html, type Html } from '../../core/text/html.ts';
import { choiceField, textField } from './form/form-field.ts';
import { readFields } from './form/read-fields.ts';

const LIMIT_MAX_USD = 100_000;
const SUM = /^(\d{1,6})(?:\.(\d{1,2}))?$/;

const fields = z.object({
  pay_per_call: z.enum(['on', 'off'], 'must be on or off'),
  spend_limit_usd: z
    .string()
    .trim()
    .refine(
      (text) => SUM.test(text) && Number(text) <= LIMIT_MAX_USD,
      `must be a sum such as 50 or 12.50, up to ${LIMIT_MAX_USD}`,
    ),
});

export interface PayPerCall {
  enabled: boolean;
  spendLimitCents: number;
}

/** Reads whether calls past the allowance are paid for, and up to which sum; or what is wrong, by field. */
export function readPayPerCall(
  form: URLSearchParams,
): { ok: true; to: PayPerCall } | { ok: false; faults: Record<string, string> } {
  const read = readFields(form, fields);
  if (!read.ok) return read;
  const [, dollars = '', cents = ''] = SUM.exec(read.values.spend_limit_usd) ?? [];
  const spendLimitCents = Number(dollars) * 100 + Number(cents.padEnd(2, '0'));
  return { ok: true, to: { enabled: read.values.pay_per_call === 'on', spendLimitCents } };
}

/** The two fields of the form: with what stands, or with what was sent and what is wrong with it. */
export function payPerCallFields(
  stands: { pay_per_call: boolean; spend_limit_cents: number },
  faults: Record<string, string> = {},
  sent?: URLSearchParams,
): Html {
  return html`${choiceField({
    name: 'pay_per_call',
    label: 'Calls past the allowance',
    value: sent?.get('pay_per_call') ?? (stands.pay_per_call ? 'on' : 'off'),
    fault: faults['pay_per_call'],
    choices: [
      ['off', 'are refused'],
      ['on', 'are paid for'],
    ],
  })}
  ${textField({
    name: 'spend_limit_usd',
    label: 'Spend limit a month, in USD',
    hint: 'When it is reached, calls are refused until the next month.',
    maxlength: 9,
    required: true,
    value: sent?.get('spend_limit_usd') ?? (stands.spend_limit_cents / 100).toFixed(2),
    fault: faults['spend_limit_usd'],
  })}`;
}
