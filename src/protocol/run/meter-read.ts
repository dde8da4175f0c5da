import type { Actor, Deps } from '../../core/context.ts';
import { AppError } from '../../core/errors.ts';
import { andThen, orElse, type MaybePromise } from '../../core/memory/maybe-promise.ts';
import { agentRead, windowHeaders, type Quota } from '../../metering/metered-call.ts';
import { NOTHING_LEFT, REMAINING } from '../http/answer-headers.ts';
import type { ExchangeReply } from '../http/exchange.ts';

export function takeRead(deps: Deps, actor: Actor, now: Date): MaybePromise<Record<string, string>> {
  if (actor.kind !== 'agent') return {};
  return andThen(deps.meter.take(agentRead(actor, now)), takenHeaders);
}

/** Returns the read to the daily quota for a response that costs none. The per-minute count keeps it. */
async function giveReadBack(deps: Deps, actor: Actor, now: Date): Promise<void> {
  if (actor.kind === 'agent') await deps.meter.giveBack(agentRead(actor, now));
}

function takenHeaders(quota: Quota): Record<string, string> {
  if (quota.refusedBy === undefined) return quotaHeaders(quota);
  const daily = quota.refusedBy === 'daily';
  const resetsInSeconds = quota.windows.find(({ name }) => name === quota.refusedBy)?.resetsInSeconds ?? 1;
  throw new AppError(
    daily ? 'daily_quota_exhausted' : 'rate_limited',
    daily ? "Today's reads are used up. The quota resets at 00:00 UTC." : 'Too many reads within a minute.',
    {
      hint: daily ? 'A larger plan has more reads a day.' : 'Wait for the time in Retry-After.',
      retryAfterSeconds: resetsInSeconds,
      violatedPolicies: [quota.refusedBy],
      headers: quotaHeaders(quota),
    },
  );
}

async function readHeaders(deps: Deps, actor: Actor | undefined, now: Date): Promise<Record<string, string>> {
  if (actor?.kind !== 'agent') return NOTHING_LEFT;
  return quotaHeaders(await deps.meter.peek(agentRead(actor, now)));
}

/** Returns the quota headers of a failed read: those of an error that cost a read, else the current ones. */
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
    // If the database cannot be queried, it is most likely what failed, and the caller must get that error.
    return {};
  }
}

/** Adds the remaining reads to a response of the agent surface that does not state them, because it costs none. */
export function withRemaining(
  deps: Deps,
  actor: Actor | undefined,
  reply: ExchangeReply,
): MaybePromise<ExchangeReply> {
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

export function remainingOf(headers: Record<string, string>): { remaining: number } | undefined {
  const remaining = headers[REMAINING];
  return remaining === undefined ? undefined : { remaining: Number(remaining) };
}

interface CountedAnswer {
  status: number;
  headers?: Record<string, string>;
}

/** Counts one read before any work. A response that costs nothing returns it to the daily quota. */
export function withinQuota<Answer extends CountedAnswer>(
  deps: Deps,
  actor: Actor,
  now: Date,
  find: () => MaybePromise<Answer>,
): MaybePromise<Answer> {
  const giveBack = () =>
    giveReadBack(deps, actor, now).catch((error: unknown) =>
      deps.log.warn({ err: error }, 'a read could not be refunded'),
    );
  // A 304 costs no read. If the quota cannot be read again, the headers still count this one.
  const answerFreely = async (answer: Answer): Promise<Answer> => {
    await giveBack();
    const headers = await readHeaders(deps, actor, now).catch(() => answer.headers ?? {});
    return { ...answer, headers };
  };
  return andThen(takeRead(deps, actor, now), (quota) =>
    orElse(
      () =>
        andThen(find(), (answer) => {
          const counted = { ...answer, headers: { ...answer.headers, ...quota } };
          return answer.status === 304 ? answerFreely(counted) : counted;
        }),
      async (thrown) => {
        // A 404 is an answer too; any other error costs nothing.
        if (thrown instanceof AppError && thrown.status === 404) Object.assign(thrown.headers, quota);
        else await giveBack();
        throw thrown;
      },
    ),
  );
}
