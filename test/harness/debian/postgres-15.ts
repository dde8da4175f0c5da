import { execFileSync, spawn } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after } from 'node:test';
import { connect } from '../../../src/core/postgres/db.ts';
import { until } from '../service/jobs.ts';
import { freePort } from '../service/program.ts';

/** Starts a PostgreSQL from its programs, on loopback and in a folder of its own, and gives the address of its database. */
export async function startPostgres(postgres: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'waypost-postgres-15-'));
  // It refuses to run as root; its package has made a user for it.
  const user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : undefined;
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  const options = { cwd: folder, ...user };
  const data = join(folder, 'data');
  const initdb = ['-D', data, '-U', 'waypost', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '-N'];
  execFileSync(join(dirname(postgres), 'initdb'), initdb, { ...options, stdio: 'pipe' });
  const port = await freePort();
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off'];
  const server = spawn(
    postgres,
    ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    { ...options, stdio: 'ignore' },
  );
  const ended = new Promise((resolve) => server.once('close', resolve));
  after(async () => {
    server.kill('SIGINT');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  const url = `postgres://waypost@127.0.0.1:${port}/postgres`;
  const admin = connect(url, { max: 1, statementTimeoutMs: 0 });
  await until('PostgreSQL answers', () =>
    admin`select 1`.then(
      () => true,
      () => false,
    ),
  );
  await admin.end();
  return url;
}

function idOf(kind: '-u' | '-g'): number {
  return Number(execFileSync('id', [kind, 'postgres']));
}
