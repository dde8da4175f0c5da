import { createHash } from 'node:crypto';

export interface RetryPlan {
  waitsMs: readonly number[];
  giveUpAfterMs: number;
}

interface Failed {
  id: string;
  attempts: number;
  startedAt: Date;
  now: Date;
  atLeastMs?: number | undefined;
}

const SPREAD_FROM_MS = 60_000;
const SPREAD = 0.1;

/** Returns the delay after a failure; undefined when that was the last attempt. */
export function nextWaitMs(plan: RetryPlan, failed: Failed): number | undefined {
  const { attempts, startedAt, now, id, atLeastMs = 0 } = failed;
  const leftMs = startedAt.getTime() + plan.giveUpAfterMs - now.getTime();
  if (leftMs <= 0) return undefined;
  const wait = plan.waitsMs[attempts - 1];
  if (wait === undefined) return leftMs;
  return Math.min(Math.max(wait * spread(wait, `${id}/${attempts}`), atLeastMs), leftMs);
}

/** Returns a factor between 0.9 and 1.1 that is deterministic for the same attempt. */
function spread(waitMs: number, name: string): number {
  if (waitMs <= SPREAD_FROM_MS) return 1;
  const share = createHash('sha256').update(name).digest().readUInt32BE() / 2 ** 32;
  return 1 - SPREAD + 2 * SPREAD * share;
}
