import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergePlaces } from '../../src/directory/place/merge-places.ts';
import { callTool } from '../harness/clients/call-tool.ts';
import { PARTNER_MCP } from '../harness/people/partner.ts';
import { signUpAgent, startTestService } from '../harness/service/service.ts';
import { addTestStaff } from '../harness/people/staff.ts';
import { smallPhoto } from './made-pictures.ts';
import { addPhotographer, sendApproved } from './photographer.ts';

interface Shown {
  photos: { url: string; kind: string; attribution: string }[];
}

const service = await startTestService();
const { pool } = service.database;
const photographer = await addPhotographer(service, 'Ayu <P>');
const { placeId } = photographer;
const { apiKey } = await signUpAgent(service);
const photo = await sendApproved(service, photographer, await smallPhoto(1));

async function forAgents(): Promise<Shown> {
  const headers = { authorization: `Bearer ${apiKey}` };
  return (await (await service.request(`/api/agent/business/${placeId}`, { headers })).json()) as Shown;
}

const EXPECTED = {
  url: `https://waypost.example/photos/${photo.id}/w480`,
  kind: 'member',
  attribution: 'Photo: Ayu <P> via Waypost',
};

test('an approved photo stands with its attribution in the answer for agents, for partners and in the feed', async () => {
  assert.deepEqual((await forAgents()).photos, [EXPECTED]);
  const details = await callTool<Shown>(service, PARTNER_MCP, 'place_details', { place_id: placeId });
  assert.deepEqual(details.photos, [EXPECTED]);
  const feed = await callTool(service, PARTNER_MCP, 'directory_feed', { destination: 'bali' });
  assert.ok(JSON.stringify(feed).includes(EXPECTED.url));
});

test('the page of the place shows it, escaped, and leads to adding another', async () => {
  const page = await (await service.request(`/p/${placeId}`, { headers: { accept: 'text/html' } })).text();
  assert.match(page, /Photo: Ayu &lt;P&gt; via Waypost/);
  assert.ok(page.includes(`src="/photos/${photo.id}/w1080"`));
  assert.ok(page.includes(`/photos/mine/upload?place=${placeId}`));
});

test('the place counts as changed, so that whoever follows the directory hears of it', async () => {
  const versionOf = async () => {
    const [row] = await pool<{ version: string }[]>`
      select changed_xid::text as version from place where id = ${placeId}`;
    return row?.version;
  };
  const before = await versionOf();
  const second = await sendApproved(service, photographer, await smallPhoto(2));
  assert.notEqual(await versionOf(), before);
  const after = await versionOf();
  await pool`update photo set sold = sold where id = ${second.id}`;
  assert.equal(await versionOf(), after, 'a sale does not change the place');
});

test('at most eight are shown, the newest first', async () => {
  const [row] = await pool<{ member_id: string }[]>`select member_id from photo where id = ${photo.id}`;
  const made: string[] = [];
  for (let n = 0; n < 9; n++) {
    service.clock.advance(1000);
    const id = service.app.deps.newId('pho');
    const now = service.clock.now();
    await pool`
      insert into photo (id, member_id, place_id, generated, state, month, width, height, sha256, bytes, phash, created_at,
        updated_at)
      values (${id}, ${row?.member_id ?? ''}, ${placeId}, true, 'to_check', '2026-11', 1, 1, ${Buffer.alloc(32)}, 1,
        ${'01'.repeat(32)}, ${now}, ${now})`;
    await pool`
      insert into photo_check (photo_id, decision, generated, decided_at) values (${id}, 'approved', true, ${now})`;
    await pool`update photo set state = 'approved', updated_at = ${now} where id = ${id}`;
    made.unshift(id);
  }
  const { photos } = await forAgents();
  assert.deepEqual(
    photos.map(({ url }) => url.split('/').at(-2)),
    made.slice(0, 8),
  );
});

test('two that are approved at once are both counted', async () => {
  const other = await addPhotographer(service);
  const ids = await Promise.all(
    [1, 2, 3, 4].map(async () => {
      const id = service.app.deps.newId('pho');
      const now = service.clock.now();
      await pool.begin(async (tx) => {
        await tx`
          insert into photo (id, member_id, place_id, generated, state, month, width, height, sha256, bytes, phash,
            created_at, updated_at)
          values (${id}, ${other.member.memberId}, ${other.placeId}, true, 'to_check', '2026-11', 1, 1,
            ${Buffer.alloc(32)}, 1, ${'01'.repeat(32)}, ${now}, ${now})`;
        await tx`
          insert into photo_check (photo_id, decision, generated, decided_at) values (${id}, 'approved', true, ${now})`;
        await tx`update photo set state = 'approved' where id = ${id}`;
      });
      return id;
    }),
  );
  const [place] = await pool<{ shown: { photo_id: string }[] }[]>`
    select member_photos as shown from place where id = ${other.placeId}`;
  assert.deepEqual(place?.shown.map(({ photo_id }) => photo_id).sort(), ids.sort());
});

test('a photographer who takes another name is named so, and one who is forgotten is gone with all photos', async () => {
  const { memberId } = photographer.member;
  await pool`update member set display_name = 'Ayu Putri' where id = ${memberId}`;
  assert.equal((await forAgents()).photos[0]?.attribution, 'Photo: Ayu Putri via Waypost');
  await pool`
    update member set forgotten_at = ${service.clock.now()}, email = null, display_name = null where id = ${memberId}`;
  assert.deepEqual((await forAgents()).photos, []);
  const [left] = await pool`select 1 from photo where member_id = ${memberId} and state <> 'withdrawn'`;
  assert.equal(left, undefined);
});

test('a place that leaves the directory takes its photos from the offer and not from those who licensed them', async () => {
  const other = await addPhotographer(service);
  const { id } = await sendApproved(service, other, await smallPhoto(3));
  await pool`delete from place where id = ${other.placeId}`;
  const [row] = await pool<{ place_id: string | null }[]>`select place_id from photo where id = ${id}`;
  assert.equal(row?.place_id, null);
});

test('of two records that are found to be one place, the one that stays has the photos of both', async () => {
  const [kept, gone] = [await addPhotographer(service), await addPhotographer(service)];
  const { id } = await sendApproved(service, gone, await smallPhoto(4));
  const staff = await addTestStaff(service);
  const merge = { placeId: kept.placeId, mergedId: gone.placeId, staffId: staff.id };
  await pool.begin((tx) => mergePlaces(tx, service.clock.now(), merge));
  const [place] = await pool<{ shown: { photo_id: string }[] }[]>`
    select member_photos as shown from place where id = ${kept.placeId}`;
  assert.deepEqual(
    place?.shown.map(({ photo_id }) => photo_id),
    [id],
  );
});
