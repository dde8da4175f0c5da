import type pg from 'pg';

const CONNECT_TIMEOUT_MS = 10_000;
/** A connection that was lost without a word is noticed by this where no answer is waited for. */
const KEEP_ALIVE_MS = 60_000;

/** What the client takes these for today, with a warning that it will not for ever: the server proves who it is. */
const CHECKED_TLS = ['prefer', 'require', 'verify-ca'];

/** What the address may not set. */
const OURS = [
  'statement_timeout',
  'query_timeout',
  'lock_timeout',
  'idle_in_transaction_session_timeout',
  'application_name',
];

/** How a client of ours reaches the database. What the address sets does not take the place of what we set. */
export function clientOptions(url: string, { name }: { name: string }): pg.ClientConfig {
  const [address = '', query] = url.split(/\?(.*)/s);
  const given = new URLSearchParams(query);
  for (const ours of OURS) given.delete(ours);
  if (!given.has('uselibpqcompat') && CHECKED_TLS.includes(given.get('sslmode') ?? ''))
    given.set('sslmode', 'verify-full');
  return {
    connectionString: given.size === 0 ? address : `${address}?${given.toString()}`,
    application_name: name,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  };
}

/**
 * By these the server notices within a minute that a node is gone without a word, with its machine or its network. Until then
 * nobody gets the locks of its transactions; by itself a server may wait for two hours.
 */
const NOTICE_LOSS =
  'set tcp_keepalives_idle = 20; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3';
/** The same where an answer is on its way. It takes whoever reads slowly for lost, as a backup on a slow disk may. */
const NOTICE_LOST_ANSWER = 'set tcp_user_timeout = 50000';

/**
 * A transaction that says nothing for so long is that of a client that is gone, and the server ends it with all its locks. A
 * proxy in between answers keepalives for a node that is not there any more. While a node runs, none of its transactions
 * is quiet for so long (`Connection.beat`).
 */
const CLIENT_GONE_MS = 10_000;
/** The same for what may run for ever, such as an import: it may work hard for a while, and nobody waits for it. */
const PATIENT_CLIENT_GONE_MS = 60_000;

/** How long the server waits for the next statement of a transaction. */
export function clientGoneMs(statementTimeoutMs: number): number {
  return statementTimeoutMs > 0 ? CLIENT_GONE_MS : PATIENT_CLIENT_GONE_MS;
}

/** What a session of ours begins with. A pooler would refuse it among the parameters of the start. */
export function sessionSettings(statementTimeoutMs: number, readOnly: boolean, lockTimeoutMs = 0): string {
  return [
    `set statement_timeout = ${statementTimeoutMs}`,
    `set idle_in_transaction_session_timeout = ${clientGoneMs(statementTimeoutMs)}`,
    ...(lockTimeoutMs > 0 ? [`set lock_timeout = ${lockTimeoutMs}`] : []),
    NOTICE_LOSS,
    ...(statementTimeoutMs > 0 ? [NOTICE_LOST_ANSWER] : []),
    // PostgreSQL itself then refuses whatever would write.
    ...(readOnly ? ['set default_transaction_read_only = on'] : []),
  ].join('; ');
}
