import { z } from 'zod';
import { closedSet } from './closed-set.ts';

const warningCodeSet = closedSet('WarningCode', {
  unknown_field: 'We do not know this field and ignored it.',
  other_name: 'We took this field for the one that you meant.',
  limit_capped: 'It was above the maximum; we used the maximum.',
  hidden_text_removed: 'We removed characters that nobody can see.',
  claim_unsourced: 'The description claims an award or a rating without a source.',
  hours_not_understood: 'We could not read the hours; nobody is told that it is open or closed.',
  outside_destinations: 'It lies in none of our destinations.',
  callback_unresolved: 'The host name of callback_url cannot be resolved now.',
  webhook_unresolved: 'The host name of your webhook cannot be resolved now.',
  idempotency_key_missing: 'If you repeat this call, you buy again.',
});

/** Informs the caller of input that was accepted but not as the caller may expect. */
export const warningSchema = z.object({
  code: warningCodeSet.schema,
  pointer: z.string().describe('JSON pointer into what you sent.'),
  detail: z.string().optional(),
});

export type Warning = z.infer<typeof warningSchema>;
