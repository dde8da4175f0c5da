import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chown, mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  findPrograms,
  launch,
  runProgram,
  type Programs,
  type ServerUser,
} from '../../src/core/embedded/program.ts';
import { chooseServerUser } from '../../src/core/embedded/system-user.ts';
import { connect, type Pool } from '../../src/core/postgres/db.ts';
import { freezeFamily, signalAll } from '../harness/service/processes.ts';
import { freePort } from '../harness/service/program.ts';

const DATABASE = 'waypost';
/** Up to ten nodes with their jobs, and what writes and judges beside them. */
const CONNECTIONS = 600;
const LOOK_AGAIN_MS = 50;

/** A PostgreSQL of its own, as an operator runs one beside the nodes, that can be killed and frozen as a whole. */
export class PostgresServer {
  readonly #programs: Programs;
  readonly #folder: string;
  readonly #user: ServerUser;
  readonly #port: number;
  #child: ChildProcess | undefined;
  #frozen: number[] = [];

  private constructor(programs: Programs, folder: string, user: ServerUser, port: number) {
    this.#programs = programs;
    this.#folder = folder;
    this.#user = user;
    this.#port = port;
  }

  /** With a version: that of Debian's packages. Without: the one that comes with the service. */
  static async open(version: string | undefined): Promise<PostgresServer> {
    const server = await PostgresServer.#prepare(version);
    const clusterDir = await server.#makeClusterDir();
    const { initdb } = server.#programs;
    await runProgram(server.#user, initdb, ['-D', clusterDir, '-U', 'waypost', '-A', 'trust', '-E', 'UTF8']);
    await server.start();
    await server.#ask(async (admin) => {
      await admin.unsafe(`create database ${DATABASE}`);
    });
    return server;
  }

  /** A standby of another server of Debian's, whose package has the program that copies one. */
  static async openStandby(version: string, primary: PostgresServer): Promise<PostgresServer> {
    const server = await PostgresServer.#prepare(version);
    await server.follow(primary);
    return server;
  }

  static async #prepare(version: string | undefined): Promise<PostgresServer> {
    const folder = await mkdtemp(join(tmpdir(), 'waypost-chaos-server-'));
    const bin = `/usr/lib/postgresql/${version ?? ''}/bin`;
    const programs =
      version === undefined ? await findPrograms() : { initdb: `${bin}/initdb`, postgres: `${bin}/postgres` };
    const { postgres } = programs;
    const clusterDir = join(folder, 'cluster');
    const user = await chooseServerUser({ dataDir: folder, clusterDir, postgres, note: () => undefined });
    return new PostgresServer(programs, folder, user, await freePort());
  }

  /** Makes an empty folder for the data, instead of the one that it had. */
  async #makeClusterDir(): Promise<string> {
    const clusterDir = join(this.#folder, 'cluster');
    await rm(clusterDir, { recursive: true, force: true });
    await mkdir(clusterDir, { mode: 0o700 });
    const { owner } = this.#user;
    if (owner !== undefined)
      for (const path of [this.#folder, clusterDir]) await chown(path, owner.uid, owner.gid);
    return clusterDir;
  }

  /** Begins again as a standby, with a copy of another server's data. */
  async follow(primary: PostgresServer): Promise<void> {
    const clusterDir = await this.#makeClusterDir();
    const copy = join(dirname(this.#programs.postgres), 'pg_basebackup');
    const options = ['-R', '-X', 'stream', '-c', 'fast', '-N'];
    await runProgram(this.#user, copy, ['-d', primary.#urlOf('postgres'), '-D', clusterDir, ...options]);
    await this.start();
  }

  /** Acknowledges a commit only once a standby has it; waits until one has everything so far. */
  async waitForStandby(): Promise<void> {
    await this.#ask(async (admin) => {
      await admin`alter system set synchronous_standby_names = '*'`;
      await admin`select pg_reload_conf()`;
      for (;;) {
        const [row] = await admin`select from pg_stat_replication where sync_state = 'sync'`;
        if (row !== undefined) return;
        await pause(LOOK_AGAIN_MS);
      }
    });
  }

  async promote(): Promise<void> {
    await this.#ask(async (admin) => {
      await admin`select pg_promote(true, 60)`;
    });
  }

  async #ask(work: (admin: Pool) => Promise<void>): Promise<void> {
    const admin = connect(this.#urlOf('postgres'), { max: 1, statementTimeoutMs: 0 });
    try {
      await work(admin);
    } finally {
      await admin.end({ timeout: 1 });
    }
  }

  get port(): number {
    return this.#port;
  }

  get url(): string {
    return this.#urlOf(DATABASE);
  }

  #urlOf(database: string): string {
    return `postgres://waypost@127.0.0.1:${this.#port}/${database}`;
  }

  async version(): Promise<string> {
    return (await runProgram(this.#user, this.#programs.postgres, ['--version'])).trim();
  }

  /** Starts it, as often as that takes: processes of one that was killed hold the memory for a moment. */
  async start(): Promise<void> {
    const log = await open(join(this.#folder, 'log'), 'a');
    try {
      for (;;) {
        this.#child = await launch(
          this.#user,
          this.#programs.postgres,
          [
            ...['-D', join(this.#folder, 'cluster'), '-p', String(this.#port), '-k', '', '-h', '127.0.0.1'],
            ...['-c', `max_connections=${CONNECTIONS}`],
          ],
          log.fd,
        );
        if (await this.#answers(this.#child)) return;
      }
    } finally {
      await log.close();
    }
  }

  /** False when it has ended instead. */
  async #answers(child: ChildProcess): Promise<boolean> {
    while (child.exitCode === null && child.signalCode === null) {
      const pool = connect(this.#urlOf('postgres'), { max: 1, statementTimeoutMs: 0 });
      const answer = await pool`select 1`.then(
        () => true,
        () => false,
      );
      await pool.end({ timeout: 1 });
      if (answer) return true;
      await pause(LOOK_AGAIN_MS);
    }
    return false;
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const all = await freezeFamily(child.pid);
    this.#frozen = [];
    const ended = once(child, 'exit');
    signalAll(all, 'SIGKILL');
    await ended;
    while (all.some(isRunning)) await pause(LOOK_AGAIN_MS);
  }

  async freeze(): Promise<void> {
    if (this.#child?.pid !== undefined) this.#frozen = await freezeFamily(this.#child.pid);
  }

  thaw(): void {
    signalAll(this.#frozen.splice(0), 'SIGCONT');
  }

  async close(): Promise<void> {
    this.thaw();
    await this.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  return (stateOf(pid) ?? 'Z') !== 'Z';
}

/** Returns the state of a process as the kernel names it by a letter. */
function stateOf(pid: number): string | undefined {
  try {
    return /^\d+ \(.*\) (\w)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}
