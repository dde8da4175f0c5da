import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { connect } from '../../../src/core/postgres/db.ts';
import { until } from '../service/jobs.ts';
import { freePort } from '../service/program.ts';
import { postgresUser } from './postgres-15.ts';

/** Starts a pooler in transaction mode before a database, with few sessions, and gives the database's address behind it. */
export async function startPgBouncer(program: string, databaseUrl: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'waypost-pgbouncer-'));
  const database = new URL(databaseUrl);
  const port = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(
    file,
    `[databases]
* = host=${database.hostname} port=${database.port} user=${database.username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 4
max_client_conn = 200
`,
    { mode: 0o644 },
  );
  const user = postgresUser();
  chmodSync(folder, 0o755);
  const pooler = spawn(program, ['--quiet', file], { stdio: 'ignore', ...user });
  const ended = new Promise<void>((resolve) => pooler.once('close', () => resolve()));
  after(async () => {
    pooler.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  const pooled = new URL(databaseUrl);
  pooled.port = String(port);
  const pool = connect(pooled.href, { max: 1, statementTimeoutMs: 0, isPooled: true });
  await until('the pooler answers', () =>
    pool`select 1`.then(
      () => true,
      () => false,
    ),
  );
  await pool.end();
  return pooled.href;
}
