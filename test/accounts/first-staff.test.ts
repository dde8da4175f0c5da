import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as dial, createServer, type AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { pino } from 'pino';
import { verifyPassword } from '../../src/accounts/staff/password.ts';
import { parseConfig } from '../../src/config.ts';
import { connect } from '../../src/core/postgres/db.ts';
import { prepareStaff } from '../../src/node/first-start.ts';
import { createTestDatabase } from '../harness/service/database.ts';

const database = await createTestDatabase();
after(() => database.drop());

/** Passes everything on to the real server, but ends the first connection whose commit was answered. */
async function losesFirstCommit(): Promise<string> {
  const { hostname, port } = new URL(database.url);
  let lost = false;
  const server = createServer((near) => {
    const far = dial(Number(port), hostname);
    near.on('error', () => undefined).pipe(far.on('error', () => undefined));
    far.on('end', () => near.end());
    far.on('data', (said) => {
      if (lost || !said.includes('COMMIT\0')) near.write(said);
      else {
        lost = true;
        near.destroy();
        far.end();
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => server.close());
  const url = new URL(database.url);
  url.port = String((server.address() as AddressInfo).port);
  return url.href;
}

test('a password is printed once although the answer to its commit was lost, and a later start prints none', async () => {
  const pool = connect(await losesFirstCommit(), { max: 2, statementTimeoutMs: 15_000 });
  after(() => pool.end({ timeout: 1 }));
  const warned: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => warned.push(line) });
  const running = { log, stop: new AbortController().signal };
  const place = { url: database.url, pool } as Parameters<typeof prepareStaff>[1];

  const told = await prepareStaff(parseConfig({}), place, running);
  const stored = await database.pool<{ email: string; password_hash: string }[]>`
    select email, password_hash from staff`;
  assert.equal(warned.length, 1, 'one commit was not answered');
  assert.deepEqual(
    stored.map(({ email }) => email),
    [told?.email],
  );
  assert.ok(await verifyPassword(told?.password ?? '', stored[0]?.password_hash ?? ''));

  assert.equal(await prepareStaff(parseConfig({}), place, running), undefined);
});

test('stopping a start while the database is away does not wait for it', async () => {
  const pool = connect('postgres://nobody@127.0.0.1:1/none', { max: 1, statementTimeoutMs: 15_000 });
  after(() => pool.end({ timeout: 1 }));
  const stop = new AbortController();
  const log = pino(
    { level: 'warn' },
    {
      write: () => {
        stop.abort();
      },
    },
  );
  const place = { url: '', pool } as Parameters<typeof prepareStaff>[1];
  assert.equal(await prepareStaff(parseConfig({}), place, { log, stop: stop.signal }), undefined);
});
