import { execFileSync, spawn } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after } from 'node:test';
import { connect } from '../../../src/core/postgres/db.ts';
import { until } from '../service/jobs.ts';
import { freezeFamily, signalAll } from '../service/processes.ts';
import { freePort } from '../service/program.ts';

export interface DebianPostgres {
  /** The address of its database. */
  url: string;
  port: number;
  /** Makes a standby accept writes. */
  promote(): void;
  /** Ends the server, as a machine that loses its power does. */
  crash(): Promise<void>;
  /** Stops its processes where they are, until it is thawed. */
  freeze(): Promise<void>;
  thaw(): void;
  /** Starts it again on the same port with the same data. */
  start(): Promise<void>;
}

/** Starts a PostgreSQL from its programs, on loopback and in a folder of its own, and gives the address of its database. */
export async function startPostgres(postgres: string): Promise<string> {
  const { url } = await startServer(postgres);
  return url;
}

/** The same as a server of its own, or as a standby that follows another server from a copy of its data. */
export async function startServer(postgres: string, primary?: DebianPostgres): Promise<DebianPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'waypost-postgres-15-'));
  const user = postgresUser();
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  const options = { cwd: folder, ...user };
  const data = join(folder, 'data');
  const run = (program: string, args: readonly string[]) =>
    execFileSync(join(dirname(postgres), program), args, { ...options, stdio: 'pipe' });
  if (primary === undefined)
    run('initdb', ['-D', data, '-U', 'waypost', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '-N']);
  else run('pg_basebackup', ['-d', primary.url, '-D', data, '-R', '-X', 'stream', '-c', 'fast', '-N']);
  const port = await freePort();
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off'];
  let running = 0;
  let stopped: number[] = [];
  const thaw = () => {
    signalAll(stopped.splice(0), 'SIGCONT');
  };
  let stop: (signal: 'SIGINT' | 'SIGQUIT') => Promise<void> = () => Promise.resolve();
  const url = `postgres://waypost@127.0.0.1:${port}/postgres`;
  const start = async () => {
    const server = spawn(
      postgres,
      ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
      { ...options, stdio: 'ignore' },
    );
    const ended = new Promise<void>((resolve) => server.once('close', () => resolve()));
    running = server.pid ?? 0;
    stop = (signal) => {
      thaw();
      server.kill(signal);
      return ended;
    };
    const admin = connect(url, { max: 1, statementTimeoutMs: 0 });
    await until('PostgreSQL answers', () =>
      admin`select 1`.then(
        () => true,
        () => false,
      ),
    );
    await admin.end();
  };
  after(async () => {
    await stop('SIGINT');
    rmSync(folder, { recursive: true, force: true });
  });
  await start();
  return {
    url,
    port,
    promote: () => run('pg_ctl', ['promote', '-D', data]),
    crash: () => stop('SIGQUIT'),
    freeze: async () => {
      stopped = await freezeFamily(running);
    },
    thaw,
    start,
  };
}

/** PostgreSQL and its pooler refuse to run as root; their packages have made a user for them. */
export function postgresUser(): { uid: number; gid: number } | undefined {
  return process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : undefined;
}

function idOf(kind: '-u' | '-g'): number {
  return Number(execFileSync('id', [kind, 'postgres']));
}
