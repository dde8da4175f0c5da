/** Thrown when PostgreSQL could not be started or stopped. The message states what to do. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}

export class DataDirInUseError extends Error {
  override readonly name = 'DataDirInUseError';

  constructor(dataDir: string) {
    super(
      `Another Waypost is already running on the data directory ${dataDir}. ` +
        'Stop that one first, or start this one with a DATA_DIR of its own.',
    );
  }
}
