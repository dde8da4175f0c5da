import pg from 'pg';
import { clientOptions } from '../client-options.ts';
import { connectionError } from '../connection-error.ts';

/** Timeout of one probe before it is repeated over another connection. */
const ASKED_MS = 10_000;

// A backend that owes us an answer is active. One that is idle anyway has not even read what we sent: it was stopped.
const STUCK_SQL = `
  select pid from pg_stat_activity where pid = any($1) and usename = current_user
    and state <> 'active' and state_change < now() - interval '1 second'`;

/**
 * Probes the server over a separate connection. Returns the given backends that hang, or undefined when nothing
 * answered; a refusal counts as an answer.
 */
export async function probeServer(
  url: string,
  backends: readonly number[],
  reached: () => void,
): Promise<number[] | undefined> {
  const client = new pg.Client({
    ...clientOptions(url, { name: 'waypost pulse' }),
    connectionTimeoutMillis: ASKED_MS,
    query_timeout: ASKED_MS,
  });
  client.on('error', () => undefined);
  client.connection.on('connect', reached);
  try {
    await client.connect();
    const { rows } = await client.query<{ pid: number }>(STUCK_SQL, [backends]);
    return rows.map(({ pid }) => pid);
  } catch (thrown) {
    const { code } = connectionError(thrown as Error) as { code?: string };
    return code === 'CONNECT_TIMEOUT' ? undefined : [];
  } finally {
    client.connection.stream.destroy();
  }
}
