import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { readFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { connect } from '../../src/core/postgres/db.ts';
import { openEmbeddedPostgres } from '../../src/core/embedded/embedded-postgres.ts';
import { freePort } from '../harness/service/program.ts';
import { USER_AGENT } from '../harness/service/service.ts';
import { LONG, tries } from '../harness/tier.ts';

// The program as a person starts it, killed without warning while agents sign up. What was acknowledged must be there.
const ROUNDS = tries({ quick: 1, long: 5 });
const WRITERS = 8;

const dataDir = await mkdtemp(join(tmpdir(), 'waypost-kill-'));
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const acknowledged = new Map<string, string>();
let service: ChildProcess | undefined;
let serial = 0;

after(async () => {
  if (service !== undefined) await stop(service, 'SIGTERM');
  await rm(dataDir, { recursive: true, force: true });
});

for (let round = 1; round <= ROUNDS; round++) {
  test(`round ${round}: PostgreSQL is killed during writes, comes back by itself, and nothing acknowledged is lost`, async () => {
    service ??= await start();
    const writing = write();
    await atLeast(writing, 20);
    const killed = await postmasterPid();
    process.kill(killed, 'SIGKILL');
    await anotherPostmaster(killed);
    await readyAgain();
    writing.over = true;
    await writing.done;
    await assertNothingLost();
  });
}

for (let round = 1; round <= ROUNDS; round++) {
  test(`round ${round}: the service is killed during writes, and nothing that it acknowledged is lost`, async () => {
    service ??= await start();
    const writing = write();
    await atLeast(writing, 20);
    await stop(service, 'SIGKILL');
    service = undefined;
    await writing.done;
    // Each is a start of the whole program; `npm test` looks at what the killed one has left.
    if (LONG) service = await start();
    await assertNothingLost();
  });
}

interface Writing {
  written: number;
  /** Set when writers should end: the database may be back before a writer has noticed that it was away. */
  over: boolean;
  done: Promise<void>;
}

/** Signs agents up from several connections until the service, or its database, no longer answers or it is over. */
function write(): Writing {
  const writing: Writing = { written: 0, over: false, done: Promise.resolve() };
  writing.done = Promise.all(Array.from({ length: WRITERS }, () => writeUntilRefused(writing))).then(
    () => undefined,
  );
  return writing;
}

async function writeUntilRefused(writing: Writing): Promise<void> {
  while (!writing.over) {
    const email = `agent-${++serial}@operator.example`;
    // Every attempt comes from another address, because sign-ups are limited by address.
    const address = `203.0.${Math.floor(serial / 250) % 250}.${serial % 250}`;
    try {
      const response = await fetch(`${url}/api/agent/signup`, {
        method: 'POST',
        headers: { 'user-agent': USER_AGENT, 'content-type': 'application/json', 'x-forwarded-for': address },
        body: JSON.stringify({
          agent_name: 'Kill Test',
          operator_name: 'Operator',
          operator_email: email,
          purpose: 'Signs up while the service is killed.',
        }),
      });
      if (response.status !== 201) return;
      acknowledged.set(email, ((await response.json()) as { agent_id: string }).agent_id);
      writing.written++;
    } catch {
      return;
    }
  }
}

async function atLeast(writing: Writing, count: number): Promise<void> {
  while (writing.written < count) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Reads the database itself, as an administrator would, while the service runs. */
async function assertNothingLost(): Promise<void> {
  const server = await openEmbeddedPostgres({ dataDir, role: 'tool', note: () => undefined });
  const pool = connect(server.url, { max: 1, statementTimeoutMs: 0 });
  const rows = await pool<{ email: string; id: string; keys: number; audits: number }[]>`
    select operator_email as email, id,
           (select count(*)::int from api_key where agent_id = agent.id) as keys,
           (select count(*)::int from audit_log where subject = agent.id) as audits
    from agent`;
  await pool.end();
  await server.release();
  const stored = new Map(rows.map((row) => [row.email, row]));
  const missing = [...acknowledged].filter(([email, id]) => stored.get(email)?.id !== id);
  assert.deepEqual(missing, []);
  assert.ok(
    rows.every(({ keys, audits }) => keys === 1 && audits === 1),
    'an agent, its key and its audit row stand or fall together',
  );
}

async function start(): Promise<ChildProcess> {
  const env = {
    ...process.env,
    DATA_DIR: dataDir,
    PORT: String(port),
    DEMO: 'off',
    LOG_LEVEL: 'fatal',
    TRUSTED_PROXIES: '127.0.0.1',
  };
  const child = spawn(process.execPath, ['src/cli.ts', 'start'], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise<never>((_resolve, reject) =>
    child.once('exit', (code) => {
      reject(new Error(`The service ended with ${code}.`));
    }),
  );
  ended.catch(() => undefined);
  await Promise.race([readyAgain(), ended]);
  return child;
}

async function readyAgain(): Promise<void> {
  for (;;) {
    const response = await fetch(`${url}/readyz`).catch(() => undefined);
    if (response?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function stop(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await ended;
}

async function postmasterPid(): Promise<number> {
  const text = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8');
  const pid = Number(text.split('\n')[0]);
  assert.ok(pid > 1, 'the file names a process');
  return pid;
}

/** The file names a postmaster that was killed until another takes its place; until then there is none to kill. */
async function anotherPostmaster(killed: number): Promise<void> {
  while ((await postmasterPid().catch(() => killed)) === killed)
    await new Promise((resolve) => setTimeout(resolve, 10));
}
