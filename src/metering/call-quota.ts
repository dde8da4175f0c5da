import { monthOf } from './month.ts';
import type { Window } from './read-meter.ts';

export const MINUTE_MS = 60_000;

/** What a taken or refused call leaves. */
export interface CallQuota {
  /** The name of the ceiling that refused the call; undefined when it was granted. */
  refusedBy: 'unkeyed' | 'address' | 'minute' | 'month' | 'spend' | undefined;
  windows: readonly (Window & { name: string; windowSeconds: number })[];
}

export function minuteOf(now: Date): number {
  return Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS;
}

// Nearly all calls of a batch are of the same minute.
export const minuteText = rememberLast((minuteMs) => new Date(minuteMs).toISOString());
export const monthText = rememberLast((minuteMs) => monthOf(new Date(minuteMs)));

function rememberLast(make: (minuteMs: number) => string): (minuteMs: number) => string {
  let last = { minuteMs: NaN, text: '' };
  return (minuteMs) => {
    if (last.minuteMs !== minuteMs) last = { minuteMs, text: make(minuteMs) };
    return last.text;
  };
}

/** One minute of calls, as the caller is told. */
export function minuteWindow(name: string, limit: number, used: number, startMs: number, now: Date) {
  return {
    name,
    limit,
    windowSeconds: 60,
    remaining: Math.max(0, limit - used),
    resetsInSeconds: Math.max(1, Math.ceil((startMs + MINUTE_MS - now.getTime()) / 1000)),
  };
}

const REMEMBERED_MAX = 50_000;

/**
 * The windows that were found full. Their counts only grow, so that whoever goes on asking is refused without the
 * database until the window ends.
 */
export class FullWindows {
  readonly #full = new Map<string, { startMs: number; limit: number }>();

  add(name: string, startMs: number, limit: number): void {
    if (this.#full.size >= REMEMBERED_MAX) this.#full.clear();
    this.#full.set(name, { startMs, limit });
  }

  /** A larger limit than the one that was reached is worth asking again. */
  has(name: string, startMs: number, limit: number): boolean {
    const full = this.#full.get(name);
    return full?.startMs === startMs && limit <= full.limit;
  }
}
