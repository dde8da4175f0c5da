import assert from 'node:assert/strict';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openCluster, urlOf, type Cluster } from './cluster.ts';
import { prepareDataDir } from './data-dir.ts';
import { DataDirInUseError, EmbeddedPostgresError } from './not-started.ts';
import { LockFile, withExclusiveLock } from './folder-lock.ts';
import { bringDown, bringUp, isServerOf, type RunningServer } from './server-process.ts';
import { connect } from '../postgres/db.ts';

export { DataDirInUseError, EmbeddedPostgresError };

const DATABASE = 'waypost';
const WATCH_MS = 1_000;
const RETRY_MS = 2_000;
const RECONNECT_MS = 20;

// Error codes of the server or the socket while the server recovers from a crash.
const NOT_YET = new Set(['ECONNREFUSED', 'ECONNRESET', 'CONNECTION_CLOSED', '57P03', '53300']);

export interface EmbeddedPostgres {
  url: string;
  /** True when the server was already running: another process uses it, or a killed one left it behind. */
  adopted: boolean;
  release(): Promise<void>;
}

export interface EmbeddedOptions {
  dataDir: string;
  role: 'service' | 'tool';
  note: (message: string) => void;
  waiting?: (() => void) | undefined;
}

/** Runs an action that starts or stops the server while no other process does so. */
type Transition = <T>(action: () => Promise<T>) => Promise<T>;

interface Session {
  cluster: Cluster;
  server: RunningServer;
  transition: Transition;
  released: boolean;
}

/** Opens the PostgreSQL of a data directory. The first user starts the server, the last one stops it. */
export async function openEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { role, note, waiting = () => undefined } = options;
  const dataDir = await prepareDataDir(options.dataDir);
  const transition: Transition = (action) =>
    withExclusiveLock(
      path.join(dataDir, 'postgres.transition.lock'),
      () => note(`Waiting for another process that is starting or stopping the database in ${dataDir}.`),
      action,
    );
  const users = new LockFile(path.join(dataDir, 'postgres.users.lock'));
  try {
    const session = await transition(async () => {
      join(users, role, dataDir);
      const cluster = await openCluster(dataDir, { note, waiting });
      const server = await serve(cluster, users);
      return { cluster, server, transition, released: false };
    });
    return handle(session, users, role);
  } catch (error) {
    users.close();
    throw error;
  }
}

function join(users: LockFile, role: EmbeddedOptions['role'], dataDir: string): void {
  const joined = users.tryLock(role === 'service' ? 'service' : 'shared');
  assert(joined || role === 'service', 'only a transition holds the exclusive lock');
  if (joined) return;
  throw new DataDirInUseError(dataDir);
}

async function serve(cluster: Cluster, users: LockFile): Promise<RunningServer> {
  try {
    for (;;) {
      const server = await bringUp(cluster, { keepPort: false });
      if (await ensureDatabase(cluster, server)) return server;
    }
  } catch (error) {
    await leave(cluster, users);
    throw error;
  }
}

async function leave(cluster: Cluster, users: LockFile): Promise<void> {
  users.unlock();
  if (users.tryLock('exclusive')) await bringDown(cluster);
}

function handle(session: Session, users: LockFile, role: EmbeddedOptions['role']): EmbeddedPostgres {
  const { cluster, server } = session;
  const unwatch = role === 'service' ? supervise(session) : () => undefined;
  const release = async (): Promise<void> => {
    session.released = true;
    unwatch();
    try {
      await session.transition(() => leave(cluster, users));
    } finally {
      users.close();
    }
  };
  let releasing: Promise<void> | undefined;
  return {
    url: urlOf(cluster, server.port, DATABASE),
    adopted: server.child === undefined,
    release: () => (releasing ??= release()),
  };
}

function supervise(session: Session): () => void {
  let busy = false;
  const check = async (): Promise<void> => {
    if (busy) return;
    busy = true;
    try {
      if (await isServerOf(session.cluster, session.server.pid)) return;
      await restart(session);
      session.server.child?.once('exit', onExit);
    } finally {
      busy = false;
    }
  };
  const onExit = (): void => {
    check().catch((error: unknown) =>
      session.cluster.note(`PostgreSQL could not be watched: ${messageOf(error)}`),
    );
  };
  // A child's exit is reported at once; the timer is for an adopted server, which is not our child.
  session.server.child?.once('exit', onExit);
  const timer = setInterval(onExit, WATCH_MS).unref();
  return () => clearInterval(timer);
}

async function restart(session: Session): Promise<void> {
  const { cluster, transition } = session;
  if (!session.released) cluster.note('PostgreSQL ended unexpectedly and is being restarted.');
  while (!session.released) {
    try {
      await transition(async () => {
        if (session.released) return;
        const server = await bringUp(cluster, { keepPort: true });
        if (server.port !== session.server.port) {
          throw new EmbeddedPostgresError(`it now listens on port ${server.port}. Restart this service.`);
        }
        session.server = server;
        cluster.note('PostgreSQL is running again; all committed data is intact.');
      });
      return;
    } catch (error) {
      cluster.note(`PostgreSQL could not be restarted: ${messageOf(error)}`);
      await delay(RETRY_MS, undefined, { ref: false });
    }
  }
}

/** Creates the service's database in a new cluster; false when the server ends before it accepts a connection. */
async function ensureDatabase(cluster: Cluster, server: RunningServer): Promise<boolean> {
  for (;;) {
    const sql = connect(urlOf(cluster, server.port, 'postgres'), { max: 1, statementTimeoutMs: 0 });
    try {
      const databases = await sql`select 1 from pg_database where datname = ${DATABASE}`;
      if (databases.length === 0) await sql`create database ${sql(DATABASE)}`;
      return true;
    } catch (cause) {
      const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
      if (!NOT_YET.has(code)) {
        throw new EmbeddedPostgresError(`The database in ${cluster.directory} failed: ${messageOf(cause)}`, {
          cause,
        });
      }
      if (!(await isServerOf(cluster, server.pid))) return false;
    } finally {
      await sql.end({ timeout: 0 });
    }
    await delay(RECONNECT_MS);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
