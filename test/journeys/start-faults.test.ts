import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startHere } from '../backup/commands.ts';
import { createTestDatabase } from '../harness/service/database.ts';
import { until } from '../harness/service/jobs.ts';
import { passingServer, refusingServer, silentServer } from '../harness/service/postgres-stand-in.ts';
import { LONG } from '../harness/tier.ts';
import { freePort, PHOTO_DIR, startProgram, untilReady } from '../harness/service/program.ts';

const SERVICE = [process.execPath, 'src/cli.ts', 'start'];
const PASSWORD = 'a-password-that-nobody-sees';
// Parameters that PgBouncer accepts; any other must be configured in it.
const POOLER_TAKES = ['user', 'database', 'application_name', 'client_encoding'];

const database = await createTestDatabase();
after(() => database.drop());
const DATA_DIR = mkdtempSync(join(tmpdir(), 'waypost-start-'));
after(() => {
  rmSync(DATA_DIR, { recursive: true, force: true });
});
const taken = createServer().listen(0, '127.0.0.1');
after(() => taken.close());

/**
 * Starts the service, which must end by itself, and gives what it said on standard error. The program takes a second or
 * two each time: `npm test` does what it does in this process.
 */
async function failedStart(settings: Record<string, string>): Promise<string> {
  const { code, out, error } = LONG
    ? await startedProgram(settings)
    : await startHere({ DATA_DIR: join(DATA_DIR, 'here'), PHOTO_DIR, ...settings });
  assert.equal(code, 1, error);
  assert.ok(!(error + out).includes(PASSWORD));
  return error;
}

async function startedProgram(settings: Record<string, string>) {
  const { ended, said } = startProgram(SERVICE, { PORT: String(await freePort()), ...settings });
  return { code: await ended, ...said };
}

function at(place: string | number, more = ''): Record<string, string> {
  const where = typeof place === 'number' ? `127.0.0.1:${place}` : place;
  return { DATABASE_URL: `postgres://waypost:${PASSWORD}@${where}/waypost${more}` };
}

test('each way in which a database cannot be used is one sentence that says what to do', async () => {
  const old = await passingServer(database.url, {
    change: (said) =>
      Buffer.from(
        said.toString('latin1').replaceAll(/\b18\.\d/g, (v) => '14.9'.slice(0, v.length)),
        'latin1',
      ),
  });
  const [silent, closed, pooler] = await Promise.all([
    silentServer(),
    refusingServer('28000', 'no pg_hba.conf entry for host "10.0.0.7", user "waypost", no encryption'),
    passingServer(database.url, { parameters: POOLER_TAKES }),
  ]);
  const own = new URL(database.url);
  const told: [Record<string, string>, string][] = [
    [
      at('database.invalid'),
      'The host of database.invalid:5432 cannot be resolved. Check its name in DATABASE_URL and the name server of this machine.',
    ],
    [at(1), 'PostgreSQL does not listen at 127.0.0.1:1. Start it, or check DATABASE_URL.'],
    [
      at(silent),
      `The server at 127.0.0.1:${silent} does not answer. Check that it is PostgreSQL and that it is not frozen.`,
    ],
    [
      at(own.host, '?sslmode=require'),
      `PostgreSQL at ${own.host} does not accept encrypted connections. Switch TLS on there, or remove sslmode from DATABASE_URL.`,
    ],
    [
      at(closed),
      `PostgreSQL at 127.0.0.1:${closed} refuses connections without TLS. Add sslmode=verify-full to DATABASE_URL, or allow it in pg_hba.conf.`,
    ],
    [at(own.host), `PostgreSQL at ${own.host} refuses the password. Check DATABASE_URL.`],
    [
      at(pooler, '?options=-c%20jit%3Doff'),
      `The server at 127.0.0.1:${pooler} refuses a connection parameter (unsupported startup parameter: options). Remove the parameter from DATABASE_URL, or configure the pooler to ignore it.`,
    ],
    [
      { DATABASE_URL: database.url.replace(own.port, String(old)) },
      'PostgreSQL 14.9 is too old. Waypost needs 15 or newer: upgrade it, or set DATABASE_URL to another server.',
    ],
    [
      { DATABASE_URL: database.url, DATA_DIR: '/dev/null/waypost' },
      'The data directory /dev/null/waypost cannot be used: ENOTDIR: not a directory. Start Waypost as the user it belongs to, or choose another DATA_DIR.',
    ],
    [
      { DATA_DIR: '/dev/null/waypost' },
      'The data directory /dev/null/waypost cannot be used: ENOTDIR: not a directory. Start Waypost as the user it belongs to, or choose another DATA_DIR.',
    ],
  ];
  // For the silent one a start waits for long.
  const tried = LONG ? told : told.filter(([{ DATABASE_URL = '' }]) => !DATABASE_URL.includes(`:${silent}/`));
  const atOnce = LONG ? 5 : 1;
  for (let from = 0; from < tried.length; from += atOnce)
    await Promise.all(
      tried.slice(from, from + atOnce).map(async ([settings, sentence]) => {
        assert.equal(await failedStart(settings), `${sentence}\n`);
      }),
    );
});

test('a database that cannot hold every script ends the start with a sentence', async () => {
  const ascii = await createTestDatabase("template0 encoding 'SQL_ASCII' locale 'C'");
  assert.equal(
    await failedStart({ DATABASE_URL: ascii.url }),
    "The database of DATABASE_URL is encoded in SQL_ASCII, and Waypost needs UTF8. Create another one: create database waypost encoding 'UTF8' template template0.\n",
  );
  await ascii.drop();
});

test('a database that takes no changes ends the start with a sentence', async () => {
  const closed = await createTestDatabase('template0');
  const [row] = await closed.pool<{ name: string }[]>`select current_database() as name`;
  await closed.pool`alter database ${closed.pool(row?.name ?? '')} set default_transaction_read_only = on`;
  const { host } = new URL(closed.url);
  assert.equal(
    await failedStart({ DATABASE_URL: closed.url }),
    `The database at ${host} is read-only. Set DATABASE_URL to the primary server, or make this one writable.\n`,
  );
  await closed.drop();
});

test('the service starts behind a pooler that takes few parameters, alone on its folder, and a start that failed uses up no password', async () => {
  const pooler = await passingServer(database.url, { parameters: POOLER_TAKES });
  const url = new URL(database.url);
  url.port = String(pooler);
  const { port } = taken.address() as AddressInfo;
  await failedStart({ DATABASE_URL: url.href, PORT: String(port) });
  assert.equal((await database.pool`select from staff`).count, 0);
  const program = startProgram(SERVICE, { DATABASE_URL: url.href, DATA_DIR, PORT: String(await freePort()) });
  await untilReady(program);
  await until('the password is shown', () =>
    /shown only once:\n\n.*\n {2}password {2}\S+/.test(program.said.out),
  );

  const inUse = `Another Waypost is already running on the data directory ${DATA_DIR}. Stop that one first, or start this one with a DATA_DIR of its own.\n`;
  const others = [{ DATABASE_URL: database.url, DATA_DIR }, { DATA_DIR }];
  for (const settings of others) assert.equal(await failedStart(settings), inUse);
  assert.ok(!existsSync(join(DATA_DIR, 'postgres')), 'nor was a database made there');
  process.kill(program.child.pid ?? 0, 'SIGTERM');
  assert.equal(await program.ended, 0, program.said.error);
});
