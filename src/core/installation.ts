/** The settings that decide which database a process uses. */
export interface InstallationSettings {
  dataDir: string;
  /** Undefined when the service runs its own PostgreSQL in the data directory. */
  databaseUrl: string | undefined;
}

/** A command for an operator to copy, and a note on what to fill in first. */
export interface PrintedCommand {
  command: string;
  note?: string;
}

const PLACEHOLDER = 'USER:PASSWORD';

/** Returns host and port of a database, without user and password. */
export function databaseHost(databaseUrl: string): string {
  const { hostname, port, searchParams } = new URL(databaseUrl);
  return `${searchParams.get('host') ?? (hostname || 'localhost')}:${searchParams.get('port') ?? (port || '5432')}`;
}

/**
 * Describes the installation in a sentence: its data directory, or the database of DATABASE_URL without credentials.
 */
export function describeInstallation({ dataDir, databaseUrl }: InstallationSettings): string {
  if (databaseUrl === undefined) return `the data directory ${dataDir}`;
  return `the database ${databaseName(databaseUrl)} at ${databaseHost(databaseUrl)}`;
}

/**
 * Writes a command that reaches this installation even from a shell with other settings. A DATABASE_URL contains a
 * password, so placeholders are printed: if they are not filled in, the command is refused and writes nothing.
 */
export function commandFor(installation: InstallationSettings, words: string): PrintedCommand {
  const { dataDir, databaseUrl } = installation;
  if (databaseUrl === undefined) return { command: `DATA_DIR=${shellQuote(dataDir)} npx waypost ${words}` };
  const { hostname, port, pathname, searchParams } = new URL(databaseUrl);
  const host = searchParams.get('host');
  const at = `${hostname || 'localhost'}${port === '' ? '' : `:${port}`}${pathname}`;
  const url = `postgres://${PLACEHOLDER}@${at}${host === null ? '' : `?host=${encodeURIComponent(host)}`}`;
  return {
    command: `DATABASE_URL=${shellQuote(url)} npx waypost ${words}`,
    note: `The service uses ${describeInstallation(installation)}. Use the service's own DATABASE_URL here; it contains a password and is not shown.`,
  };
}

/** Quotes a word for a POSIX shell where needed. */
export function shellQuote(word: string): string {
  return /^[\w./:@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

function databaseName(databaseUrl: string): string {
  // Without a name PostgreSQL uses the name of the user, which is not shown.
  return decodeURIComponent(new URL(databaseUrl).pathname.slice(1)) || 'of its user';
}
