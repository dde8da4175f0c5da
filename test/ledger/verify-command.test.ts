import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startTestService } from '../harness/service/service.ts';
import { makeBuyer } from '../licensing/buyer.ts';
import { addMadePhoto } from '../licensing/made-photo.ts';

const CLI = join(import.meta.dirname, '../../src/cli.ts');
const service = await startTestService();
const { pool } = service.database;
const folder = await mkdtemp(join(tmpdir(), 'waypost-ledger-'));
after(() => rm(folder, { recursive: true }));

function verify(): Promise<{ code: number; out: string; error: string }> {
  const options = { cwd: folder, env: { ...process.env, DATABASE_URL: service.database.url } };
  return new Promise((resolve) => {
    execFile(process.execPath, [CLI, 'ledger', 'verify'], options, (error, out, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, error: stderr });
    });
  });
}

test('waypost ledger verify prints what it found, and ends with 1 when something does not fit', async () => {
  const buyer = await makeBuyer(service, 5_000);
  await buyer.license(await addMadePhoto(pool, service.clock), 'web', 900, 'k');
  const sound = await verify();
  assert.deepEqual([sound.code, sound.error], [0, '']);
  assert.match(sound.out, /2 transactions with 5 entries on 8 accounts, 1 licence\./);
  assert.match(sound.out, /agent_wallet +41\.00 USD/);
  assert.match(sound.out, /cash_clearing +-50\.00 USD/);
  assert.match(sound.out, /The ledger is consistent/);
  await pool.begin(async (sql) => {
    await sql`set local session_replication_role = replica`;
    await sql`update ledger_account set balance_cents = balance_cents + 100 where kind = 'agent_wallet'`;
  });
  const faulty = await verify();
  assert.equal(faulty.code, 1);
  assert.match(faulty.out, /1 fault:\n {2}account agent_wallet:agt_\w+ says 4200, its entries sum to 4100/);
  assert.match(faulty.error, /The ledger is inconsistent/);
});
