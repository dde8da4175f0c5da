import { z } from 'zod';
import { agentPlanSet } from './plans.ts';
import type { Window } from './metered-call.ts';
import { DAY_MS } from '../core/time.ts';

export const planSchema = z.object({
  name: agentPlanSet.word,
  price_cents: z.int().describe('US cents a month.'),
  reads_per_day: z.int(),
  reads_per_minute: z.int(),
  beta: z.boolean(),
});

export const quotaSchema = z.object({
  date: z.string().describe('The UTC day counted.'),
  limit: z.int(),
  used: z.int(),
  remaining: z.int(),
  resets_at: z.string(),
});

export function quotaAnswer(
  now: Date,
  { limit, remaining }: Pick<Window, 'limit' | 'remaining'>,
): z.infer<typeof quotaSchema> {
  return {
    date: now.toISOString().slice(0, 10),
    limit,
    used: limit - remaining,
    remaining,
    resets_at: `${nextMidnight(now).toISOString().slice(0, 10)}T00:00:00Z`,
  };
}

export function nextMidnight(now: Date): Date {
  return new Date((Math.floor(now.getTime() / DAY_MS) + 1) * DAY_MS);
}
