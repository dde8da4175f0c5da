import type pg from 'pg';

const CONNECT_TIMEOUT_MS = 10_000;
/** A connection that was lost without a word is noticed by this, and by nothing else. */
const KEEP_ALIVE_MS = 60_000;

interface Settings {
  name: string;
  statementTimeoutMs?: number;
  /** PostgreSQL itself then refuses whatever would write. */
  readOnly?: boolean;
}

/** How a client of ours reaches the database. What the address sets does not take the place of what we set. */
export function clientOptions(
  url: string,
  { name, statementTimeoutMs, readOnly }: Settings,
): pg.ClientConfig {
  const [address = '', query] = url.split(/\?(.*)/s);
  const given = new URLSearchParams(query);
  const options = given.get('options') ?? '';
  for (const ours of ['options', 'statement_timeout', 'application_name']) given.delete(ours);
  return {
    connectionString: given.size === 0 ? address : `${address}?${given.toString()}`,
    application_name: name,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    ...(statementTimeoutMs !== undefined && { statement_timeout: statementTimeoutMs }),
    options: readOnly === true ? `${options} -c default_transaction_read_only=on` : options,
  };
}
