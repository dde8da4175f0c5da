import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { applyChanges } from '../../../src/import/changes/apply-changes.ts';
import { noChanges, readChanges } from '../../../src/import/changes/change-file.ts';
import { readMapHeader } from '../../../src/import/pbf/pbf-file.ts';
import { openOsm } from '../../../src/import/osm/osm-reader.ts';
import { seconds } from '../import-directory.ts';
import { writeOsmPbf, type MadeMap } from '../readers/write-osm-pbf.ts';
import { changeText, nodeText, wayText } from './change-text.ts';

const folder = await mkdtemp(join(tmpdir(), 'waypost-changes-'));
after(() => rm(folder, { recursive: true }));

const changed = seconds('2025-01-01');
const SQUARE = [11, 12, 13, 14, 11];
const BASE: MadeMap = {
  nodes: [
    { id: 1, lat: 43.7396, lng: 7.4272, tags: { amenity: 'cafe', name: 'Café Ada' }, changed },
    { id: 2, lat: 43.74, lng: 7.428, tags: { amenity: 'bar', name: 'Bar Bela' }, changed },
    { id: 3, lat: 43.741, lng: 7.43, tags: { amenity: 'pub', name: 'Pub Carl' }, changed },
    { id: 11, lat: 43.73, lng: 7.42 },
    { id: 12, lat: 43.73, lng: 7.421 },
    { id: 13, lat: 43.731, lng: 7.421 },
    { id: 14, lat: 43.731, lng: 7.42 },
  ],
  ways: [
    { id: 5, refs: SQUARE, tags: { tourism: 'museum', name: 'Museum Dora' }, changed },
    { id: 6, refs: SQUARE, tags: { tourism: 'hotel', name: 'Hotel Emil' }, changed },
  ],
  relations: [
    {
      id: 7,
      members: [['way', 5, 'outer']],
      tags: { type: 'multipolygon', leisure: 'park', name: 'Park Fritz' },
    },
  ],
  extracted: seconds('2025-01-01'),
  box: { west: 7.4, south: 43.7, east: 7.5, north: 43.8 },
  waysPerBlock: 1,
};

async function file(name: string, content: Buffer): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

async function placesIn(path: string) {
  const reading = await openOsm(path);
  const found = new Map<string, { name: string; lat: number; lng: number; touched: string | undefined }>();
  for await (const { places } of reading.batches())
    for (const { source_ref, name, lat, lng, touched_at } of places)
      found.set(source_ref, { name, lat, lng, touched: touched_at?.toISOString().slice(0, 10) });
  return found;
}

async function changedBy(...contents: Buffer[]): Promise<string> {
  const base = await file('base.osm.pbf', writeOsmPbf(BASE));
  const target = join(folder, 'new.osm.pbf');
  const changes = noChanges();
  for (const [at, content] of contents.entries())
    await readChanges(await file(`${at}.osc.gz`, content), changes);
  const header = await readMapHeader(base);
  await applyChanges(base, changes, target, { ...header, extractedAt: changes.newest });
  return target;
}

test('the new file contains what was changed, deleted and created, and everything else as before', async () => {
  const path = await changedBy(
    changeText({
      modify: [
        nodeText(1, [43.7397, 7.4273], { amenity: 'cafe', name: 'Café &amp; Ada' }),
        // A corner moves: what is drawn with it moves too, although its own way was not changed.
        nodeText(13, [43.733, 7.421]),
      ],
      delete: ['<node id="2" version="3" timestamp="2025-01-02T00:00:00Z"/>', '<way id="6" version="2"/>'],
      create: [
        nodeText(21, [43.7401, 7.4281], { amenity: 'restaurant', name: 'Neu' }),
        wayText(22, [21, 12, 13, 21], { tourism: 'gallery', name: 'Galerie' }),
      ],
    }),
  );
  const [before, now] = [await placesIn(join(folder, 'base.osm.pbf')), await placesIn(path)];
  assert.deepEqual([...now.keys()].sort(), ['node/1', 'node/21', 'node/3', 'relation/7', 'way/22', 'way/5']);
  assert.deepEqual(now.get('node/1'), {
    name: 'Café & Ada',
    lat: 43.7397,
    lng: 7.4273,
    touched: '2025-01-02',
  });
  assert.deepEqual(now.get('node/3'), before.get('node/3'));
  assert.equal(now.get('way/5')?.touched, '2025-01-01');
  assert.ok((now.get('way/5')?.lat ?? 0) > (before.get('way/5')?.lat ?? 0) + 0.0003);
  assert.ok((now.get('relation/7')?.lat ?? 0) > (before.get('relation/7')?.lat ?? 0) + 0.0003);
  const { extractedAt, box } = await readMapHeader(path);
  assert.equal(extractedAt?.toISOString(), '2025-01-02T00:00:00.000Z');
  assert.deepEqual(box, BASE.box);
});

test('of several changes of an object the last counts, and of a larger region only what lies in the box', async () => {
  const path = await changedBy(
    changeText({
      modify: [nodeText(1, [43.74, 7.42], { amenity: 'cafe', name: 'Second' })],
      create: [
        nodeText(31, [10, 10], { amenity: 'cafe', name: 'Far away' }),
        nodeText(32, [43.745, 7.43], { amenity: 'cafe', name: 'Short-lived' }),
      ],
    }),
    changeText({
      modify: [nodeText(1, [43.74, 7.42], { amenity: 'cafe', name: 'Third' })],
      delete: [nodeText(32, [43.745, 7.43])],
    }),
  );
  const now = await placesIn(path);
  assert.equal(now.get('node/1')?.name, 'Third');
  assert.deepEqual([now.has('node/31'), now.has('node/32')], [false, false]);
});

test('a change file that is no such thing, is cut off or says half a thing is refused, and adds nothing', async () => {
  const whole = changeText({ modify: [nodeText(1, [43.74, 7.42])] });
  const broken: [string, Buffer][] = [
    ['cut.osc.gz', whole.subarray(0, whole.length - 12)],
    ['page.osc', Buffer.from('<html><body>Too many requests</body></html>')],
    ['empty.osc', Buffer.from('')],
    ['half.osc', Buffer.from('<osmChange><modify><node id="1" lat="1" lon="2">')],
    ['nowhere.osc', Buffer.from('<osmChange><modify><node id="1" lat="x" lon="2"/></modify></osmChange>')],
    ['nothing.osc', Buffer.from('<osmChange><node id="1" lat="1" lon="2"/></osmChange>')],
    ['letters.osc', Buffer.from([0x3c, 0xff, 0xfe, 0x00])],
  ];
  for (const [name, content] of broken) {
    const changes = noChanges();
    await assert.rejects(readChanges(await file(name, content), changes), { name: 'ImportFileError' }, name);
    assert.equal(changes.nodes.size, 0, name);
  }
  await assert.rejects(readChanges(join(folder, 'absent.osc'), noChanges()), /there is no such file/);
});

test('an extract that is damaged leaves no new file behind', async () => {
  const bytes = writeOsmPbf(BASE);
  const base = await file('damaged.osm.pbf', bytes.subarray(0, bytes.length - 20));
  const changes = noChanges();
  await readChanges(await file('one.osc.gz', changeText({ delete: [nodeText(1, [1, 1])] })), changes);
  const target = join(folder, 'never.osm.pbf');
  await assert.rejects(applyChanges(base, changes, target, await readMapHeader(base)), /truncated/);
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.startsWith('never')),
    [],
  );
});
