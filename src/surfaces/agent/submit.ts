import { z } from 'zod';
import { warningSchema } from '../../core/input/warning.ts';
import { defineOperation } from '../../core/operation.ts';
import { businessFields } from '../../submissions/business-fields.ts';
import { dryRunText, READ_FAILURES, submissionAnswer } from '../../submissions/store-revision.ts';
import { submitBusiness } from '../../submissions/submit-business.ts';
import { joinFacts, joinLines, labelled, quoteUntrusted } from '../../core/text/tool-text.ts';
import { agentOf, agentWriteTool } from './agent-tool.ts';
import { promoFields } from '../../submissions/promo-fields.ts';
import { submitPromo } from '../../submissions/submit-promo.ts';
import examples from './examples.json' with { type: 'json' };

const submitTool = {
  tag: 'submissions',
  ...agentWriteTool,
  containsUntrustedText: false,
  acts: ['overwrites', 'reaches_out'],
} as const;

export const submitBusinessForAgents = defineOperation({
  name: 'submit_business',
  title: 'Submit a business',
  description:
    'Adds a real business (relationship, name, country, city required) or updates yours by external_ref or submission_id: absent fields stay, null clears. Agents never invent a business: a key that does is revoked. Free; a person reviews it.',
  ...submitTool,
  containsUntrustedText: true,
  rest: { method: 'POST', path: '/api/agent/business', status: 201 },
  input: businessFields,
  output: z.object({
    submission_id: z.string().nullable().describe('Keep it. null after a dry run.'),
    external_ref: z.string().nullable(),
    warnings: z.array(warningSchema),
    possible_duplicates: z
      .array(z.object({ place_id: z.string(), name: z.string(), distance_m: z.int().nullable() }))
      .describe('Possible duplicates; a reviewer checks them.'),
    ...submissionAnswer,
  }),
  failures: [
    'submission_not_found',
    'business_mismatch',
    'idempotency_in_progress',
    'write_burst',
    ...READ_FAILURES,
  ],
  example: examples.submit_business,
  dryRun: { example: examples.submit_business.dry_run },
  receivers: ['callback_url'],
  run: (ctx, input) => submitBusiness(ctx, agentOf(ctx.actor), input),
  summarize({ submission_id, action, revision, review, possible_duplicates: duplicates }) {
    const what =
      review === null
        ? dryRunText(action)
        : `${submission_id} ${action}, revision ${revision}. A person reviews it, expected by ${review.expected_by}.`;
    return joinLines(
      what,
      ...duplicates.map(
        ({ place_id, name, distance_m }) =>
          `It may be ${joinFacts(`${quoteUntrusted(name)} (${place_id})`, distance_m !== null && `${distance_m} m away`)}`,
      ),
    );
  },
});

export const submitPromoForAgents = defineOperation({
  name: 'submit_promo',
  title: 'Submit a promotion',
  description:
    'A promotion, special, event or ad of your business, or update by promo_ref. Free; a person reviews it. Shown with the business.',
  ...submitTool,
  rest: { method: 'POST', path: '/api/agent/promo', status: 201 },
  input: promoFields,
  output: z.object({
    promo_id: z.string().nullable().describe('Keep it. null after a dry run.'),
    submission_id: z.string().describe('The business that it belongs to.'),
    promo_ref: z.string().nullable(),
    starts_at: z.string().nullable().describe('UTC.'),
    expires_at: z.string().nullable().describe('ends_at in UTC; from then on its status is expired.'),
    warnings: z.array(warningSchema),
    ...submissionAnswer,
  }),
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
