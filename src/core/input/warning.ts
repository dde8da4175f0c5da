import { z } from 'zod';
import { closedSet } from './closed-set.ts';

const warningCodeSet = closedSet('WarningCode', {
  unknown_field: 'We do not know this field and ignored it.',
  other_name: 'This name was accepted as another name of a field.',
  limit_capped: 'It was above the maximum; we used the maximum.',
  hidden_text_removed: 'We removed invisible characters.',
  claim_unsourced: 'The description claims an award or a rating without a source.',
  hours_not_understood: 'The hours could not be parsed; it is shown as neither open nor closed.',
  outside_destinations: 'It is in none of our destinations.',
  callback_unresolved: 'The host name of callback_url cannot be resolved at the moment.',
  webhook_unresolved: 'The host name of your webhook cannot be resolved at the moment.',
  idempotency_key_missing: 'If you repeat this call, you buy a second licence.',
});

/** Informs the caller of input that was accepted but not as the caller may expect. */
export const warningSchema = z.object({
  code: warningCodeSet.schema,
  pointer: z.string().describe('JSON pointer into the request.'),
  detail: z.string().optional(),
});

export type Warning = z.infer<typeof warningSchema>;
