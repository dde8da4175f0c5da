import pg from 'pg';

type ConnectionFault =
  | 'CONNECTION_CLOSED'
  | 'CONNECTION_ENDED'
  | 'CONNECT_TIMEOUT'
  /** The server takes connections, or has taken them, and says nothing any more. */
  | 'SERVER_SILENT'
  /** A statement was not even called off by the server when its time was over. */
  | 'STATEMENT_TIMEOUT'
  /** No connection of the pool became free in time. */
  | 'POOL_BUSY'
  | 'TLS_REFUSED'
  /** The database takes no changes: a copy that follows another, or one that somebody has closed for writing. */
  | 'READ_ONLY'
  /** The connection was lost after the commit was sent and before it was answered. */
  | 'COMMIT_UNKNOWN';

/** What is told to whoever asked when the database does not do its part, whatever the client calls it. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly code: ConnectionFault;

  constructor(code: ConnectionFault, cause?: unknown) {
    super(`There is no answer from PostgreSQL: ${code}.`, { cause });
    this.code = code;
  }
}

/** An error of the client in our words; what PostgreSQL or the system say has a code and stays as it is. */
export function connectionError(thrown: Error): Error {
  if (thrown instanceof pg.DatabaseError || 'code' in thrown) return thrown;
  if (/SSL connection/.test(thrown.message)) return new ConnectionError('TLS_REFUSED', thrown);
  return new ConnectionError(
    /timeout/.test(thrown.message) ? 'CONNECT_TIMEOUT' : 'CONNECTION_CLOSED',
    thrown,
  );
}

// What the client, the system and PostgreSQL say when the database cannot do what is asked at the moment, by the beginning
// of the code: 08 is the connection, 25P03 a transaction that was quiet for too long, 53 memory, disk or places that are
// used up, 57 a stop or a deadline, 58 the disk.
const UNAVAILABLE =
  /^(CONNECT|SERVER_SILENT|STATEMENT_TIMEOUT|POOL_BUSY|TLS_REFUSED|READ_ONLY|COMMIT_UNKNOWN|E(CONN|PIPE|AI_|NOTFOUND|HOST|NET|TIMEDOUT|ADDR)|08...$|25P03|28...$|3D000|53...$|57014|57P0.|58030)/;

/** Whether something failed because of the database's state and not of what was asked: later it may succeed. */
export function isUnavailable(thrown: unknown): boolean {
  const { code } = (thrown ?? {}) as { code?: unknown };
  return typeof code === 'string' && UNAVAILABLE.test(code);
}

/** Whether a connection was lost, so that nobody knows what became of the last statement on it. */
export function isLost(thrown: unknown): boolean {
  return thrown instanceof pg.DatabaseError ? isLast(thrown) : isUnavailable(thrown);
}

/** Whether PostgreSQL may end the connection after this. How grave an error is it says in its own language, the code is plain. */
export function isLast({ code = '' }: pg.DatabaseError): boolean {
  return /^(08|25P03|53|57P|58|XX)/.test(code);
}

/** Whether a lock was held by somebody else for longer than was to be waited for. */
export function isLocked(thrown: unknown): boolean {
  return thrown instanceof LockedError || (thrown instanceof pg.DatabaseError && thrown.code === '55P03');
}

/** The same without asking PostgreSQL, where somebody else has just found it out. */
export class LockedError extends Error {
  override readonly name = 'LockedError';

  constructor() {
    super('Somebody else has locked it.');
  }
}
