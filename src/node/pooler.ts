import type { Config } from '../config.ts';
import { connect } from '../core/postgres/db.ts';
import { UnfitDatabaseError } from './database-fault.ts';

/** Refuses a pooler that would lose notifications or lead elsewhere, before requests fail because of it. */
export async function refuseUnfitPooler(
  { databaseUrl = '', databaseDirectUrl }: Pick<Config, 'databaseUrl' | 'databaseDirectUrl'>,
  url: string,
): Promise<void> {
  if (await sharesSessions(url))
    throw new UnfitDatabaseError(
      databaseDirectUrl === undefined
        ? 'DATABASE_URL leads to a pooler in transaction mode. Set DATABASE_DIRECT_URL to the PostgreSQL server itself: nodes use it for notifications, migrations and jobs.'
        : 'DATABASE_DIRECT_URL leads to a pooler in transaction mode. It must lead to the PostgreSQL server itself.',
    );
  if (databaseDirectUrl !== undefined && (await identify(databaseUrl, true)) !== (await identify(url, false)))
    throw new UnfitDatabaseError('DATABASE_URL and DATABASE_DIRECT_URL lead to different databases.');
}

/** True when a second client is served by the session of the first, as behind a pooler in transaction mode. */
async function sharesSessions(url: string): Promise<boolean> {
  const [first, second] = [openOne(url, true), openOne(url, true)];
  try {
    const [one] = await first<{ pid: number }[]>`select pg_backend_pid() as pid`;
    return await second.begin(async (tx) => {
      const [other] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
      const [again] = await first<{ pid: number }[]>`select pg_backend_pid() as pid`;
      return other?.pid === one?.pid || again?.pid !== one?.pid;
    });
  } finally {
    await Promise.all([first.end(), second.end()]);
  }
}

/** Returns the name of a database and the start of its server. */
async function identify(url: string, isPooled: boolean): Promise<string> {
  const pool = openOne(url, isPooled);
  try {
    const [row] = await pool<{ identity: string }[]>`
      select concat(current_database(), ' ', pg_postmaster_start_time()) as identity`;
    return row?.identity ?? '';
  } finally {
    await pool.end();
  }
}

function openOne(url: string, isPooled: boolean) {
  return connect(url, { max: 1, statementTimeoutMs: 0, isPooled });
}
