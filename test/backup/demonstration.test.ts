import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { listBackupTables, quoted } from '../../src/backup/tables.ts';
import { openEmbeddedPostgres } from '../../src/core/embedded/embedded-postgres.ts';
import { connect, type Pool } from '../../src/core/postgres/db.ts';
import { ledgerTotals } from '../../src/ledger/verify-ledger.ts';
import { licensedFileOf, uploadedFileOf } from '../../src/photos/photo-storage.ts';
import { makeTimelines } from '../bookings/timeline/made-timelines.ts';
import { createDemoDatabase } from '../harness/service/demo.ts';
import { addTestPartner } from '../harness/people/partner.ts';
import { rpc } from '../harness/clients/mcp.ts';
import { startTestService, TestClock, type TestService } from '../harness/service/service.ts';
import type { DemoSize } from '../harness/service/shared-service.ts';
import { LONG, tries } from '../harness/tier.ts';
import { makeBuyer } from '../licensing/buyer.ts';
import { addMadePhoto } from '../licensing/made-photo.ts';
import { smallPhoto } from '../photos/made-pictures.ts';
import { addPhotographer, sendApproved } from '../photos/photographer.ts';
import { waypost, waypostHere } from './commands.ts';

const PLACES: DemoSize = LONG ? 3000 : 300;
const SEARCHES = tries({ quick: 10, long: 200 });
/** Tables that a running node writes about itself. */
const OF_NODES = ['job_runner', 'index_build'];

const folder = mkdtempSync(join(tmpdir(), 'waypost-backup-'));
after(() => {
  rmSync(folder, { recursive: true, force: true });
});
const FILE = join(folder, 'waypost.tar');
const elsewhere = join(folder, 'another-machine');

/** The rows of every table, as figures that do not depend on their order. */
async function fingerprints(pool: Pool): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const { name, columns } of await listBackupTables(pool)) {
    if (OF_NODES.includes(name)) continue;
    const row = `row(${columns.map(quoted).join(', ')})::text`;
    const [sum] = await pool.unsafe<{ said: string }[]>(
      `select count(*) || ' rows, ' || coalesce(sum(hashtextextended(${row}, 0)), 0) as said from ${quoted(name)}`,
    );
    found[name] = sum?.said ?? '';
  }
  return found;
}

async function answers(service: TestService, headers: Record<string, string>): Promise<unknown[]> {
  const places = await service.database.pool<{ name: string; vertical: string; slug: string }[]>`
    select p.name, p.vertical, d.slug from place p join destination d on d.id = p.destination_id
    order by md5(p.id) limit ${SEARCHES / 2}`;
  const asked = places.flatMap(({ name, vertical, slug }) =>
    [name, vertical].map((query) => ({ destination: slug, query, limit: 20 })),
  );
  const given: unknown[] = [];
  for (const input of asked) {
    const message = { id: 1, method: 'tools/call', params: { name: 'search_places', arguments: input } };
    const { body } = await rpc(service, '/api/partner/mcp', message, headers);
    const { result } = body;
    assert.notEqual(result?.['isError'], true, JSON.stringify(result));
    given.push(result?.['structuredContent']);
  }
  return given;
}

test('backup, delete, restore on another machine: rows, files, ledger, timelines and searches are equal', async (t) => {
  const database = await createDemoDatabase(PLACES, new TestClock().now());
  const settings = { PHOTO_DIR: join(folder, 'photos') };
  const source = await startTestService({ database: { ...database, begunWith: PLACES }, settings });
  const { pool } = database;
  const { photoStorage, newId } = source.app.deps;
  const partner = await addTestPartner(source, { plan: 'platform' });
  await makeTimelines(pool, newId, { partnerId: partner.partnerId, bookings: 40 });
  const sent = await sendApproved(source, await addPhotographer(source), await smallPhoto(3));
  const sold = Buffer.from('the file that was paid for');
  const soldId = await addMadePhoto(pool, source.clock, { file: sold });
  await photoStorage.put(licensedFileOf(soldId), sold, 'image/jpeg');
  const buyer = await makeBuyer(source, 5_000);
  const { body } = await buyer.license(soldId, 'web', 900, 'k');
  const download = new URL((body['download'] as { url: string }).url).pathname;
  const lostId = await addMadePhoto(pool, source.clock);
  const waiting = await addMadePhoto(pool, source.clock, { state: 'to_check' });
  await pool`update photo set state = 'processing' where id = ${waiting}`;
  await photoStorage.put(uploadedFileOf(waiting), await smallPhoto(4), 'application/octet-stream');
  await source.close();

  // Of places that rank alike those that came first are first; a node that begins anew has them all in one order.
  const running = await startTestService({ database, settings });
  const made = await waypostHere(['backup', FILE], { DATABASE_URL: database.url, ...settings });
  assert.equal(made.code, 0, made.error);
  assert.match(made.out, /rows of \d+ tables and 3 photo files/);
  assert.match(made.out, new RegExp(`lacks 1 file [^]*${licensedFileOf(lostId)}`));
  assert.equal(statSync(FILE).mode & 0o777, 0o600);
  const rows = await fingerprints(pool);
  const ledger = await ledgerTotals(pool);
  // Searches come after the backup: the node writes down later that a key was used.
  const found = await answers(running, partner.headers);
  assert.equal(found.length, SEARCHES);
  await running.close();
  await database.drop();
  rmSync(settings.PHOTO_DIR, { recursive: true });

  const restored = await waypostHere(['restore', FILE], { DATA_DIR: elsewhere });
  assert.equal(restored.code, 0, restored.error);
  const again = await waypostHere(['restore', FILE], { DATA_DIR: elsewhere });
  assert.equal(again.code, 1);
  assert.match(again.error, /^The database already contains data.*Set DATA_DIR to a new folder/);

  const server = await openEmbeddedPostgres({ dataDir: elsewhere, role: 'service', note: () => undefined });
  t.after(() => server.release());
  const own = connect(server.url, { max: 10, statementTimeoutMs: 15_000 });
  assert.deepEqual(await fingerprints(own), rows);
  assert.deepEqual(await ledgerTotals(own), ledger);
  assert.ok(ledger.some(({ cents }) => cents !== 0));
  const node = await startTestService({
    database: { url: server.url, pool: own, drop: () => own.end() },
    settings: { DATA_DIR: elsewhere },
  });
  assert.deepEqual(await answers(node, partner.headers), found);
  const paid = Buffer.from(await (await node.request(download)).arrayBuffer());
  assert.ok(paid.equals(sold));
  const preview = await node.request(`/photos/${sent.id}/w480`);
  assert.equal(preview.status, 200, 'drawn again from the full file');
  const { apiKey } = buyer;
  const known = await node.request('/api/agent/me', { headers: { authorization: `Bearer ${apiKey}` } });
  assert.equal(known.status, 200, 'keys are known');
  await node.close();
  await own.end();
});

if (LONG)
  test('backup verify restores, starts and compares, and sends nothing', async () => {
    const { code, out, error } = await waypost(['backup', 'verify', FILE], { TMPDIR: folder });
    assert.equal(code, 0, error + out);
    assert.match(out, /place +3,\d{3} rows {2}equal/);
    assert.doesNotMatch(out, /DIFFERENT/);
    assert.match(out, /Photos: 3 of 3 files match\./);
    assert.match(out, /agent_wallet +41\.00 USD/);
    assert.match(out, /Timelines: 40 bookings with \d+ entries, 0 broken\./);
    assert.match(out, /Service: \/readyz is 200\.\nSearches: 200 of 200 places found/);
  });
