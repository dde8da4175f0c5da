import { z } from 'zod';
import { defineOperation } from '../../core/operation.ts';
import { pageLimit } from '../../core/page-limit.ts';
import { ownReference } from '../../submissions/business-fields.ts';
import { listSubmissions } from '../../submissions/list-submissions.ts';
import { deliveryStateSet } from '../../delivery/delivery-state.ts';
import { badgeSet, promoKindSet } from '../../directory/sets/place-sets.ts';
import { verticalSet } from '../../directory/sets/vertical.ts';
import { reasonCodeSet } from '../../submissions/review/reason-codes.ts';
import {
  liveBlockedBySet,
  relationshipSet,
  submissionStatusSet,
  submissionTypeSet,
} from '../../submissions/submission.ts';
import { joinFacts, joinLines, labelled, quoteUntrusted } from '../../core/text/tool-text.ts';
import { agentOf, agentReadTool } from './agent-tool.ts';
import examples from './examples.json' with { type: 'json' };

const LIMIT_DEFAULT = 20;
const LIMIT_MAX = 100;
const OFFSET_MAX = 10_000;

const item = z.object({
  type: submissionTypeSet.schema,
  submission_id: z.string().describe('The business; of a promotion, the one that it belongs to.'),
  promo_id: z.string().optional(),
  external_ref: z.string().nullable(),
  promo_ref: z.string().nullable().optional(),
  name: z.string().nullable().optional(),
  relationship: relationshipSet.word.nullable().optional(),
  vertical: verticalSet.word.nullable().optional(),
  title: z.string().nullable().optional(),
  kind: promoKindSet.word.nullable().optional(),
  starts_at: z.string().nullable().optional(),
  ends_at: z.string().nullable().optional(),
  discount_pct: z.int().nullable().optional(),
  status: submissionStatusSet.schema,
  reason: z
    .object({ code: reasonCodeSet.word, text: z.string(), fix: z.string() })
    .nullable()
    .describe('Why it was rejected, and what to do about it.'),
  rejection_reason: z.string().nullable().describe('The text of reason, for simple clients.'),
  revision: z.int(),
  place_id: z.string().nullable().describe('Its place in the directory.'),
  live: z.boolean().describe('Whether travellers see it, possibly in an earlier revision.'),
  live_from: z.string().nullable().optional().describe('When an approved promotion starts.'),
  live_blocked_by: liveBlockedBySet.word.nullable().describe('What an approved one is waiting for.'),
  badge: badgeSet.word.nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  reviewed_at: z.string().nullable(),
  callback: z
    .object({
      url: z.string(),
      state: deliveryStateSet.schema,
      attempts: z.int(),
      last_http_status: z.int().nullable(),
    })
    .nullable(),
});

export const listSubmissionsForAgents = defineOperation({
  name: 'list_submissions',
  title: 'List submissions',
  description: 'Your submissions and their status, newest first. Free.',
  tag: 'submissions',
  ...agentReadTool,
  containsUntrustedText: true,
  rest: { method: 'GET', path: '/api/agent/submissions' },
  input: z.object({
    status: submissionStatusSet.schema.optional().describe('expired: promotions only.'),
    type: submissionTypeSet.schema.optional().describe('Only these.'),
    external_ref: ownReference.optional().describe('This business and its promotions.'),
    limit: pageLimit('How many', { standard: LIMIT_DEFAULT, max: LIMIT_MAX }),
    offset: z.int().min(0).max(OFFSET_MAX).optional().describe('How many to skip (0).'),
    cursor: z.string().min(1).max(300).optional().describe('next_cursor of the page before.'),
  }),
  output: z.object({
    items: z.array(item),
    total: z.int(),
    limit: z.int(),
    offset: z.int(),
    next_cursor: z.string().nullable(),
  }),
  failures: ['bad_cursor'],
  example: examples.list_submissions,
  run: (ctx, args) =>
    listSubmissions(ctx, agentOf(ctx.actor), {
      ...args,
      limit: args.limit ?? LIMIT_DEFAULT,
      offset: args.offset ?? 0,
    }),
  summarize({ items, total, next_cursor }) {
    if (total === 0) return 'No submission matches.';
    return joinLines(
      `${total} in all.`,
      ...items.map(submissionLine),
      next_cursor !== null && `More with cursor ${next_cursor}`,
    );
  },
});

function submissionLine(one: z.output<typeof item>): string {
  const { promo_id, submission_id, name, title, status, revision, reason, place_id, live_blocked_by } = one;
  return joinFacts(
    `${quoteUntrusted(name ?? title ?? '')} (${promo_id ?? submission_id})`,
    promo_id !== undefined && `of ${submission_id}`,
    labelled('ref', one.promo_ref ?? one.external_ref),
    `${status}, revision ${revision}`,
    reason !== null && `${reason.code}: ${quoteUntrusted(reason.text)} ${quoteUntrusted(reason.fix)}`,
    one.live && `live as ${place_id}`,
    labelled('blocked by', live_blocked_by),
    labelled('ends', one.ends_at),
  );
}
