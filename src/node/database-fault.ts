import { databaseHost } from '../core/installation.ts';
import databaseFaults from './database-faults.json' with { type: 'json' };
import { diskFull, serverDiskWasFull } from '../core/embedded/server-disk.ts';

/** Thrown when the database cannot hold the tables. The message states what is needed. */
export class UnfitDatabaseError extends Error {}

const VERSION_MIN = 15;

/** Refuses a server that is too old, and a database whose encoding cannot store every country's names. */
export function refuseUnfit({ version, encoding }: { version: string; encoding: string }): void {
  if (Number.parseInt(version, 10) < VERSION_MIN)
    throw new UnfitDatabaseError(
      `PostgreSQL ${version} is too old. Waypost needs ${VERSION_MIN} or newer: upgrade it, or set DATABASE_URL to another server.`,
    );
  if (encoding !== 'UTF8')
    throw new UnfitDatabaseError(
      `The database of DATABASE_URL is encoded in ${encoding}, and Waypost needs UTF8. Create another one: create database waypost encoding 'UTF8' template template0.`,
    );
}

interface Thrown {
  code?: unknown;
  message?: string;
  path?: unknown;
}

/** Explanations by error code of the operating system, the client or PostgreSQL. */
const FAULTS: Readonly<Record<string, string>> = databaseFaults;

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET|ERR_TLS/;

/** Explains a database error in one sentence for the operator; undefined for any other error. */
export function explainDatabase(
  thrown: unknown,
  { databaseUrl, dataDir }: { databaseUrl: string | undefined; dataDir: string },
): string | undefined {
  const { code, message = '', path } = (thrown ?? {}) as Thrown;
  if (databaseUrl === undefined && (code === '53100' || serverDiskWasFull(dataDir))) return diskFull(dataDir);
  if (typeof code !== 'string') return undefined;
  const at = databaseUrl === undefined ? 'DATA_DIR' : databaseHost(databaseUrl);
  const refusesPlain = code === '28000' && /no encryption|SSL off/.test(message);
  const fault = FAULTS[refusesPlain ? 'WITHOUT_TLS' : code];
  if (fault !== undefined) return fault.replace('{at}', at).replace('{message}', () => message);
  if (CERTIFICATE.test(code))
    return `The certificate of PostgreSQL at ${at} cannot be trusted (${code}). Set sslrootcert in DATABASE_URL to its certificate authority.`;
  if (typeof path === 'string' && decodeURIComponent(databaseUrl ?? '').includes(`=${path}`))
    return `The file ${path} named in DATABASE_URL cannot be read. Check its name and permissions.`;
  return undefined;
}
