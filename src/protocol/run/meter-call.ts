import type { Actor, Deps } from '../../core/context.ts';
import { AppError } from '../../core/errors.ts';
import { andThen, type MaybePromise } from '../../core/memory/maybe-promise.ts';
import { partnerCall, unkeyedCall, windowHeaders, type Quota } from '../../metering/metered-call.ts';
import type { Tool } from '../mcp/tool.ts';
import { UNKEYED_CALLS } from '../../metering/plans.ts';

export function takeCall(
  deps: Deps,
  actor: Actor,
  session: string | undefined,
  { listing: { name: tool }, price }: Pick<Tool, 'listing' | 'price'>,
  now: Date,
): MaybePromise<Record<string, string>> {
  const call =
    actor.kind === 'partner'
      ? partnerCall(actor, { tool, price }, now)
      : unkeyedCall(session, actor.address, now);
  return andThen(deps.meter.take(call), (quota) => {
    if (quota.refusedBy === undefined) return windowHeaders(quota.windows);
    const error = refusal(deps, quota);
    deps.metrics.toolCalls.labels({ surface: 'partner', tool, outcome: error.code }).inc();
    throw error;
  });
}

type Words = readonly [message: string, hint: string];

function wordsOf(refusedBy: Quota['refusedBy'], baseUrl: string): Words {
  const key = `Wait for the time in Retry-After, or get a key with POST /api/partner/signup.`;
  switch (refusedBy) {
    case 'unkeyed':
      return [`Without a key there are ${UNKEYED_CALLS.per_minute} calls in a minute.`, key];
    case 'address':
      return ['Too many calls without a key came from this address within a minute.', key];
    case 'month':
      return [
        'The calls included in the plan are used up. They reset on the first of the month, 00:00 UTC.',
        `A person can switch pay-per-call on at ${baseUrl}/partner, or ask for a larger plan.`,
      ];
    case 'spend':
      return [
        'The spend limit for calls beyond the allowance is reached. Nothing was charged for this one.',
        `A person can raise the limit at ${baseUrl}/partner; it resets on the first of the month, 00:00 UTC.`,
      ];
    default:
      return ['Too many calls within a minute.', 'Wait for the time in Retry-After. A larger plan has more.'];
  }
}

function refusal(deps: Deps, quota: Quota): AppError {
  const [message, hint] = wordsOf(quota.refusedBy, deps.config.baseUrl);
  const monthly = quota.refusedBy === 'month' || quota.refusedBy === 'spend';
  const policy = monthly ? 'month' : (quota.refusedBy ?? 'minute');
  const exhausted = quota.windows.find(({ name }) => name === policy);
  return new AppError(monthly ? 'monthly_quota_exhausted' : 'rate_limited', message, {
    hint,
    retryAfterSeconds: exhausted?.resetsInSeconds ?? 60,
    violatedPolicies: [policy],
    headers: windowHeaders(quota.windows),
  });
}
