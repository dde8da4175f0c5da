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
  const [taken] = await takeFromWindows(db, [limit], now);
  if (taken === undefined) throw new Error('A window was not taken from.');
  return taken;
}

/** Takes one from each, in one statement. Rows are locked in one order everywhere, so that two never wait for each other. */
export async function takeFromWindows(db: Db, limits: readonly Limit[], now: Date): Promise<Taken[]> {
  const windows = limits.map(({ name, max, windowMs }) => {
    const startMs = Math.floor(now.getTime() / windowMs) * windowMs;
    return { name, max, startsAt: new Date(startMs), endsAt: new Date(startMs + windowMs) };
  });
  const rows = await db<{ name: string; used: string }[]>`
    insert into rate_window as w (name, starts_at, ends_at, used, ceiling)
    select name, starts_at, ends_at, 1, ceiling
    from unnest(${windows.map(({ name }) => name)}::text[], ${windows.map(({ startsAt }) => startsAt.toISOString())}::text[]::timestamptz[],
                ${windows.map(({ endsAt }) => endsAt.toISOString())}::text[]::timestamptz[],
                ${windows.map(({ max }) => max)}::int[])
      as asked (name, starts_at, ends_at, ceiling)
    order by name
    on conflict (name, starts_at) do update set used = w.used + 1 where w.used < excluded.ceiling
    returning name, used`;
  const used = new Map(rows.map((row) => [row.name, Number(row.used)]));
  return windows.map(({ name, max, endsAt }) => {
    const resetsInSeconds = Math.max(1, Math.ceil((endsAt.getTime() - now.getTime()) / 1000));
    const count = used.get(name);
    return {
      allowed: count !== undefined,
      remaining: count === undefined ? 0 : max - count,
      resetsInSeconds,
    };
  });
}

export async function forgetPastWindows(db: Db, now: Date): Promise<void> {
  await db`delete from rate_window where ends_at < ${now}`;
}
