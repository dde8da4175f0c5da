/** PostgreSQL could not be brought up or down. The message says what to do about it. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}

/** Another service already runs on the same data directory. */
export class DataDirInUseError extends Error {
  override readonly name = 'DataDirInUseError';

  constructor(dataDir: string) {
    super(
      `Another Waypost already runs on the data directory ${dataDir}. ` +
        'Stop that one first, or start this one with a DATA_DIR of its own.',
    );
  }
}
