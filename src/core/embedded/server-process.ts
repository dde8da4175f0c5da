import type { ChildProcess } from 'node:child_process';
import { open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connect } from '../postgres/db.ts';
import { MINUTE_MS } from '../time.ts';
import { changePort, onMissing, urlOf, type Cluster } from './cluster.ts';
import { EmbeddedPostgresError } from './not-started.ts';
import { launch, OURSELVES, runProgram } from './program.ts';
import { diskFull, saysDiskFull } from './server-disk.ts';

const POLL_MS = 20;
const SLOW_MS = 5_000;
const DEADLINE_MS = 10 * MINUTE_MS;
const REPLAY_MS = 20_000;
const STOP_MS = MINUTE_MS;
const STARTING_OR_STOPPING = '57P03';
const START_ATTEMPTS_MAX = 60;
const PATIENT_ATTEMPTS = 5;
const RETRY_MS = 100;
const LOG_BYTES_MAX = 10_000_000;

export interface RunningServer {
  pid: number;
  port: number;
  child?: ChildProcess;
}

interface PidFile {
  pid: number;
  port: number;
  status: string;
}

/** Adopts the running server of this cluster or starts one; resolves when it accepts connections. */
export async function bringUp(cluster: Cluster, options: { keepPort: boolean }): Promise<RunningServer> {
  for (let attempt = 1; ; attempt++) {
    const running = await findServer(cluster);
    if (running !== undefined) {
      // A server that is stopping rather than starting has ended after this, and the next iteration starts it.
      const ended = async (): Promise<boolean> => !(await isServerOf(cluster, running.pid));
      if (await becomesReady(cluster, running.pid, ended)) return running;
      continue;
    }
    const logOffset = await rotateLog(cluster.logFile);
    const child = await start(cluster);
    const { pid = 0 } = child;
    cluster.waiting();
    const ended = (): boolean => child.exitCode !== null || child.signalCode !== null;
    if (await becomesReady(cluster, pid, ended)) return { pid, port: cluster.connection.port, child };
    const newLines = (await readFile(cluster.logFile)).subarray(logOffset).toString('utf8');
    await afterFailedStart(cluster, newLines, attempt, options.keepPort);
  }
}

/** Stops the server, if it runs, after rolling back open transactions; resolves when it is down. */
export async function bringDown(cluster: Cluster): Promise<void> {
  const server = await findServer(cluster);
  if (server === undefined) return;
  const isDown = async (): Promise<boolean> => !(await isServerOf(cluster, server.pid));
  const startedAt = performance.now();
  const passed = (ms: number): boolean => performance.now() - startedAt > ms;
  await until(
    async () => (await isDown()) || !(await isReplaying(cluster, server)) || passed(REPLAY_MS),
    () => undefined,
  );
  // The pid of an ended process may have been reused.
  if (await isDown()) return;
  signal(server.pid, 'SIGINT');
  await until(
    async () => (await isDown()) || passed(STOP_MS),
    () => cluster.note('PostgreSQL is still writing its data to disk before it stops.'),
  );
  if (await isDown()) return;
  // It leaves unwritten data to its write-ahead log, which the next start replays.
  signal(server.pid, 'SIGQUIT');
  await until(isDown, () => undefined);
}

/** True while the server replays its log. A stop would then wait forever for processes that get no signal. */
async function isReplaying(cluster: Cluster, { port }: RunningServer): Promise<boolean> {
  const sql = connect(urlOf(cluster, port, 'postgres'), { max: 1, statementTimeoutMs: REPLAY_MS });
  try {
    await sql`select 1`;
    return false;
  } catch (thrown) {
    return (thrown as { code?: unknown }).code === STARTING_OR_STOPPING;
  } finally {
    await sql.end({ timeout: 0 });
  }
}

/** True when the pid is the server of this cluster, and not another process that got the same pid later. */
export async function isServerOf(cluster: Cluster, pid: number): Promise<boolean> {
  return (await commandLineOf(pid)).includes(`postgres -D ${cluster.directory} -p `);
}

async function findServer(cluster: Cluster): Promise<RunningServer | undefined> {
  const file = await readPidFile(cluster);
  if (file === undefined || !(await isServerOf(cluster, file.pid))) return undefined;
  return { pid: file.pid, port: file.port };
}

async function start(cluster: Cluster): Promise<ChildProcess> {
  await disownPidFile(cluster);
  const user = await cluster.user();
  const log = await open(cluster.logFile, 'a', 0o600);
  try {
    if (user.owner !== undefined) await log.chown(user.owner.uid, user.owner.gid);
    return await launch(user, cluster.programs.postgres, serverArguments(cluster), log.fd);
  } finally {
    await log.close();
  }
}

function serverArguments(cluster: Cluster): string[] {
  return [
    ...['-D', cluster.directory],
    ...['-p', String(cluster.connection.port)],
    ...['-c', 'listen_addresses=127.0.0.1'],
    ...['-c', 'unix_socket_directories='],
    ...['-c', `cluster_name=${cluster.name}`],
  ];
}

// PostgreSQL refuses to start while the pid of a stale pid file is in use, except by its own parent.
async function disownPidFile(cluster: Cluster): Promise<void> {
  const file = pidFilePath(cluster);
  const content = await readFile(file, 'utf8').catch(onMissing(undefined));
  if (content === undefined) return;
  const [first, ...others] = content.split('\n');
  if (Number(first) > 0) await writeFile(file, [process.pid, ...others].join('\n'));
  else await rm(file);
}

/** Resolves with false when the process ends before it accepts connections. */
async function becomesReady(
  cluster: Cluster,
  pid: number,
  ended: () => boolean | Promise<boolean>,
): Promise<boolean> {
  let ready = false;
  await until(
    async () => {
      const file = await readPidFile(cluster);
      ready = file?.pid === pid && file.status === 'ready';
      return ready || (await ended());
    },
    () => {
      cluster.note('PostgreSQL is still starting; after a crash it first replays its log.');
    },
  );
  return ready;
}

async function afterFailedStart(
  cluster: Cluster,
  log: string,
  attempt: number,
  keepPort: boolean,
): Promise<void> {
  if (attempt >= START_ATTEMPTS_MAX) throw failedStart(cluster, log);
  if (log.includes('is still in use')) {
    // Backends of a killed server may outlive it. Nobody reads their results, so they can be killed too.
    if (attempt >= PATIENT_ATTEMPTS) await killLeftovers(cluster);
    await delay(RETRY_MS);
  } else if (log.includes('could not create any TCP/IP sockets')) {
    // The old server may still hold the port for a moment, and other users of the cluster only know this port.
    if (!keepPort && attempt >= PATIENT_ATTEMPTS) await changePort(cluster);
    await delay(RETRY_MS);
  } else if ((await findServer(cluster)) === undefined) {
    throw failedStart(cluster, log);
  }
}

function failedStart(cluster: Cluster, log: string): EmbeddedPostgresError {
  if (saysDiskFull(log)) return new EmbeddedPostgresError(diskFull(path.dirname(cluster.directory)));
  const end = log.trim().split('\n').slice(-5).join('\n');
  return new EmbeddedPostgresError(`PostgreSQL did not start. ${cluster.logFile} ends with:\n${end}`);
}

async function killLeftovers(cluster: Cluster): Promise<void> {
  for (const [pid, title] of await allProcesses()) {
    if (title.startsWith(`postgres: ${cluster.name}: `)) signal(pid, 'SIGKILL');
  }
}

function signal(pid: number, name: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    const gone = error instanceof Error && 'code' in error && error.code === 'ESRCH';
    if (!gone) throw error;
  }
}

function pidFilePath(cluster: Cluster): string {
  return path.join(cluster.directory, 'postmaster.pid');
}

// Lines: pid, directory, start time, port, socket, address, shared memory, status.
async function readPidFile(cluster: Cluster): Promise<PidFile | undefined> {
  const content = await readFile(pidFilePath(cluster), 'utf8').catch(onMissing(''));
  const lines = content.split('\n');
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  return { pid, port: Number(lines[3]), status: (lines[7] ?? '').trim() };
}

async function commandLineOf(pid: number): Promise<string> {
  if (process.platform !== 'linux') return (await allProcesses()).get(pid) ?? '';
  try {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ');
  } catch (error) {
    // Any other failure (too many open files, for example) must not look like a server that has ended.
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH'))
      return '';
    throw error;
  }
}

async function allProcesses(): Promise<Map<number, string>> {
  const processes = new Map<number, string>();
  if (process.platform === 'linux') {
    const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0);
    for (const pid of pids) processes.set(pid, await commandLineOf(pid));
  } else {
    const table = await runProgram(OURSELVES, 'ps', ['-axww', '-o', 'pid=,args=']);
    for (const [, pid, title] of table.matchAll(/^ *(\d+) +(.*)$/gm)) processes.set(Number(pid), title ?? '');
  }
  return processes;
}

/** Keeps the log below its maximum size by moving it to one old file; returns the offset of the new lines. */
async function rotateLog(file: string): Promise<number> {
  const size = await stat(file).then(({ size }) => size, onMissing(0));
  if (size < LOG_BYTES_MAX) return size;
  await rename(file, `${file}.1`);
  return 0;
}

async function until(condition: () => Promise<boolean>, onSlow: () => void): Promise<void> {
  const startedAt = performance.now();
  const slow = setTimeout(onSlow, SLOW_MS);
  try {
    while (!(await condition())) {
      if (performance.now() - startedAt > DEADLINE_MS) {
        throw new EmbeddedPostgresError(
          `PostgreSQL has not answered for ${DEADLINE_MS / MINUTE_MS} minutes.`,
        );
      }
      await delay(POLL_MS);
    }
  } finally {
    clearTimeout(slow);
  }
}
