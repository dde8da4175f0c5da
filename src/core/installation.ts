import { serverUrls } from './postgres/servers.ts';

export interface InstallationSettings {
  dataDir: string;
  /** Undefined when the service runs its own PostgreSQL in the data directory. */
  databaseUrl: string | undefined;
}

export interface PrintedCommand {
  command: string;
  note?: string;
}

const PLACEHOLDER = 'USER:PASSWORD';

export function databaseHost(databaseUrl: string): string {
  return serverUrls(databaseUrl)
    .map((url) => {
      const { hostname, port, searchParams } = new URL(url);
      return `${searchParams.get('host') ?? (hostname || 'localhost')}:${searchParams.get('port') ?? (port || '5432')}`;
    })
    .join(', ');
}

export function describeInstallation({ dataDir, databaseUrl }: InstallationSettings): string {
  if (databaseUrl === undefined) return `the data directory ${dataDir}`;
  return `the database ${databaseName(databaseUrl)} at ${databaseHost(databaseUrl)}`;
}

/** Writes a command that reaches this installation from any shell, with placeholders for the password. */
export function commandFor(installation: InstallationSettings, words: string): PrintedCommand {
  const { dataDir, databaseUrl } = installation;
  if (databaseUrl === undefined) return { command: `DATA_DIR=${shellQuote(dataDir)} npx waypost ${words}` };
  const servers = serverUrls(databaseUrl).map((url) => new URL(url));
  const host = servers[0]?.searchParams.get('host') ?? null;
  const hosts = servers.map(
    ({ hostname, port }) => `${hostname || 'localhost'}${port === '' ? '' : `:${port}`}`,
  );
  const at = `${hosts.join()}${servers[0]?.pathname ?? ''}`;
  const url = `postgres://${PLACEHOLDER}@${at}${host === null ? '' : `?host=${encodeURIComponent(host)}`}`;
  return {
    command: `DATABASE_URL=${shellQuote(url)} npx waypost ${words}`,
    note: `The service uses ${describeInstallation(installation)}. Use the service's own DATABASE_URL here; it contains a password and is not shown.`,
  };
}

export function shellQuote(word: string): string {
  return /^[\w./:@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

function databaseName(databaseUrl: string): string {
  // Without a name PostgreSQL uses the name of the user, which is not shown.
  return (
    decodeURIComponent(new URL(serverUrls(databaseUrl)[0] ?? databaseUrl).pathname.slice(1)) || 'of its user'
  );
}
