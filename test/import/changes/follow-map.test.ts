import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { followMap, type FollowOptions } from '../../../src/import/changes/follow-map.ts';
import { clearWatchStop, listWatchStops, storeWatchStop } from '../../../src/import/changes/watch-stop.ts';
import * as jobs from '../../harness/service/jobs.ts';
import { signInStaff } from '../../harness/people/staff.ts';
import { createTestDatabase } from '../../harness/service/database.ts';
import { startTestService } from '../../harness/service/service.ts';
import { importAt, seconds, shopsAround } from '../import-directory.ts';
import { writeOsmPbf, type MadeMap } from '../readers/write-osm-pbf.ts';
import { changeText, nodeText } from './change-text.ts';

const AT = [43.7396, 7.4272] as const;
const cafe = (name: string) => ({ amenity: 'cafe', name });

function mapOf(day: string, name: string, replication?: MadeMap['replication']): Buffer {
  const nodes = [
    { id: 1, lat: AT[0], lng: AT[1], tags: cafe(name), changed: seconds(day) },
    { id: 2, lat: 43.7401, lng: 7.4281, tags: cafe('Constant'), changed: seconds(day) },
    ...shopsAround({ lat: AT[0], lng: AT[1] }),
  ];
  return writeOsmPbf({ nodes, extracted: seconds(day), ...(replication && { replication }) });
}

const database = await createTestDatabase();
const { pool } = database;
const home = await mkdtemp(join(tmpdir(), 'waypost-follow-'));
/** The server's files by path; other paths are 404. */
const served = new Map<string, Buffer | 'breaks off'>();
const asked: string[] = [];
const server = createServer((request, response) => {
  const path = request.url ?? '';
  asked.push(path);
  const content = served.get(path);
  if (content === 'breaks off') {
    response.writeHead(200, { 'content-length': '1000' }).write('half');
    setTimeout(() => response.destroy(), 20);
  } else if (content === undefined) response.writeHead(404).end('<html>not found</html>');
  else {
    const etag = `"${content.length}-${content.subarray(-8).toString('hex')}"`;
    if (request.headers['if-none-match'] === etag) response.writeHead(304).end();
    else response.writeHead(200, { etag, 'content-length': content.length }).end(content);
  }
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;

after(async () => {
  server.close();
  server.closeAllConnections();
  await database.drop();
  await rm(home, { recursive: true });
});

let folder = '';
let runs = 0;
beforeEach(async () => {
  folder = join(home, `maps-${++runs}`);
  await mkdir(folder);
  served.clear();
  asked.length = 0;
  await pool`delete from place`;
});

interface Following {
  said: string[];
  stop(): Promise<void>;
}

function follow(from: string, given: Partial<FollowOptions> = {}): Following {
  const stopped = new AbortController();
  const said: string[] = [];
  const ended = followMap({
    ...{ from, folder: join(home, `kept-${runs}`), watch: true, signal: stopped.signal },
    egress: { allow: [host] },
    log: (line) => said.push(line),
    progress: () => () => undefined,
    importFile: async (file) => {
      const report = await importAt(database, file);
      said.push(`closed ${report.closed}`);
    },
    everyMs: { here: 50, away: 50 },
    ...given,
  });
  const stop = () => {
    stopped.abort();
    return ended;
  };
  after(stop);
  return { said, stop };
}

async function names(): Promise<string[]> {
  const rows = await pool<{ name: string }[]>`
    select name from place where category = 'cafe' and closed_at is null order by name`;
  return rows.map(({ name }) => name);
}

async function until(holds: () => Promise<boolean> | boolean, what: string): Promise<void> {
  await jobs.until(what, holds);
}

async function untilNamed(expected: string[]): Promise<void> {
  await until(
    async () => (await names()).join() === expected.join(),
    `never: ${expected.join()}; is ${(await names()).join()}`,
  );
}

/** A file that nobody writes to any more. */
async function put(name: string, content: Buffer): Promise<void> {
  const part = join(folder, `.${name}`);
  await writeFile(part, content);
  await utimes(part, new Date(), new Date(Date.now() - 60_000));
  const { rename } = await import('node:fs/promises');
  await rename(part, join(folder, name));
}

test('a folder: newer extracts come in, then change files in the order of their numbers, each once', async () => {
  await put('town-2025-01-01.osm.pbf', mapOf('2025-01-01', 'First'));
  // It tells of a day that the extract has already.
  await put('8.osc.gz', changeText({ modify: [nodeText(1, AT, cafe('Older'), '2024-12-01')] }));
  const first = follow(folder);
  await untilNamed(['Constant', 'First']);
  await put('10.osc.gz', changeText({ modify: [nodeText(1, AT, cafe('Tenth'), '2025-01-04')] }));
  await put('9.osc.gz', changeText({ modify: [nodeText(1, AT, cafe('Ninth'), '2025-01-03')] }));
  await untilNamed(['Constant', 'Tenth']);
  await first.stop();
  const again = follow(folder);
  await put('11.osc.gz', changeText({ delete: [nodeText(2, AT, {}, '2025-01-05')] }));
  await untilNamed(['Tenth']);
  await until(
    () => again.said.some((line) => line.startsWith('closed')),
    'the change file has been brought in',
  );
  assert.ok(
    again.said.every((line) => !/town-2025/.test(line)),
    again.said.join('\n'),
  );
  assert.equal(again.said.filter((line) => line.startsWith('closed')).join(), 'closed 1');
  // A newer extract begins anew: of the change files only what is younger than it counts.
  await put('town-2025-02-01.osm.pbf', mapOf('2025-02-01', 'February'));
  await untilNamed(['Constant', 'February']);
  await again.stop();
});

test('a folder: broken files are told and passed over until there is a better one; a file in the making is waited for', async () => {
  await put('town.osm.pbf', mapOf('2025-01-01', 'First'));
  // Slow enough that the broken file is replaced before it has failed three times.
  const following = follow(folder, { everyMs: { here: 2_000, away: 50 } });
  await untilNamed(['Constant', 'First']);
  await put('1.osc.gz', Buffer.from('<html>busy</html>'));
  await until(() => following.said.some((line) => /1\.osc\.gz is not a usable/.test(line)), 'not told');
  await put('1.osc.gz', changeText({ modify: [nodeText(1, AT, cafe('Mended'), '2025-01-03')] }));
  await untilNamed(['Constant', 'Mended']);
  const whole = mapOf('2025-03-01', 'March');
  await writeFile(join(folder, 'march.osm.pbf'), whole.subarray(0, whole.length - 40));
  await delay(200);
  assert.deepEqual(await names(), ['Constant', 'Mended']);
  await put('march.osm.pbf', whole);
  await untilNamed(['Constant', 'March']);
  await following.stop();
});

test('an address: the extract, and what it says is published after it, in order, through refusals and over a restart', async () => {
  const replication = { url: `http://${host}/updates`, sequence: 999 };
  served.set('/town.osm.pbf', mapOf('2025-01-01', 'First', replication));
  served.set('/updates/state.txt', Buffer.from('#Thu\nsequenceNumber=1001\ntimestamp=2025-01-03\n'));
  served.set('/updates/000/001/000.osc.gz', changeText({ modify: [nodeText(1, AT, cafe('Thousandth'))] }));
  served.set('/updates/000/001/001.osc.gz', 'breaks off');
  const first = follow(`http://${host}/town.osm.pbf`);
  await untilNamed(['Constant', 'First']);
  await until(() => asked.filter((path) => path.endsWith('001.osc.gz')).length >= 2, 'not tried again');
  // Nothing of a row of changes is taken before all of it is here.
  assert.deepEqual(await names(), ['Constant', 'First']);
  served.set(
    '/updates/000/001/001.osc.gz',
    changeText({ modify: [nodeText(1, AT, cafe('The one after'), '2025-01-03')] }),
  );
  await untilNamed(['Constant', 'The one after']);
  await first.stop();
  asked.length = 0;
  served.set('/updates/state.txt', Buffer.from('sequenceNumber=1002\n'));
  served.set(
    '/updates/000/001/002.osc.gz',
    changeText({ create: [nodeText(50, [43.7405, 7.4285], cafe('New'))] }),
  );
  const again = follow(`http://${host}/town.osm.pbf`);
  await untilNamed(['Constant', 'New', 'The one after']);
  await again.stop();
  assert.ok(!asked.includes('/town.osm.pbf') && !asked.includes('/updates/000/001/001.osc.gz'), asked.join());
  const kept = await readdir(join(home, `kept-${runs}`));
  assert.ok(
    kept.every((name) => !/\.part$|\.osc\.gz$/.test(name)),
    kept.join(),
  );
});

test('an address without published changes is asked for a newer file, and the same one is not brought in twice', async () => {
  served.set('/plain.osm.pbf', mapOf('2025-01-01', 'First'));
  const following = follow(`http://${host}/plain.osm.pbf`);
  await untilNamed(['Constant', 'First']);
  await until(() => asked.length >= 4, 'not asked again');
  assert.equal(following.said.filter((line) => line.startsWith('Importing ')).length, 1);
  served.set('/plain.osm.pbf', mapOf('2025-02-01', 'Second'));
  await untilNamed(['Constant', 'Second']);
  await following.stop();
});

test('without watching, an address is brought in once, and one that is not there is an error in words', async () => {
  served.set('/once.osm.pbf', mapOf('2025-01-01', 'Once'));
  const options = { watch: false, signal: new AbortController().signal };
  await follow(`http://${host}/once.osm.pbf`, options).stop();
  assert.deepEqual(await names(), ['Constant', 'Once']);
  const absent = followMap({
    ...{ from: `http://${host}/absent.osm.pbf`, folder: join(home, 'absent'), ...options },
    ...{ egress: { allow: [host] }, log: () => undefined, progress: () => () => undefined },
    importFile: () => Promise.resolve(),
  });
  await assert.rejects(absent, /absent\.osm\.pbf answered with status 404/);
});

test('a change file that fails three times stops the watch, and the console and the figures say so until it is followed again', async () => {
  // 66 MB out of 300 kB, in characters of three bytes: it is read by the character.
  const text = Buffer.alloc(66 * 2 ** 20, '寿');
  const bomb = gzipSync(Buffer.concat([Buffer.from('<osmChange>'), text]), { level: 1 });
  await put('town.osm.pbf', mapOf('2025-01-01', 'First'));
  await put('1.osc.gz', bomb);
  const said: string[] = [];
  const watching = (signal: AbortSignal) =>
    followMap({
      ...{ from: folder, folder: join(home, `kept-${runs}`), watch: true, signal },
      ...{ egress: { allow: [] }, log: (line) => said.push(line), progress: () => () => undefined },
      importFile: async (file) => {
        await importAt(database, file);
      },
      onStopped: (stop) => storeWatchStop(pool, stop, new Date('2025-03-01T12:00:00Z')),
      onFollowed: (source) => clearWatchStop(pool, source),
      everyMs: { here: 5, away: 5 },
    });
  await assert.rejects(
    watching(new AbortController().signal),
    /1\.osc\.gz unpacks to more than 64 MB, which is implausible for a file of its size\..* failed 3 times, so .* no longer watched\./,
  );
  assert.equal(said.filter((line) => line.startsWith('Applying 1 change file')).length, 3);
  assert.deepEqual(await names(), ['Constant', 'First']);
  const service = await startTestService({ database: { ...database, begunWith: 0 } });
  const lead = await signInStaff(service, 'lead');
  const overview = async () => (await lead.get('/console')).text();
  assert.match(await overview(), /Map updates have stopped[\s\S]*1\.osc\.gz unpacks to more than/);
  const stopped = async () =>
    /^waypost_map_watches_stopped (\d)$/m.exec(await (await service.request('/metrics')).text())?.[1];
  assert.equal(await stopped(), '1');

  await put('1.osc.gz', changeText({ modify: [nodeText(1, AT, cafe('Mended'), '2025-01-03')] }));
  const stop = new AbortController();
  const again = watching(stop.signal);
  await untilNamed(['Constant', 'Mended']);
  await until(async () => (await listWatchStops(pool)).length === 0, 'the note stays');
  stop.abort();
  await again;
  assert.doesNotMatch(await overview(), /Map updates have stopped/);
  assert.equal(await stopped(), '0');
});
