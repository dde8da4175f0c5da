import { connect, type Pool } from '../../src/core/postgres/db.ts';
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { after, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { openEmbeddedPostgres, type EmbeddedPostgres } from '../../src/core/embedded/embedded-postgres.ts';

const WRITER = path.join(import.meta.dirname, 'embedded-postgres-writer.ts');

type Role = 'service' | 'tool';

export interface Writer {
  child: ChildProcess;
  /** Every line that arrived, including those printed right before the process was killed. */
  lines: string[];
  ended: Promise<void>;
}

export interface Sandbox {
  dataDir: string;
  pidFile: string;
  serverPid: () => Promise<number>;
  open: (role: Role, note?: (message: string) => void) => Promise<EmbeddedPostgres>;
  connect: (embedded: EmbeddedPostgres) => Pool;
  startWriter: (role: Role, rows?: number) => Writer;
}

/** A data directory whose cluster is stopped and empty again, left by the test before. Making one takes seconds. */
let spare: string | undefined;
after(async () => {
  if (spare !== undefined) await rm(spare, { recursive: true, force: true });
});

/** A data directory that nobody else uses; whatever a test opened in it, also one that failed, is gone afterwards. */
export async function sandbox(t: TestContext, from: 'cluster' | 'nothing' = 'cluster'): Promise<Sandbox> {
  const made = from === 'cluster' ? spare : undefined;
  if (made !== undefined) spare = undefined;
  const dataDir = made ?? (await mkdtemp(path.join(tmpdir(), 'waypost-embedded-')));
  const pidFile = path.join(dataDir, 'postgres', 'postmaster.pid');
  const opened: EmbeddedPostgres[] = [];
  const clients: Pool[] = [];
  const writers: Writer[] = [];
  const open: Sandbox['open'] = async (role, note = () => undefined) => {
    const embedded = await openEmbeddedPostgres({ dataDir, role, note });
    opened.push(embedded);
    return embedded;
  };
  t.after(async () => {
    for (const { child } of writers) child.kill('SIGKILL');
    await Promise.all(writers.map(({ ended }) => ended));
    await Promise.all(clients.map((client) => client.end({ timeout: 0 })));
    // A killed writer leaves its server running; the last one to open and release it stops it.
    const isSpare = spare === undefined && existsSync(path.join(dataDir, 'postgres', 'waypost.json'));
    if (isSpare) {
      const sql = connect((await open('tool')).url, { max: 1, statementTimeoutMs: 0 });
      await sql`drop table if exists kept, written`;
      await sql.end();
    } else if (existsSync(pidFile)) await open('tool');
    await Promise.all(opened.map((embedded) => embedded.release()));
    if (isSpare) spare = dataDir;
    else await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  });
  return {
    dataDir,
    pidFile,
    open,
    serverPid: async () => Number((await readFile(pidFile, 'utf8')).split('\n')[0]),
    connect: ({ url }) => {
      const client = connect(url, { max: 1, statementTimeoutMs: 0 });
      clients.push(client);
      return client;
    },
    startWriter: (role, rows) => {
      const writer = startWriter(dataDir, role, rows);
      writers.push(writer);
      return writer;
    },
  };
}

function startWriter(dataDir: string, role: Role, rows = Infinity): Writer {
  const args = [WRITER, dataDir, role, String(rows)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  const ended = Promise.all([once(child, 'exit'), once(reader, 'close')]).then(() => undefined);
  return { child, lines, ended };
}

/** The rows that the writer knows to be committed. */
export function acknowledged({ child, lines }: Writer): string[] {
  assert(child.exitCode === null || child.exitCode === 0, 'the writer failed');
  return lines.filter((line) => line.startsWith('row ')).map((line) => line.slice(4));
}

export async function missing(sql: Pool, ids: readonly string[]): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`select id from written`;
  const present = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => !present.has(id));
}

export async function eventually(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await delay(5);
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
