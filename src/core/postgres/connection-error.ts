import pg from 'pg';

type ConnectionFault =
  | 'CONNECTION_CLOSED'
  | 'CONNECTION_ENDED'
  | 'CONNECT_TIMEOUT'
  /** The server accepts or has accepted connections, but no longer answers. */
  | 'SERVER_SILENT'
  /** The server did not even cancel a statement when its time limit had passed. */
  | 'STATEMENT_TIMEOUT'
  | 'POOL_BUSY'
  | 'TLS_REFUSED'
  /** The database is read-only: a replica, or one that somebody has closed for writing. */
  | 'READ_ONLY'
  /** The connection was lost after the commit was sent and before it was answered. */
  | 'COMMIT_UNKNOWN';

/** Thrown to callers when the database is not available, whatever the client calls the fault. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly code: ConnectionFault;

  constructor(code: ConnectionFault, cause?: unknown) {
    super(`PostgreSQL does not answer: ${code}.`, { cause });
    this.code = code;
  }
}

/** Converts an error of the client; errors of PostgreSQL or the system have a code and stay as they are. */
export function connectionError(thrown: Error): Error {
  if (thrown instanceof pg.DatabaseError || 'code' in thrown) return thrown;
  if (/SSL connection/.test(thrown.message)) return new ConnectionError('TLS_REFUSED', thrown);
  return new ConnectionError(
    /timeout/.test(thrown.message) ? 'CONNECT_TIMEOUT' : 'CONNECTION_CLOSED',
    thrown,
  );
}

// Codes for a temporarily unavailable database, by prefix: connection, idle, resources, shutdown, disk.
const UNAVAILABLE =
  /^(CONNECT|SERVER_SILENT|STATEMENT_TIMEOUT|POOL_BUSY|TLS_REFUSED|READ_ONLY|COMMIT_UNKNOWN|E(CONN|PIPE|AI_|NOTFOUND|HOST|NET|TIMEDOUT|ADDR)|08...$|25P03|28...$|3D000|53...$|57014|57P0.|58030)/;

export function isUnavailable(thrown: unknown): boolean {
  const { code } = (thrown ?? {}) as { code?: unknown };
  return typeof code === 'string' && UNAVAILABLE.test(code);
}

/** True when a connection was lost, so that the outcome of its last statement is unknown. */
export function isConnectionLost(thrown: unknown): boolean {
  return thrown instanceof pg.DatabaseError ? endsConnection(thrown) : isUnavailable(thrown);
}

/** True when PostgreSQL may close the connection after this error. The severity is localized, so check the code. */
export function endsConnection({ code = '' }: pg.DatabaseError): boolean {
  return /^(08|25P03|53|57P|58|XX)/.test(code);
}

/** True when another transaction held a lock for longer than the lock timeout. */
export function isLocked(thrown: unknown): boolean {
  return thrown instanceof LockedError || (thrown instanceof pg.DatabaseError && thrown.code === '55P03');
}

/** Thrown without a query to PostgreSQL when another caller has just found the row locked. */
export class LockedError extends Error {
  override readonly name = 'LockedError';

  constructor() {
    super('It is locked by another transaction.');
  }
}
