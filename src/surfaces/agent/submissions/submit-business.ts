import { z } from 'zod';
import { warningSchema } from '../../../core/input/warning.ts';
import { defineOperation } from '../../../core/operation.ts';
import { businessFields } from '../../../submissions/business-fields.ts';
import { DRY_RUN, dryRunText, READ_FAILURES, submissionAnswer } from '../../../submissions/store-revision.ts';
import { submitBusiness } from '../../../submissions/submit-business.ts';
import { agentOf } from '../account/calling-agent.ts';
import { quoteUntrusted, joinFacts, joinLines } from '../../../core/text/tool-text.ts';
import { agentWriteTool } from '../agent-tool.ts';

const output = z.object({
  submission_id: z.string().nullable().describe('Keep it. null after a dry run.'),
  external_ref: z.string().nullable(),
  warnings: z.array(warningSchema),
  possible_duplicates: z
    .array(z.object({ place_id: z.string(), name: z.string(), distance_m: z.int().nullable() }))
    .describe('Possible duplicates; a reviewer checks them.'),
  ...submissionAnswer,
});

export const submitBusinessForAgents = defineOperation({
  name: 'submit_business',
  title: 'Submit a business',
  description:
    'Adds a real business (relationship, name, country, city required) or updates yours by external_ref or submission_id: absent fields stay, null clears. Agents never invent a business: a key that does is revoked. Free; a person reviews it.',
  tag: 'submissions',
  ...agentWriteTool,
  containsUntrustedText: true,
  acts: ['overwrites', 'reaches_out'],
  rest: { method: 'POST', path: '/api/agent/business', status: 201 },
  input: businessFields,
  output,
  failures: [
    'submission_not_found',
    'business_mismatch',
    'idempotency_in_progress',
    'write_burst',
    ...READ_FAILURES,
  ],
  example: {
    input: {
      relationship: 'owner',
      external_ref: 'warung-senja',
      name: 'Warung Senja',
      vertical: 'restaurant',
      country: 'ID',
      city: 'Bali',
      address: 'Jalan Pantai 7, Jimbaran',
      website: 'https://warung-senja.example',
      description: 'Grilled fish on the beach.',
      hours: { 'mon-sat': '11:00-22:00', sun: 'closed' },
    },
    output: {
      submission_id: 'sub_01kdtqb00071qz6sbs7e2vkqza',
      status: 'pending_review',
      action: 'created',
      revision: 1,
      external_ref: 'warung-senja',
      warnings: [],
      possible_duplicates: [
        { place_id: 'plc_01kdtqb00071qz6sbs7e2vkqza', name: 'Warung Senja', distance_m: null },
      ],
      review: { expected_by: '2026-11-16T12:00:00.000Z' },
      dry_run: false,
    },
  },
  dryRun: {
    example: {
      ...DRY_RUN,
      submission_id: null,
      action: 'would_create',
      external_ref: 'warung-senja',
      warnings: [],
      possible_duplicates: [],
    },
  },
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
