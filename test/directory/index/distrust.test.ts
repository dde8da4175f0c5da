import assert from 'node:assert/strict';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { connect } from '../../../src/core/postgres/db.ts';
import { IndexStore } from '../../../src/search/store/index-store.ts';
import { business, SubmittingAgent } from '../../harness/people/submissions.ts';
import { LONG } from '../../harness/tier.ts';
import { copyIndex } from '../../harness/service/copied-index.ts';
import { createDemoDatabase } from '../../harness/service/demo.ts';
import { until } from '../../harness/service/jobs.ts';
import { signUpAgent, startTestService, TestClock, type TestService } from '../../harness/service/service.ts';
import { addMadeUpPlace } from '../made-up-place.ts';
import { beginTransaction } from '../../harness/service/database.ts';
import { alterNames, flipQuietly, overwrite } from './damage.ts';

const DATA_DIR = mkdtempSync(join(tmpdir(), 'waypost-distrust-'));
const FOLDER = join(DATA_DIR, 'index');
const PLACES = LONG ? 3000 : 300;
const database = await createDemoDatabase(PLACES, new TestClock().now());
await copyIndex(PLACES, database.pool, FOLDER);
const start = () => startTestService({ database, settings: { DATA_DIR } });
let service: TestService = await start();
const { apiKey } = await signUpAgent(service);
await database.pool`update agent set plan = 'scale'`;
after(async () => {
  await service.close();
  await database.drop();
  rmSync(DATA_DIR, { recursive: true, force: true });
});

const headers = { authorization: `Bearer ${apiKey}` };
const ask = (query: string) => service.request(`/api/agent/search?${query}`, { headers });

async function names(query: string): Promise<string[]> {
  const response = await ask(query);
  assert.equal(response.status, 200, await response.clone().text());
  const { places } = (await response.json()) as { places: { name: string }[] };
  return places.map(({ name }) => name);
}

const QUESTIONS = [
  'city=tokyo&limit=50',
  'q=pizza&limit=50',
  'q=hotel&city=paris',
  'city=bali&open_now=true',
];
const answers = () => Promise.all(QUESTIONS.map(names));
const readiness = async () => {
  const response = await service.request('/readyz');
  return `${response.status} ${((await response.json()) as { status: string }).status}`;
};
const isReady = async () => (await readiness()) === '200 ready';

const indexFile = () => {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.mdb'));
  assert.equal(files.length, 1);
  return join(FOLDER, files[0] ?? '');
};

/** Truncating a file that a process has mapped kills that process: no program can answer then. */
const WHILE_IN_USE = [overwrite, alterNames, flipQuietly];
const DAMAGES = [
  ...WHILE_IN_USE,
  (file: string) => {
    truncateSync(file, 65_536);
  },
  (file: string) => {
    writeFileSync(file, Buffer.alloc(statSync(file).size));
  },
];

const NOTE = join(FOLDER, 'current.json');
/** Changes what was noted of how the index was left. */
function noteLeft(left: string): void {
  writeFileSync(NOTE, JSON.stringify({ ...(JSON.parse(readFileSync(NOTE, 'utf8')) as object), left }));
}
const isRead = () => service.logged.some(({ msg }) => msg === 'checking the search index');

async function restart(meanwhile: () => void | Promise<void>): Promise<void> {
  await service.close();
  await meanwhile();
  service = await start();
}

const expected = await answers();
interface Known {
  id: string;
  name: string;
  country: string;
  city: string;
  lat: number;
  lng: number;
}
const [known] = await database.pool<Known[]>`
  select id, name, country, city, lat, lng from place where closed_at is null and city is not null limit 1`;
assert.ok(known);
const { id: placeId, ...place } = known;
assert.ok(expected.every((found) => found.length > 0));

test('an index that is damaged while in use is noticed, reported and rebuilt; only searches wait for it', async () => {
  const damages = LONG ? WHILE_IN_USE : [flipQuietly];
  for (const damage of damages) {
    const damaged = indexFile();
    // Whatever the index has yet to take over is written before, so that nothing of ours writes to it beside the damage.
    await service.app.deps.places.follow();
    // A build waits for what it reads first, so that one sees what is said until there is an index again.
    const locking = await beginTransaction(database.pool);
    await locking`lock table index_build in access exclusive mode`;
    damage(damaged);
    for (const letter of 'abcdefghij') {
      const { status } = await ask(`q=${letter}a&limit=50`);
      assert.ok(status === 200 || status === 503, String(status));
    }
    await until('the damage is told', async () => (await readiness()) === '503 search index is being built');
    const refused = await ask('city=tokyo&limit=50');
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '5']);
    assert.equal(((await refused.json()) as { code: string }).code, 'maintenance');
    // It is no failure, and so is no line that somebody would be woken by.
    const params = { name: 'search_places', arguments: { destination: 'tokyo' } };
    const tool = await service.request('/api/partner/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
    assert.equal(tool.status, 503);
    assert.ok(!service.logged.some(({ msg }) => msg === 'mcp request failed'));
    for (const path of ['/healthz', '/api/agent/destinations', '/api/agent/me', `/p/${placeId}`])
      assert.equal((await service.request(path, { headers })).status, 200, path);
    const agent = await SubmittingAgent.signUp(service);
    const likes = await agent.post<{ possible_duplicates: { place_id: string }[] }>(
      '/api/agent/business',
      business({ ...place }),
    );
    assert.equal(likes.status, 201, JSON.stringify(likes.body));
    assert.ok(likes.body.possible_duplicates.some(({ place_id }) => place_id === placeId));
    const metrics = await (await service.request('/metrics')).text();
    assert.match(metrics, /^waypost_search_index_ready 0$/m);
    assert.match(metrics, /^waypost_search_index_building 1$/m);
    await locking`rollback`;
    locking.release();
    await until('there is an index again', isReady);
    assert.deepEqual(await answers(), expected);
    assert.notEqual(indexFile(), damaged);
  }
  const told = service.logged.filter(
    ({ level, msg }) => level === 'error' && String(msg).includes('rebuilding'),
  );
  assert.equal(told.length, damages.length);
});

test('damage that is done while the database is asked for changes is not taken for a change of ours', async () => {
  const damaged = indexFile();
  const locking = await beginTransaction(database.pool);
  await locking`lock table index_build in access exclusive mode`;
  const following = service.app.deps.places.follow();
  await until('the database is asked', async () => {
    const [waiting] = await database.pool`
      select 1 from pg_locks where relation = 'index_build'::regclass and not granted`;
    return waiting;
  });
  flipQuietly(damaged);
  await locking`rollback`;
  locking.release();
  await following;
  await until('there is another index', async () => (await isReady()) && indexFile() !== damaged);
  assert.deepEqual(await answers(), expected);
});

test('an index that was damaged while the node was stopped answers nothing', async () => {
  for (const damage of LONG ? DAMAGES : [alterNames]) {
    await restart(() => {
      damage(indexFile());
    });
    const told = service.logged.map(({ msg }) => msg);
    assert.ok(told.includes('the search index is damaged; rebuilding'), `${damage.name}: ${told.join('; ')}`);
    assert.deepEqual(await answers(), expected);
  }
});

if (LONG)
  test('an index of another version of the program is made anew, and is not called damaged', async () => {
    await restart(async () => {
      const store = new IndexStore(indexFile());
      store.change(() => {
        store.setMeta('version', '1');
      });
      await store.close();
    });
    const told = service.logged.map(({ msg }) => msg);
    assert.ok(
      told.includes('the search index belongs to another version of the program; rebuilding'),
      told.join('; '),
    );
    assert.deepEqual(await answers(), expected);
  });

if (LONG)
  test('an index that something touched is read through and kept; so is one whose locks or whose process are gone', async () => {
    const file = indexFile();
    const touches = [
      () => {
        utimesSync(file, new Date(), new Date());
      },
      () => {
        rmSync(`${file}-lock`);
      },
      () => {
        noteLeft('suspect');
      },
    ];
    for (const touch of touches) {
      await restart(touch);
      assert.deepEqual([indexFile(), isRead()], [file, false]);
      assert.deepEqual(await answers(), expected);
    }
    await restart(() => {
      noteLeft('open');
    });
    assert.ok(isRead(), 'it is searched while it is read');
    assert.equal((JSON.parse(readFileSync(NOTE, 'utf8')) as { left: string }).left, 'suspect');
    await until(
      'it was read',
      () => (JSON.parse(readFileSync(NOTE, 'utf8')) as { left: string }).left === 'open',
    );
    assert.equal(indexFile(), file);
  });

if (LONG)
  test('a note of the index that cannot be read is none', async () => {
    await restart(() => {
      writeFileSync(NOTE, Buffer.alloc(100));
    });
    assert.deepEqual(await answers(), expected);
  });

if (LONG)
  test('an index of another database answers nothing', async () => {
    const other = mkdtempSync(join(tmpdir(), 'waypost-other-'));
    const elsewhere = await startTestService({ settings: { DATA_DIR: other } });
    await elsewhere.close();
    await restart(() => {
      rmSync(indexFile());
      cpSync(join(other, 'index'), FOLDER, { recursive: true });
      rmSync(other, { recursive: true });
    });
    assert.deepEqual(await answers(), expected);
  });

if (LONG)
  test('a database that is put back to an earlier state takes the index with it, under a running node and a stopped one', async () => {
    const [{ name } = { name: '' }] = await database.pool<
      { name: string }[]
    >`select current_database() as name`;
    const admin = connect(process.env['TEST_POSTGRES_URL'] ?? '', { max: 1, statementTimeoutMs: 0 });
    after(() => admin.end());
    const copy = (from: string, to: string) =>
      admin.unsafe(`create database ${to} template ${from} strategy file_copy`);
    const restore = async () => {
      await admin.unsafe(`drop database ${name} with (force)`);
      await copy(`${name}_backup`, name);
    };
    await database.pool`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`;
    await restart(async () => {
      await admin.unsafe(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
      await copy(name, `${name}_backup`);
    });
    await addMadeUpPlace(database.pool, service.clock, { name: 'Hinterher Eins' });
    await until('the new place is found', async () => (await names('q=hinterher')).length > 0);
    await restore();
    await until('it is forgotten', async () => {
      const response = await ask('q=hinterher');
      return response.status === 200 && ((await response.json()) as { count: number }).count === 0;
    });
    await until('the node is ready', isReady);
    assert.deepEqual(await answers(), expected);

    await addMadeUpPlace(database.pool, service.clock, { name: 'Hinterher Zwei' });
    await until('the new place is found', async () => (await names('q=hinterher')).length > 0);
    await service.app.deps.places.rebuild();
    await restart(restore);
    assert.deepEqual(await names('q=hinterher'), []);
    assert.deepEqual(await answers(), expected);
    await admin.unsafe(`drop database ${name}_backup`);
  });

test('a database whose files were put back to a moment before the build takes the index with it', async () => {
  const { pool } = database;
  await restart(async () => {
    // The same server, database and tables, as they were: the build is not noted, and what there is was written before.
    await pool`delete from index_build`;
    await pool`insert into place (id, destination_id, name, vertical, category, country, lat, lng, source, source_ref, changed_xid)
      select 'plc_' || lpad('1', 26, '0'), id, 'Vormals Haus', 'cafe', 'cafe', country, lat, lng, 'test', 'vormals', '3'
      from destination where slug = 'bali'`;
  });
  assert.deepEqual(await names('q=vormals'), ['Vormals Haus']);
});
