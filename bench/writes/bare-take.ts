import type { Db } from '../../src/core/postgres/db.ts';

/** Takes one from a ceiling as a bare client does. */
export function takeBare(sql: Db, name: string, windowMs: number, now: Date) {
  const startMs = Math.floor(now.getTime() / windowMs) * windowMs;
  return sql`
    insert into rate_window as w (kind, name, starts_at, ends_at, used, ceiling)
    values ('ceiling', ${name}, ${new Date(startMs)}, ${new Date(startMs + windowMs)}, 1, 1000000)
    on conflict (kind, name, starts_at) do update set used = w.used + 1 where w.used < 1000000 returning used`;
}
