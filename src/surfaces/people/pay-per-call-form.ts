import { z } from 'zod';
import { html, type Html } from '../../core/text/html.ts';
import { choiceField, moneyField } from './form/form-field.ts';
import { readFields, sumSchema } from './form/read-fields.ts';

const LIMIT_MAX_CENTS = 10_000_000;

const fields = z.object({
  pay_per_call: z.enum(['on', 'off'], 'must be on or off'),
  spend_limit_usd: sumSchema(0, LIMIT_MAX_CENTS),
});

export interface PayPerCall {
  enabled: boolean;
  spendLimitCents: number;
}

/** Reads whether calls past the allowance are charged, and the spend limit; or the errors by field. */
export function readPayPerCall(
  form: URLSearchParams,
): { ok: true; to: PayPerCall } | { ok: false; faults: Record<string, string> } {
  const read = readFields(form, fields, { money: ['spend_limit_usd'] });
  if (!read.ok) return read;
  const { pay_per_call, spend_limit_usd: spendLimitCents } = read.values;
  return { ok: true, to: { enabled: pay_per_call === 'on', spendLimitCents } };
}

/** Renders the two fields with the current settings, or with the submitted values and their errors. */
export function payPerCallFields(
  settings: { pay_per_call: boolean; spend_limit_cents: number },
  faults: Record<string, string> = {},
  sent?: URLSearchParams,
): Html {
  return html`${choiceField({
    name: 'pay_per_call',
    label: 'Calls beyond the allowance',
    value: sent?.get('pay_per_call') ?? (settings.pay_per_call ? 'on' : 'off'),
    fault: faults['pay_per_call'],
    choices: [
      ['off', 'are refused'],
      ['on', 'are charged'],
    ],
  })}
  ${moneyField({
    name: 'spend_limit_usd',
    label: 'Spend limit a month, in USD',
    hint: 'When it is reached, calls are refused until the next month.',
    required: true,
    value: sent?.get('spend_limit_usd') ?? undefined,
    cents: settings.spend_limit_cents,
    fault: faults['spend_limit_usd'],
  })}`;
}
