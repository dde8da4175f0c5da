import type { Actor, Deps } from '../../core/context.ts';
import { AppError } from '../../core/errors.ts';
import { AGENT_WRITES } from '../../metering/plans.ts';
import { takeFromWindow } from '../../metering/rate-window.ts';

const WINDOWS = [
  { span: 'minute', max: AGENT_WRITES.per_minute, windowMs: 60_000 },
  { span: 'day', max: AGENT_WRITES.per_day, windowMs: 86_400_000 },
] as const;

/** Writes are free and no part of any plan; this only keeps an agent that runs wild from burying the reviewers. */
export async function takeWrite(deps: Deps, actor: Actor, now: Date): Promise<void> {
  if (actor.kind !== 'agent') return;
  for (const { span, max, windowMs } of WINDOWS) {
    const limit = { name: `writes-${span}/${actor.id}`, max, windowMs };
    const { allowed, resetsInSeconds } = await takeFromWindow(deps.pool, limit, now);
    if (allowed) continue;
    throw new AppError('write_burst', `More than ${max} writes came within a ${span}. Nothing was changed.`, {
      hint: 'Wait as long as Retry-After says.',
      retryAfterSeconds: resetsInSeconds,
    });
  }
}
