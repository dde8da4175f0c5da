import { amountOf } from '../../core/text/money.ts';
import { choiceInput, moneyInput, type FormValues } from './form/fields.ts';

const LIMIT_MAX_CENTS = 10_000_000;

/** Fields for calls beyond the allowance, shared by the console and the pages of partners. */
export const payPerCallFields = {
  pay_per_call: choiceInput(
    [
      ['off', 'are refused'],
      ['on', 'are charged'],
    ],
    { label: 'Calls beyond the allowance' },
    'must be on or off',
  ),
  spend_limit_usd: moneyInput(
    { min: 0, max: LIMIT_MAX_CENTS },
    {
      label: 'Spend limit a month, in USD',
      hint: 'When it is reached, calls are refused until the next month.',
      required: true,
    },
  ),
};

/** Returns the settings that the form chooses. */
export function payPerCallOf({ pay_per_call, spend_limit_usd }: FormValues<typeof payPerCallFields>) {
  return { enabled: pay_per_call === 'on', spendLimitCents: spend_limit_usd };
}

/** Returns the current settings as values of the form. */
export function payPerCallValues(settings: { pay_per_call: boolean; spend_limit_cents: number }) {
  return {
    pay_per_call: settings.pay_per_call ? 'on' : 'off',
    spend_limit_usd: amountOf(settings.spend_limit_cents),
  };
}
