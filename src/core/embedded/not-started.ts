/** PostgreSQL could not be brought up or down. The message says what to do about it. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}

/** Another service already runs on the same data directory. */
export class DataDirInUseError extends Error {
  override readonly name = 'DataDirInUseError';
}
