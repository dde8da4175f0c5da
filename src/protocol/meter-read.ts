import type { Actor, Deps } from '../core/context.ts';
import { AppError } from '../core/errors.ts';
import type { ReadQuota, Window } from '../metering/read-meter.ts';

/** Takes one read of the agent's quota and gives the headers that tell what is left; over a ceiling it is 429. */
export async function takeRead(deps: Deps, actor: Actor, now: Date): Promise<Record<string, string>> {
  if (actor.kind !== 'agent') return {};
  const quota = await deps.reads.take({ agentId: actor.id, plan: actor.plan, now });
  if (quota.refusedBy === undefined) return quotaHeaders(quota);
  const daily = quota.refusedBy === 'day';
  const { resetsInSeconds } = daily ? quota.day : quota.minute;
  throw new AppError(
    daily ? 'daily_quota_exhausted' : 'rate_limited',
    daily
      ? "Today's reads are used up. The quota starts anew at 00:00 UTC."
      : 'Too many reads in this minute.',
    {
      hint: daily ? 'A larger plan has more reads a day.' : 'Wait as long as Retry-After says.',
      retryAfterSeconds: resetsInSeconds,
      headers: quotaHeaders(quota),
    },
  );
}

/** The same headers for an answer that costs nothing. A caller that is not known has nothing left. */
export async function readHeaders(
  deps: Deps,
  actor: Actor | undefined,
  now: Date,
): Promise<Record<string, string>> {
  if (actor?.kind !== 'agent') return { 'x-ratelimit-remaining': '0' };
  return quotaHeaders(await deps.reads.peek({ agentId: actor.id, plan: actor.plan, now }));
}

function quotaHeaders({ day, minute }: ReadQuota): Record<string, string> {
  const left = (name: string, { remaining, resetsInSeconds }: Window) =>
    `"${name}";r=${remaining};t=${resetsInSeconds}`;
  return {
    'x-ratelimit-remaining': String(day.remaining),
    'ratelimit-policy': `"daily";q=${day.limit};w=86400, "minute";q=${minute.limit};w=60`,
    ratelimit: `${left('daily', day)}, ${left('minute', minute)}`,
  };
}
