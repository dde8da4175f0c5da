import { z } from 'zod';
import { warningSchema } from '../../../core/input/warning.ts';
import { defineOperation } from '../../../core/operation.ts';
import { promoFields } from '../../../submissions/promo-fields.ts';
import { dryRunText, READ_FAILURES, submissionAnswer } from '../../../submissions/store-revision.ts';
import { submitPromo } from '../../../submissions/submit-promo.ts';
import { labelled, joinFacts } from '../../../core/text/tool-text.ts';
import { agentOf, agentWriteTool } from '../agent-tool.ts';
import examples from '../examples.json' with { type: 'json' };

const output = z.object({
  promo_id: z.string().nullable().describe('Keep it. null after a dry run.'),
  submission_id: z.string().describe('The business that it belongs to.'),
  promo_ref: z.string().nullable(),
  starts_at: z.string().nullable().describe('UTC.'),
  expires_at: z.string().nullable().describe('ends_at in UTC; from then on its status is expired.'),
  warnings: z.array(warningSchema),
  ...submissionAnswer,
});

export const submitPromoForAgents = defineOperation({
  name: 'submit_promo',
  title: 'Submit a promotion',
  description:
    'A promotion for a business of yours, or an update by promo_ref. Free; a person reviews it. Shown once the business is approved.',
  tag: 'submissions',
  ...agentWriteTool,
  containsUntrustedText: false,
  acts: ['overwrites', 'reaches_out'],
  rest: { method: 'POST', path: '/api/agent/promo', status: 201 },
  input: promoFields,
  output,
  failures: [
    'submission_not_found',
    'promo_needs_business',
    'unknown_business',
    'business_mismatch',
    'idempotency_in_progress',
    'write_burst',
    ...READ_FAILURES,
  ],
  example: examples.submit_promo,
  dryRun: { example: examples.submit_promo.dry_run },
  run: (ctx, input) => submitPromo(ctx, agentOf(ctx.actor), input),
  summarize({ promo_id, submission_id, action, revision, starts_at, expires_at, review }) {
    const what =
      review === null
        ? `${dryRunText(action)} It would belong to ${submission_id}.`
        : `${promo_id} ${action}, revision ${revision}. It belongs to ${submission_id}. A person reviews it, expected by ${review.expected_by}.`;
    return joinFacts(what, labelled('Starts', starts_at), labelled('Expires', expires_at));
  },
});
