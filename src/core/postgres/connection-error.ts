import pg from 'pg';

/** What is told to whoever asked when the connection was lost, whatever the client calls it. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly code: string;

  constructor(code: 'CONNECTION_CLOSED' | 'CONNECTION_ENDED' | 'CONNECT_TIMEOUT', cause?: unknown) {
    super('There is no connection to PostgreSQL.', { cause });
    this.code = code;
  }
}

/** An error of the client in our words; what PostgreSQL or the system say has a code and stays as it is. */
export function connectionError(thrown: Error): Error {
  if (thrown instanceof pg.DatabaseError || 'code' in thrown) return thrown;
  return new ConnectionError(
    /timeout/.test(thrown.message) ? 'CONNECT_TIMEOUT' : 'CONNECTION_CLOSED',
    thrown,
  );
}
