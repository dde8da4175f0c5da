import type { Db } from '../core/postgres/db.ts';

export interface Limit {
  /** What is counted, with the account or address it is counted for. */
  name: string;
  max: number;
  windowMs: number;
}

export interface Taken {
  allowed: boolean;
  remaining: number;
  resetsInSeconds: number;
}

/** Takes one from a fixed window, exactly, whatever node asks. A refused take leaves the count as it is. */
export async function takeFromWindow(db: Db, limit: Limit, now: Date): Promise<Taken> {
  const startMs = Math.floor(now.getTime() / limit.windowMs) * limit.windowMs;
  const endMs = startMs + limit.windowMs;
  const [row] = await db<{ used: string }[]>`
    insert into rate_window as w (name, starts_at, ends_at, used, ceiling)
    values (${limit.name}, ${new Date(startMs)}, ${new Date(endMs)}, 1, ${limit.max})
    on conflict (name, starts_at) do update set used = w.used + 1 where w.used < ${limit.max}
    returning used`;
  const resetsInSeconds = Math.max(1, Math.ceil((endMs - now.getTime()) / 1000));
  if (row === undefined) return { allowed: false, remaining: 0, resetsInSeconds };
  return { allowed: true, remaining: limit.max - Number(row.used), resetsInSeconds };
}

export async function forgetPastWindows(db: Db, now: Date): Promise<void> {
  await db`delete from rate_window where ends_at < ${now}`;
}
