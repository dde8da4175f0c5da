import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startReceiver } from '../callbacks/receiver.ts';
import { createTestDatabase } from '../harness/service/database.ts';
import { until } from '../harness/service/jobs.ts';
import { PHOTO_DIR } from '../harness/service/program.ts';
import { startTestService } from '../harness/service/service.ts';
import { header, LOOKS_OFTEN, WebhookPartner } from './webhook-partner.ts';

const BOOKINGS = 20;
const MOVES = 3;
const LEASE_MS = 61_000;

const receiver = await startReceiver();
const database = await createTestDatabase();
const settings = { ...LOOKS_OFTEN, EGRESS_ALLOW: receiver.pair, DEMO: 'off' };

/** The program as a person starts it, on the database of this test. */
function startNode(): ChildProcess {
  const dataDir = mkdtempSync(join(tmpdir(), 'waypost-killed-'));
  after(() => {
    rmSync(dataDir, { recursive: true, force: true });
  });
  const child = spawn(process.execPath, ['test/harness/service/tuned-start.ts'], {
    cwd: new URL('../../', import.meta.url),
    env: {
      PATH: process.env['PATH'],
      ...settings,
      DATA_DIR: dataDir,
      PHOTO_DIR,
      DATABASE_URL: database.url,
      PORT: '0',
      BASE_URL: 'https://waypost.example',
      PROBE_WEBSITES: 'off',
      LOG_LEVEL: 'silent',
    },
    stdio: 'ignore',
  });
  after(() => child.kill('SIGKILL'));
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** For the database, the last minute has passed: leases are over, and nobody has heard of the dead for long. */
async function letLeasesEnd(): Promise<void> {
  await database.pool`update job_runner set seen_at = seen_at - interval '1 minute'`;
  await database.pool`update webhook_delivery set leased_until = leased_until - interval '61 seconds'`;
  await database.pool`
    update graphile_worker._private_jobs set run_at = run_at - ${LEASE_MS} * interval '1 millisecond'`;
}

/** After how many deliveries a node is killed. */
const KILLED_AFTER = [10, 25];

test('nodes that are killed without warning lose no move and mix up no order', async () => {
  const first = await startTestService({ database, settings });
  const partner = await WebhookPartner.register(first, `${receiver.url}/killed`);
  await first.close();
  // Slow enough that there is always something under way.
  receiver.answer = (response) => setTimeout(() => response.end(), 30);
  const bookings = Array.from({ length: BOOKINGS }, () => partner.newBooking());
  for (let sequence = 1; sequence <= MOVES; sequence++)
    for (const booking of bookings) await partner.move(booking, sequence);
  for (const received of KILLED_AFTER) {
    const node = startNode();
    await until(`${received} have arrived`, () => receiver.received.length >= received);
    await kill(node);
    await letLeasesEnd();
  }
  const last = await startTestService({ database, settings });
  last.clock.advance(Date.now() - last.clock.now().getTime());
  await until('all are delivered', async () => {
    const rows = await database.pool`select from webhook_delivery where state <> 'delivered'`;
    return rows.length === 0;
  });
  for (const booking of bookings) {
    const mine = receiver.received.filter(({ body }) => body.includes(booking));
    const ids = new Map(mine.map((one) => [numberOf(one.body), header(one, 'webhook-id')]));
    assert.deepEqual([...ids.keys()], [1, 2, 3], 'each has come, and for the first time in its order');
    for (const one of mine) assert.equal(header(one, 'webhook-id'), ids.get(numberOf(one.body)));
  }
  await last.close();
  await database.drop();
});

function numberOf(body: string): number {
  return (JSON.parse(body) as { sequence: number }).sequence;
}
