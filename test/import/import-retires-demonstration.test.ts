import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { addTestPartner, PARTNER_MCP, roomyKey } from '../harness/people/partner.ts';
import { makeTable } from '../harness/people/member.ts';
import { DAY_MS } from '../../src/core/time.ts';
import { waypostHere } from '../backup/commands.ts';
import { rpc } from '../harness/clients/mcp.ts';
import { until } from '../harness/service/jobs.ts';
import { startTestService, type TestService } from '../harness/service/service.ts';
import { seconds } from './import-directory.ts';
import { writeOsmPbf } from './readers/write-osm-pbf.ts';

const PLACES = 300;
const service = await startTestService({ demoPlaces: PLACES });
const other = await startTestService({ database: service.database });
const { pool } = service.database;
const folder = await mkdtemp(join(tmpdir(), 'waypost-retired-'));
after(() => rm(folder, { recursive: true }));

async function waypost(...args: string[]): Promise<string> {
  const { code, out, error } = await waypostHere(args, {
    DATABASE_URL: service.database.url,
    DATA_DIR: folder,
  });
  assert.equal(code, 0, error);
  return out;
}

async function fictional(slug: string): Promise<string[]> {
  const rows = await pool<{ id: string }[]>`
    select p.id from place p join destination d on d.id = p.destination_id
    where d.slug = ${slug} and p.source = 'demo' order by p.id`;
  return rows.map(({ id }) => id);
}

async function namesIn(node: TestService, destination: string): Promise<string[]> {
  const params = { name: 'search_places', arguments: { destination, limit: 50 } };
  const { body } = await rpc(
    node,
    PARTNER_MCP,
    { id: 1, method: 'tools/call', params },
    await roomyKey(service),
  );
  const { places } = body.result?.['structuredContent'] as { places: { name: string }[] };
  return places.map(({ name }) => name);
}

async function addBooking(placeId: string, agoMs: number): Promise<void> {
  const { partnerId } = await addTestPartner(service);
  const member = { memberId: service.app.deps.newId('mem'), displayName: 'Guest Example' };
  await pool`
    insert into member (id, email, display_name, created_at)
    values (${member.memberId}, ${`${member.memberId}@guest.example`}, ${member.displayName}, ${service.clock.now()})`;
  await makeTable(service, { member, placeId, partnerId, agoMs });
}

const before = { tokyo: await fictional('tokyo'), bali: await fictional('bali') };
const [booked = '', past = ''] = before.tokyo;
const file = join(folder, 'tokyo.osm.pbf');
await writeFile(
  file,
  writeOsmPbf({
    nodes: [{ id: 1, lat: 35.6896, lng: 139.7006, tags: { amenity: 'cafe', name: 'Café Ada' } }],
    extracted: seconds('2025-01-01'),
  }),
);

test('real places retire the fictional ones of their destination, and the command says so', async () => {
  assert.ok(before.tokyo.length > 2 && before.bali.length > 2, JSON.stringify(before));
  await addBooking(booked, -400 * DAY_MS);
  await addBooking(past, 400 * DAY_MS);
  const out = await waypost('import', 'osm', file);
  assert.match(out, /Real places were imported, so the fictional venues of the demonstration were removed:/);
  assert.match(out, new RegExp(`^ {2}Tokyo +${before.tokyo.length}$`, 'm'));
  assert.doesNotMatch(out, /Bali/);
  assert.deepEqual(await fictional('bali'), before.bali);
});

test('a venue at which a table is still asked for stays on record, closed; all others are gone for good', async () => {
  assert.deepEqual(await fictional('tokyo'), [booked]);
  const [row] = await pool<{ closed: boolean }[]>`
    select closed_at is not null as closed from place where id = ${booked}`;
  assert.equal(row?.closed, true);
  const [removed] = await pool<
    { reason: string }[]
  >`select reason from place_removed where place_id = ${past}`;
  assert.equal(removed?.reason, 'demonstration');
  const kept = await pool`select 1 from booking where place_id in (${booked}, ${past})`;
  assert.equal(kept.length, 2);
  assert.equal((await service.request(`/p/${past}`)).status, 404);
});

test('every node follows by itself: searches and pages have what is real only', async () => {
  for (const node of [service, other]) {
    await until('the index follows', async () => {
      const names = await namesIn(node, 'tokyo');
      return names.length === 1 && names[0] === 'Café Ada';
    });
    const page = await until('the page follows', async () => {
      const html = await (await node.request('/d/tokyo')).text();
      return html.includes('Café Ada') && html;
    });
    assert.doesNotMatch(page, /Demonstration: a fictional venue/);
    assert.ok((await namesIn(node, 'bali')).length > 0);
  }
  await other.close();
});

test('the demonstration that is loaded anew leaves that destination alone, and gives the others what they had', async () => {
  const out = await waypost('demo', '--places', String(PLACES));
  assert.match(out, /demonstration venues\./);
  assert.deepEqual(await fictional('tokyo'), []);
  assert.deepEqual(await fictional('bali'), before.bali);
});
