import { createHash, randomBytes, randomInt } from 'node:crypto';
import { chown, mkdtemp, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { syncFolder } from '../files/sync-folder.ts';
import { EmbeddedPostgresError } from './not-started.ts';
import { findPrograms, runProgram, type Programs, type ServerUser } from './program.ts';
import { diskFull, saysDiskFull } from './server-disk.ts';
import { chooseServerUser } from './system-user.ts';

const MAJOR_VERSION = '18';
const STAGING_PREFIX = 'postgres.init-';
const CONNECTION_FILE = 'waypost.json';

// Below the ephemeral port ranges of Linux and macOS, so that no outgoing connection can occupy the server's port.
const PORT_MIN = 20_000;
const PORT_MAX = 29_999;

const SUPERUSER = 'waypost';

// Written to postgresql.conf once, so that an operator can change them. Durability keeps the safe defaults.
const SETTINGS: Record<string, string> = {
  // Enough for thirty serving processes. An unused connection slot costs a few kilobytes.
  max_connections: '200',
  shared_buffers: '256MB',
  maintenance_work_mem: '128MB',
  huge_pages: 'off',
  max_wal_size: '4GB',
  checkpoint_timeout: '15min',
  random_page_cost: '1.1',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  log_min_messages: 'log',
};

interface ClusterAddress {
  port: number;
  password: string;
}

export interface Cluster {
  directory: string;
  /** Appears in the title of every process of this cluster, so that leftover processes can be recognised. */
  name: string;
  logFile: string;
  programs: Programs;
  /** Called only when something is to be started, because it starts processes to find out. */
  user: () => Promise<ServerUser>;
  connection: ClusterAddress;
  note: (message: string) => void;
  waiting: () => void;
}

/** Opens the cluster in `dataDir`, creating it on the first start. The caller holds the transition lock. */
export async function openCluster(
  dataDir: string,
  { note, waiting }: Pick<Cluster, 'note' | 'waiting'>,
): Promise<Cluster> {
  const directory = path.join(dataDir, 'postgres');
  const programs = await findPrograms();
  let chosen: Promise<ServerUser> | undefined;
  const user = (): Promise<ServerUser> =>
    (chosen ??= chooseServerUser({ dataDir, clusterDir: directory, postgres: programs.postgres, note }));

  await removeInterruptedStarts(dataDir);
  const version = await readFile(path.join(directory, 'PG_VERSION'), 'utf8').catch(onMissing(''));
  if (version === '') {
    const foreignFiles = await readdir(directory).catch(onMissing([]));
    if (foreignFiles.length > 0) {
      throw new EmbeddedPostgresError(
        `${directory} contains files that are not a database. Move them away first.`,
      );
    }
    note(`Creating the database in ${directory}.`);
    await initialise(dataDir, directory, { programs, user: await user(), waiting });
  } else if (version.trim() !== MAJOR_VERSION) {
    throw new EmbeddedPostgresError(
      `${directory} was written by PostgreSQL ${version.trim()}, this is ${MAJOR_VERSION}. ` +
        `Take a backup with the old version of Waypost and restore it into an empty data directory.`,
    );
  }
  return {
    directory,
    name: `waypost-${createHash('sha256').update(directory).digest('hex').slice(0, 8)}`,
    logFile: path.join(dataDir, 'postgres.log'),
    programs,
    user,
    connection: await readConnection(directory),
    note,
    waiting,
  };
}

export function urlOf({ connection }: Cluster, port: number, database: string): string {
  return `postgres://${SUPERUSER}:${connection.password}@127.0.0.1:${port}/${database}`;
}

export async function changePort(cluster: Cluster): Promise<void> {
  cluster.connection = { ...cluster.connection, port: await freePort() };
  const { owner } = await cluster.user();
  const file = path.join(cluster.directory, CONNECTION_FILE);
  await writeDurably(`${file}.new`, JSON.stringify(cluster.connection), owner);
  await rename(`${file}.new`, file);
  await syncFolder(cluster.directory);
}

// Created under a random temporary name and renamed when complete, so that a killed initdb leaves no cluster.
async function initialise(
  dataDir: string,
  directory: string,
  { programs, user, waiting }: Pick<Cluster, 'programs' | 'waiting'> & { user: ServerUser },
): Promise<void> {
  const staging = await mkdtemp(path.join(dataDir, STAGING_PREFIX));
  const stagedCluster = path.join(staging, 'cluster');
  const passwordFile = path.join(staging, 'password');
  const connection: ClusterAddress = {
    port: await freePort(),
    password: randomBytes(24).toString('base64url'),
  };
  try {
    await writeDurably(passwordFile, connection.password, user.owner);
    if (user.owner !== undefined) await chown(staging, user.owner.uid, user.owner.gid);
    const initdb = runProgram(user, programs.initdb, initdbArguments(stagedCluster, passwordFile));
    waiting();
    await initdb;
    await writeDurably(path.join(stagedCluster, CONNECTION_FILE), JSON.stringify(connection), user.owner);
    await syncFolder(stagedCluster);
    await rename(stagedCluster, directory);
    await syncFolder(dataDir);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    if (saysDiskFull(message) || (cause as { code?: unknown }).code === 'ENOSPC')
      throw new EmbeddedPostgresError(diskFull(dataDir), { cause });
    throw new EmbeddedPostgresError(`The database could not be created in ${directory}: ${message}`, {
      cause,
    });
  } finally {
    await rm(staging, { recursive: true, force: true, maxRetries: 5 });
  }
}

function initdbArguments(directory: string, passwordFile: string): string[] {
  return [
    `--pgdata=${directory}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    ...Object.entries(SETTINGS).map(([name, value]) => `--set=${name}=${value}`),
  ];
}

async function removeInterruptedStarts(dataDir: string): Promise<void> {
  for (const entry of await readdir(dataDir)) {
    if (!entry.startsWith(STAGING_PREFIX)) continue;
    await rm(path.join(dataDir, entry), { recursive: true, force: true, maxRetries: 5 });
  }
}

async function readConnection(directory: string): Promise<ClusterAddress> {
  const file = path.join(directory, CONNECTION_FILE);
  try {
    return JSON.parse(await readFile(file, 'utf8')) as ClusterAddress;
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `${file} with the port and the password of the database cannot be read. ` +
        `Restore it from a backup, or move ${directory} away to start with an empty database.`,
      { cause },
    );
  }
}

async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORT_MIN, PORT_MAX + 1);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => {
      probe.close(() => resolve(true));
    });
  });
}

async function writeDurably(file: string, content: string, owner: ServerUser['owner']): Promise<void> {
  const handle = await open(file, 'w', 0o600);
  try {
    await handle.writeFile(content);
    if (owner !== undefined) await handle.chown(owner.uid, owner.gid);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export function onMissing<T>(instead: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return instead;
    throw error;
  };
}
