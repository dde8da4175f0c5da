import type { Actor, Deps } from '../../core/context.ts';
import { AppError } from '../../core/errors.ts';
import { andThen, type NowOrLater } from '../../core/memory/now-or-later.ts';
import { agentRead, windowHeaders, type Quota } from '../../metering/metered-call.ts';
import { NOTHING_LEFT, REMAINING } from '../http/answer-headers.ts';
import type { ExchangeReply } from '../http/exchange.ts';

/** Takes one read of the agent's quota and gives the headers that tell what is left; over a ceiling it is 429. */
export function takeRead(deps: Deps, actor: Actor, now: Date): NowOrLater<Record<string, string>> {
  if (actor.kind !== 'agent') return {};
  return andThen(deps.meter.take(agentRead(actor, now)), takenHeaders);
}

/** Gives the day's read back for an answer that costs none. The minute keeps it. */
export async function giveReadBack(deps: Deps, actor: Actor, now: Date): Promise<void> {
  if (actor.kind === 'agent') await deps.meter.giveBack(agentRead(actor, now));
}

function takenHeaders(quota: Quota): Record<string, string> {
  if (quota.refusedBy === undefined) return quotaHeaders(quota);
  const daily = quota.refusedBy === 'daily';
  const resetsInSeconds = quota.windows[daily ? 0 : 1]?.resetsInSeconds ?? 1;
  throw new AppError(
    daily ? 'daily_quota_exhausted' : 'rate_limited',
    daily
      ? "Today's reads are used up. The quota starts anew at 00:00 UTC."
      : 'Too many reads in this minute.',
    {
      hint: daily ? 'A larger plan has more reads a day.' : 'Wait as long as Retry-After says.',
      retryAfterSeconds: resetsInSeconds,
      violatedPolicies: [quota.refusedBy],
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
  if (actor?.kind !== 'agent') return NOTHING_LEFT;
  return quotaHeaders(await deps.meter.peek(agentRead(actor, now)));
}

/** What a failed read tells of the quota: what its error says, which may have cost one, or what is left without it. */
export async function failedReadHeaders(
  deps: Deps,
  actor: Actor | undefined,
  thrown: unknown,
): Promise<Record<string, string>> {
  const own = thrown instanceof AppError ? thrown.headers : {};
  if (REMAINING in own) return own;
  try {
    return await readHeaders(deps, actor, deps.clock.now());
  } catch {
    // The database that cannot be asked is most likely what failed, and that is what the caller must hear.
    return {};
  }
}

/** Adds the reads that are left to a reply of the agent surface that does not say so, because it costs none. */
export function withRemaining(
  deps: Deps,
  actor: Actor | undefined,
  reply: ExchangeReply,
): NowOrLater<ExchangeReply> {
  if (REMAINING in reply.headers) return reply;
  const add = (left: Record<string, string>) => {
    const remaining = left[REMAINING] ?? NOTHING_LEFT[REMAINING];
    return { ...reply, headers: { ...reply.headers, [REMAINING]: remaining } };
  };
  if (actor?.kind !== 'agent') return add(NOTHING_LEFT);
  return failedReadHeaders(deps, actor, undefined).then(add);
}

function quotaHeaders({ windows }: Quota): Record<string, string> {
  return { [REMAINING]: String(windows[0].remaining), ...windowHeaders(windows) };
}

/** The quota as a model reads it, which sees no headers. */
export function quotaOf(headers: Record<string, string>): { remaining: number } | undefined {
  const remaining = headers[REMAINING];
  return remaining === undefined ? undefined : { remaining: Number(remaining) };
}
