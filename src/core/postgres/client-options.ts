import type pg from 'pg';
import { hasSeveralServers, urlToConnect } from './servers.ts';

const CONNECT_TIMEOUT_MS = 10_000;
/** Interval of TCP keepalives, which detect a silently lost connection while no answer is awaited. */
const KEEP_ALIVE_MS = 60_000;

/** The client treats these like verify-full but warns that this will change, so we set verify-full. */
const CHECKED_TLS = ['prefer', 'require', 'verify-ca'];

const OURS = [
  'statement_timeout',
  'query_timeout',
  'lock_timeout',
  'idle_in_transaction_session_timeout',
  'application_name',
  'target_session_attrs',
];

/**
 * Returns the options of one connection. With several servers they name the one that accepts writes at the moment;
 * with one, connecting may take as long as a statement, because a busy machine is slow and no other could answer.
 */
export function clientOptions(
  url: string,
  { name, statementTimeoutMs = 0 }: { name: string; statementTimeoutMs?: number },
): pg.ClientConfig {
  const [address = '', query] = urlToConnect(url).split(/\?(.*)/s);
  const parameters = new URLSearchParams(query);
  for (const ours of OURS) parameters.delete(ours);
  if (!parameters.has('uselibpqcompat') && CHECKED_TLS.includes(parameters.get('sslmode') ?? ''))
    parameters.set('sslmode', 'verify-full');
  return {
    connectionString: parameters.size === 0 ? address : `${address}?${parameters.toString()}`,
    application_name: name,
    connectionTimeoutMillis: hasSeveralServers(url)
      ? CONNECT_TIMEOUT_MS
      : Math.max(CONNECT_TIMEOUT_MS, statementTimeoutMs),
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  };
}

/** Lets the server detect within a minute that a node has disappeared, and release its locks. */
const NOTICE_LOSS =
  'set tcp_keepalives_idle = 20; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3';
/** The same while an answer is being sent. It also cuts off slow readers, such as a backup on a slow disk. */
const NOTICE_LOST_ANSWER = 'set tcp_user_timeout = 50000';

/** The server ends a transaction that was idle for this long. Those of a running node never are (`beat`). */
const CLIENT_GONE_MS = 10_000;
/** The same for work without a time limit, such as an import: it may compute for a while, and nobody waits for it. */
const PATIENT_CLIENT_GONE_MS = 60_000;

export function clientGoneMs(statementTimeoutMs: number): number {
  return statementTimeoutMs > 0 ? CLIENT_GONE_MS : PATIENT_CLIENT_GONE_MS;
}

/** Ends a session with a standby, which would answer with an older state. */
const REFUSE_STANDBY = `do $$ begin
  if pg_is_in_recovery() then raise 'This server is a standby.' using errcode = 'cannot_connect_now'; end if; end $$`;

export interface SessionOptions {
  statementTimeoutMs: number;
  readOnly?: boolean;
  /** Lock timeout of a statement; absent means that only the statement timeout applies. */
  lockTimeoutMs?: number;
  /** A pooler gives each transaction another session, so that nothing may be kept in one. */
  isPooled?: boolean;
}

/** Returns the statements that begin each session. A pooler would refuse these settings as startup parameters. */
export function sessionSettings(url: string, options: SessionOptions): string {
  const { statementTimeoutMs, readOnly = false, lockTimeoutMs = 0 } = options;
  return [
    ...(hasSeveralServers(url) ? [REFUSE_STANDBY] : []),
    `set statement_timeout = ${statementTimeoutMs}`,
    `set idle_in_transaction_session_timeout = ${clientGoneMs(statementTimeoutMs)}`,
    ...(lockTimeoutMs > 0 ? [`set lock_timeout = ${lockTimeoutMs}`] : []),
    NOTICE_LOSS,
    ...(statementTimeoutMs > 0 ? [NOTICE_LOST_ANSWER] : []),
    // PostgreSQL itself then refuses all writes.
    ...(readOnly ? ['set default_transaction_read_only = on'] : []),
  ].join('; ');
}

/** Returns what follows `begin` where a transaction cannot rely on its session. */
export function transactionSettings(options: SessionOptions): string {
  const { statementTimeoutMs, readOnly = false, lockTimeoutMs = 0, isPooled = false } = options;
  if (!isPooled) return '';
  return [
    '',
    `set local statement_timeout = ${statementTimeoutMs}`,
    `set local idle_in_transaction_session_timeout = ${clientGoneMs(statementTimeoutMs)}`,
    ...(lockTimeoutMs > 0 ? [`set local lock_timeout = ${lockTimeoutMs}`] : []),
    ...(readOnly ? ['set transaction read only'] : []),
  ].join('; ');
}
