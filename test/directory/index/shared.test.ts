import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { searchPlaces } from '../../../src/search/search-places.ts';
import { createDemoDatabase } from '../../harness/service/demo.ts';
import { until } from '../../harness/service/jobs.ts';
import { startTestService, TestClock, type TestService } from '../../harness/service/service.ts';
import { longTest, tries } from '../../harness/tier.ts';
import { S3_KEYS, startS3Server } from '../../photos/s3-server.ts';
import { addMadeUpPlace } from '../made-up-place.ts';
import { flipQuietly } from './damage.ts';

const folder = mkdtempSync(join(tmpdir(), 'waypost-shared-index-'));
const database = await createDemoDatabase(3000, new TestClock().now());
after(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});
const STORED = join(folder, 'photos', 'index');

let nodes = 0;
/** Starts a node with an empty data directory. */
function startNode(settings: Record<string, string> = { PHOTO_DIR: join(folder, 'photos') }) {
  const own = { DATABASE_URL: database.url, DATA_DIR: join(folder, `node-${nodes++}`) };
  mkdirSync(own.DATA_DIR);
  return startTestService({ database, settings: { ...own, ...settings } });
}

async function figures(service: TestService): Promise<{ builds: number; fetches: number }> {
  const metrics = await (await service.request('/metrics')).text();
  const read = (name: string) =>
    Number(new RegExp(`^waypost_search_index_${name}_total (\\d+)$`, 'm').exec(metrics)?.[1]);
  return { builds: read('builds'), fetches: read('fetches') };
}

const hasLogged = ({ logged }: TestService, text: string) =>
  logged.some(({ msg }) => String(msg).startsWith(text));
const copies = () => database.pool<{ id: string; finished: boolean }[]>`
  select id, finished_at is not null as finished from shared_index order by begun_at`;
const search = ({ app }: TestService, text: string) =>
  searchPlaces(app.deps, { text, limit: 50 }).hits.map(({ place }) => place.placeId);
const QUESTIONS = ['pizza', 'hotel paris', 'sushi tokyo'];
const answers = (service: TestService) => QUESTIONS.map((question) => search(service, question));

async function forgetCopies(): Promise<void> {
  await database.pool`delete from shared_index`;
  rmSync(STORED, { recursive: true, force: true });
}

/** The sequence that the positions of partners belong to. */
async function readSequence(): Promise<string | undefined> {
  const [row] = await database.pool<{ id: string }[]>`select id from change_sequence`;
  return row?.id;
}

const first = await startNode();
await until('the first node has shared its index', () => hasLogged(first, 'index shared'));
const sequence = await readSequence();

test('the first node builds the index and shares it, the second one fetches it and follows from there', async () => {
  assert.deepEqual(await figures(first), { builds: 1, fetches: 0 });
  assert.deepEqual(
    (await copies()).map(({ finished }) => finished),
    [true],
  );
  const added = await addMadeUpPlace(database.pool, first.clock, { name: 'Between Two Nodes' });
  const second = await startNode();
  assert.deepEqual(await figures(second), { builds: 0, fetches: 1 });
  assert.deepEqual(answers(second), answers(first));
  assert.ok(answers(first).every((places) => places.length > 0));
  assert.equal(search(second, 'between two nodes')[0], added, 'a change after the copy was made');
  const later = await addMadeUpPlace(database.pool, first.clock, { name: 'After Both Nodes' });
  for (const node of [first, second]) {
    await node.app.deps.places.follow();
    assert.equal(search(node, 'after both nodes')[0], later);
  }
  assert.equal(await readSequence(), sequence, 'no position of a partner was given up');
  await second.close();
});

test('a node whose file was damaged heals from the shared copy', async () => {
  const node = await startNode();
  const [name = ''] = readdirSync(join(folder, `node-${nodes - 1}`, 'index')).filter((file) =>
    file.endsWith('.mdb'),
  );
  const before = answers(node);
  flipQuietly(join(folder, `node-${nodes - 1}`, 'index', name));
  node.app.deps.places.distrustFile(node.app.deps.places.file ?? '');
  await until('it has fetched another one', async () => (await figures(node)).fetches === 2);
  await until('it answers', () => node.app.deps.places.isReady);
  assert.deepEqual(answers(node), before);
  assert.equal((await figures(node)).builds, 0);
  await node.close();
});

longTest('nodes that start together build one index: the others wait for it', async () => {
  await forgetCopies();
  const [one, two] = await Promise.all([startNode(), startNode()]);
  const both = [await figures(one), await figures(two)].toSorted((a, b) => b.builds - a.builds);
  assert.deepEqual(both, [
    { builds: 1, fetches: 0 },
    { builds: 0, fetches: 1 },
  ]);
  assert.deepEqual(answers(one), answers(two));
  await one.close();
  await two.close();
});

test('a part that was changed or removed is refused, and the node builds its own index and shares it', async () => {
  const harms: ((part: string) => void)[] = [
    (part) => {
      const bytes = readFileSync(part);
      bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1);
      writeFileSync(part, bytes);
    },
    (part) => rmSync(part),
  ];
  for (const harm of harms.slice(0, tries({ quick: 1, long: 2 }))) {
    for (const { id } of await copies()) {
      const parts = readdirSync(join(STORED, id)).filter((name) => name === '0');
      if (parts.length > 0) harm(join(STORED, id, '0'));
    }
    const node = await startNode();
    assert.ok(hasLogged(node, 'the shared search index cannot be used'));
    assert.deepEqual(await figures(node), { builds: 1, fetches: 0 });
    assert.deepEqual(answers(node), answers(first));
    await until('it shares its own', () => hasLogged(node, 'index shared'));
    await node.close();
  }
  const kept = await copies();
  assert.deepEqual(
    kept.map(({ finished }) => finished),
    [true, true],
  );
  const stored = readdirSync(STORED).filter((id) => readdirSync(join(STORED, id)).length > 0);
  assert.deepEqual(
    stored.filter((id) => kept.every((copy) => copy.id !== id)),
    [],
    'older copies were deleted',
  );
  const node = await startNode();
  assert.deepEqual(await figures(node), { builds: 0, fetches: 1 });
  await node.close();
});

longTest(
  'a copy of another state of the database is refused before it can end the positions of partners',
  async () => {
    await first.close();
    await database.pool`update index_build set followed_xid = '3'`;
    const node = await startNode();
    assert.deepEqual(await figures(node), { builds: 1, fetches: 0 });
    const refusals = node.logged.filter(({ msg }) => String(msg).startsWith('the shared search index'));
    assert.ok(refusals.length > 0);
    assert.equal(await readSequence(), sequence);
    await until('it shares its own', () => hasLogged(node, 'index shared'));
    await node.close();
  },
);

test('a node whose storage does not answer builds its own index', async () => {
  const node = await startNode({
    PHOTO_S3_URL: 'http://127.0.0.1:9',
    PHOTO_S3_BUCKET: 'nothing-there',
    PHOTO_S3_KEY: S3_KEYS.accessKey,
    PHOTO_S3_SECRET: S3_KEYS.secretKey,
  });
  assert.deepEqual(await figures(node), { builds: 1, fetches: 0 });
  await until('the failure is logged', () =>
    hasLogged(node, 'the search index could not be put into the shared storage'),
  );
  const leases = await database.pool`select 1 from index_lease`;
  assert.equal(leases.length, 0);
  await node.close();
});

longTest('the index is shared through a bucket too', async () => {
  const { url, bucket, accessKey, secretKey } = await startS3Server();
  const settings = {
    PHOTO_S3_URL: url,
    PHOTO_S3_BUCKET: bucket,
    PHOTO_S3_KEY: accessKey,
    PHOTO_S3_SECRET: secretKey,
  };
  await forgetCopies();
  const one = await startNode(settings);
  await until('it has shared its index', () => hasLogged(one, 'index shared'));
  const two = await startNode(settings);
  assert.deepEqual(await figures(two), { builds: 0, fetches: 1 });
  assert.deepEqual(answers(two), answers(one));
  await two.close();
  await one.close();
});
