import assert from 'node:assert/strict';
import { closeSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { RELEASE } from '../../../src/core/release.ts';
import { business, SubmittingAgent } from '../../harness/people/submissions.ts';
import { until } from '../../harness/service/jobs.ts';
import { startTestService } from '../../harness/service/service.ts';
import { mountSmallDisk } from '../../harness/small-disk.ts';
import { addMadeUpPlace } from '../made-up-place.ts';

const { folder: DATA_DIR, skip } = mountSmallDisk('24m');
const FILLER = join(DATA_DIR, 'filler');

function fill(): void {
  const fd = openSync(FILLER, 'w');
  try {
    for (;;) writeSync(fd, Buffer.alloc(4096));
  } catch (thrown) {
    assert.equal((thrown as { code?: string }).code, 'ENOSPC');
  } finally {
    closeSync(fd);
  }
}

test(
  'on a full disk the old index serves on; without one only searches are refused, until there is space',
  { skip },
  async () => {
    const service = await startTestService({ settings: { DATA_DIR } });
    const { pool } = service.database;
    const { places } = service.app.deps;
    const agent = await SubmittingAgent.signUp(service);
    await addMadeUpPlace(pool, service.clock, { name: 'Warung Penuh' });
    await places.follow();
    const search = async () => (await agent.get('/api/agent/search?q=warung+penuh&city=bali')).status;
    const readiness = async () => (await (await service.request('/readyz')).json()) as { status: string };
    const folder = () => readdirSync(join(DATA_DIR, 'index')).filter((name) => !name.endsWith('-lock'));
    const told = () =>
      service.logged.filter(({ level }) => level === 'error').map(({ msg, err }) => ({ msg, err }));
    const before = folder();

    fill();
    await places.rebuild();
    assert.deepEqual(told(), [
      {
        msg: 'a new index could not be built because its disk is full; the old one stays in use, and the build is retried in a minute',
        err: undefined,
      },
    ]);
    assert.deepEqual(folder(), before, 'nothing is left of it');
    assert.deepEqual(
      [await search(), await readiness()],
      [200, { status: 'ready', ...RELEASE, jobs: 'running' }],
    );
    assert.match(
      await (await service.request('/metrics')).text(),
      /^waypost_search_index_failures_total 1$/m,
    );

    places.distrustFile(places.file ?? '');
    // Fills the space that the old one frees before the new one needs it.
    rmSync(FILLER);
    fill();
    await until(
      'it is told',
      async () => (await readiness()).status === 'search index cannot be built: its disk is full',
    );
    assert.equal(await search(), 503);
    assert.equal((await agent.post('/api/agent/business', business())).status, 201);
    assert.equal((await service.request('/api/agent/destinations')).status, 200);
    assert.deepEqual(
      folder().filter((name) => name.endsWith('.part')),
      [],
    );

    rmSync(FILLER);
    // Each search counts in its minute, also one that is refused, so that the wait asks something else.
    await until('there is space', async () => (await readiness()).status === 'ready');
    assert.equal(await search(), 200);
  },
);
