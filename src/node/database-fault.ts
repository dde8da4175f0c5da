import { databaseHost } from '../core/installation.ts';
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

type Fault = (at: string, thrown: Thrown) => string;

interface Thrown {
  code?: unknown;
  message?: string;
  path?: unknown;
}

const UNREACHABLE: Fault = (at) =>
  `PostgreSQL at ${at} cannot be reached. Check DATABASE_URL, the network and the firewall.`;
const UNKNOWN_HOST: Fault = (at) =>
  `The host of ${at} cannot be resolved. Check its name in DATABASE_URL and the name server of this machine.`;
const SILENT: Fault = (at) =>
  `The server at ${at} does not answer. Check that it is PostgreSQL and that it is not frozen.`;
const NOT_NOW: Fault = (at) =>
  `PostgreSQL at ${at} is starting or stopping. Start Waypost again once it is running.`;

/** Explanations by error code of the operating system, the client or PostgreSQL. */
const FAULTS: Readonly<Record<string, Fault>> = {
  ECONNREFUSED: (at) => `PostgreSQL does not listen at ${at}. Start it, or check DATABASE_URL.`,
  ECONNRESET: UNREACHABLE,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  EADDRNOTAVAIL: UNREACHABLE,
  ETIMEDOUT: UNREACHABLE,
  CONNECT_TIMEOUT: UNREACHABLE,
  CONNECTION_CLOSED: (at) =>
    `The server at ${at} closed the connection. Check that it is PostgreSQL, and read its log.`,
  SERVER_SILENT: SILENT,
  STATEMENT_TIMEOUT: SILENT,
  POOL_BUSY: SILENT,
  COMMIT_UNKNOWN: SILENT,
  ENOTFOUND: UNKNOWN_HOST,
  EAI_AGAIN: UNKNOWN_HOST,
  TLS_REFUSED: (at) =>
    `PostgreSQL at ${at} does not accept encrypted connections. Switch TLS on there, or remove sslmode from DATABASE_URL.`,
  READ_ONLY: (at) =>
    `The database at ${at} is read-only. Set DATABASE_URL to the primary server, or make this one writable.`,
  '08P01': (at, { message = '' }) =>
    `The server at ${at} refuses a connection parameter (${message}). Remove the parameter from DATABASE_URL, or configure the pooler to ignore it.`,
  '28P01': (at) => `PostgreSQL at ${at} refuses the password. Check DATABASE_URL.`,
  '28000': (at, { message = '' }) =>
    /no encryption|SSL off/.test(message)
      ? `PostgreSQL at ${at} refuses connections without TLS. Add sslmode=verify-full to DATABASE_URL, or allow it in pg_hba.conf.`
      : `PostgreSQL at ${at} refuses the user. Check DATABASE_URL and pg_hba.conf.`,
  '3D000': (at) => `The database does not exist at ${at}. Create it, or check DATABASE_URL.`,
  '42501': (at) =>
    `The user of DATABASE_URL lacks a privilege at ${at}. Make it the owner of the database, so that it can create tables.`,
  '53100': (at) => `The disk of PostgreSQL at ${at} is full. Free some space there.`,
  '53300': (at) =>
    `PostgreSQL at ${at} has no connection left. Raise max_connections, or set DATABASE_POOL lower.`,
  '57P01': NOT_NOW,
  '57P03': NOT_NOW,
};

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET|ERR_TLS/;

/** Explains a database error in one sentence for the operator; undefined for any other error. */
export function explainDatabase(
  thrown: unknown,
  { databaseUrl, dataDir }: { databaseUrl: string | undefined; dataDir: string },
): string | undefined {
  const { code, path } = (thrown ?? {}) as Thrown;
  if (databaseUrl === undefined && (code === '53100' || serverDiskWasFull(dataDir))) return diskFull(dataDir);
  if (typeof code !== 'string') return undefined;
  const at = placeOf(databaseUrl);
  const fault = FAULTS[code];
  if (fault !== undefined) return fault(at, thrown as Thrown);
  if (CERTIFICATE.test(code))
    return `The certificate of PostgreSQL at ${at} cannot be trusted (${code}). Set sslrootcert in DATABASE_URL to its certificate authority.`;
  if (typeof path === 'string' && decodeURIComponent(databaseUrl ?? '').includes(`=${path}`))
    return `The file ${path} named in DATABASE_URL cannot be read. Check its name and permissions.`;
  return undefined;
}

function placeOf(databaseUrl: string | undefined): string {
  return databaseUrl === undefined ? 'DATA_DIR' : databaseHost(databaseUrl);
}
