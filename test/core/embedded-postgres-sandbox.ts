import { connect, type Pool } from '../../src/core/postgres/db.ts';
import assert from 'node:assert/strict';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
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

/** A data directory of its own; whatever a test opened in it, also one that failed, is gone afterwards. */
export async function sandbox(t: TestContext, from: 'cluster' | 'nothing' = 'cluster'): Promise<Sandbox> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'waypost-embedded-'));
  // Copied as it is, with owners and modes, so that it differs from one made here only in its age.
  if (from === 'cluster')
    execFileSync('cp', ['-a', path.join(await madeCluster(), 'postgres'), path.join(dataDir, 'postgres')]);
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
    // A killed writer leaves its server behind: whoever opens last and releases stops it.
    if (existsSync(pidFile)) await open('tool');
    await Promise.all(opened.map((embedded) => embedded.release()));
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
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

let made: Promise<string> | undefined;
after(async () => {
  if (made !== undefined) await rm(await made, { recursive: true, force: true });
});

/** The data directory of a cluster that was made by a first start and stopped; making one takes seconds. */
function madeCluster(): Promise<string> {
  made ??= (async () => {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'waypost-embedded-'));
    const embedded = await openEmbeddedPostgres({ dataDir, role: 'tool', note: () => undefined });
    await embedded.release();
    return dataDir;
  })();
  return made;
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
