import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergePlaces } from '../../../src/directory/place/merge-places.ts';
import { callTool } from '../../harness/clients/call-tool.ts';
import { PARTNER_MCP } from '../../harness/people/partner.ts';
import { addReviewer, approve, SubmittingAgent } from '../../harness/people/submissions.ts';
import { startTestService } from '../../harness/service/service.ts';
import { addNamedPlace } from '../named-place.ts';

const service = await startTestService({ demoPlaces: 300 });
const { deps } = service.app;
const { pool } = deps;
const agent = await SubmittingAgent.signUp(service);
const staffId = await addReviewer(service);
const bali = deps.destinations.current.destinations.find(({ slug }) => slug === 'bali');
assert.ok(bali);

interface Positioned {
  place_id: string;
  name: string;
  lat?: number | null;
  lng?: number | null;
  position_known?: boolean;
  distance_m?: number;
}

async function approved(change: Record<string, unknown>): Promise<{ placeId: string; submissionId: string }> {
  const sent = await agent.business(change);
  await approve(service, staffId, sent);
  await deps.places.follow();
  return { placeId: String((await agent.standing(sent.id))['place_id']), submissionId: sent.id };
}

async function searchA(query: string): Promise<Positioned[]> {
  const { status, body } = await agent.get<{ places: Positioned[] }>(`/api/agent/search?${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body.places;
}

async function page(path: string): Promise<string> {
  return (await service.request(path, { headers: { accept: 'text/html' } })).text();
}

const NOWHERE = 'Warung Tanpa Alamat';
const { placeId } = await approved({ name: NOWHERE, vertical: 'restaurant', phone: '+62361777222' });
const centre = `${bali.lat},${bali.lng}`;

test('a place that was submitted without coordinates has no position on surface A, and its sources name none', async () => {
  const { body } = await agent.get<Positioned & { sources: { fields: string[] }[]; destination: object }>(
    `/api/agent/business/${placeId}`,
  );
  assert.deepEqual([body.lat, body.lng, body.position_known], [null, null, false]);
  assert.ok(body.sources.every(({ fields }) => !fields.includes('lat') && !fields.includes('lng')));
  assert.equal((body.destination as { timezone: string }).timezone, bali.timezone);
  const byTool = await callTool<Positioned>(
    service,
    '/mcp',
    'svc_get_place',
    { place_id: placeId },
    agent.authorization,
  );
  assert.deepEqual([byTool.lat, byTool.lng, byTool.position_known], [null, null, false]);
});

test('it has no position on surface B, in lists, in its record and in the feed', async () => {
  const onB = <Answer>(name: string, input: object) =>
    callTool<Answer>(service, PARTNER_MCP, name, { ...input });
  const record = await onB<{ coordinates: object; position_known: boolean }>('place_details', {
    place_id: placeId,
  });
  assert.deepEqual([record.coordinates, record.position_known], [{ lat: null, lng: null }, false]);
  for (const fields of [undefined, ['all'], ['lat', 'lng']]) {
    const { places } = await onB<{ places: Positioned[] }>('search_places', {
      destination: 'bali',
      query: NOWHERE,
      ...(fields && { fields }),
    });
    const found = places.find(({ place_id }) => place_id === placeId);
    assert.equal(found?.position_known, false);
    assert.ok(found.lat == null && found.lng == null);
  }
  interface Feed {
    places: { place_id: string; coordinates: { lat: number | null }; position_known: boolean }[];
    next_cursor: string | null;
  }
  const fed: Feed['places'] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const given = { destination: 'bali', limit: 200, ...(cursor !== undefined && { cursor }) };
    const part: Feed = await onB<Feed>('directory_feed', given);
    fed.push(...part.places);
    cursor = part.next_cursor;
  }
  const unknown = fed.filter(({ position_known }) => !position_known);
  assert.deepEqual(
    unknown.map(({ place_id, coordinates }) => [place_id, coordinates.lat]),
    [[placeId, null]],
    'every other place has a position, and says so',
  );
});

test('it is found by name, kind, destination and country, and never by near, bbox or on a map', async () => {
  const isIn = (places: Positioned[]) => places.some(({ place_id }) => place_id === placeId);
  const name = encodeURIComponent(NOWHERE);
  for (const query of [`q=${name}`, `q=${name}&city=bali`, `q=${name}&country=ID&category=restaurant`])
    assert.ok(isIn(await searchA(query)), query);
  const everywhere = '-180,-90,180,90';
  for (const query of [
    `near=${centre}&radius_m=50000&q=${name}`,
    `bbox=${bali.west},${bali.south},${bali.east},${bali.north}&q=${name}`,
    `bbox=${everywhere}&q=${name}`,
  ])
    assert.ok(!isIn(await searchA(query)), query);
  const nearest = await searchA(`near=${centre}&radius_m=50000&limit=50`);
  assert.ok(nearest.length > 0 && nearest.every(({ position_known }) => position_known === true));
  const list = await page(`/d/bali?q=${name}`);
  assert.match(list, /Warung Tanpa Alamat/);
  const map = await page(`/d/bali?q=${name}&view=map`);
  assert.match(map, /Map of 0 places/);
  assert.match(map, /Not on the map: 1 place whose exact position we do not know/);
});

test('its page shows no map, and its linked data has no position', async () => {
  const text = await page(`/p/${placeId}`);
  assert.match(text, /We do not know its exact position/);
  assert.doesNotMatch(text, /GeoCoordinates|openstreetmap\.org\/\?mlat/);
});

test('nothing is listed as near a place whose position is unknown', async () => {
  const answer = await callTool<{ understood: { near: unknown }; places: Positioned[] }>(
    service,
    PARTNER_MCP,
    'concierge_answer',
    { question: `Where can I eat near ${NOWHERE}?`, destination: 'bali' },
  );
  assert.equal(answer.understood.near, null);
  assert.ok(answer.places.every(({ distance_m }) => distance_m === undefined));
});

test('a later revision with coordinates makes the position known, and a database holds both or neither', async () => {
  const { placeId: id } = await approved({
    name: 'Warung Pindah Kemudian',
    external_ref: 'moves',
    vertical: 'cafe',
  });
  const second = await agent.business({
    external_ref: 'moves',
    name: 'Warung Pindah Kemudian',
    lat: -8.7,
    lng: 115.2,
  });
  await approve(service, staffId, second);
  await deps.places.follow();
  const { body } = await agent.get<Positioned & { sources: { fields: string[] }[] }>(
    `/api/agent/business/${id}`,
  );
  assert.deepEqual([body.lat, body.lng, body.position_known], [-8.7, 115.2, true]);
  assert.ok(body.sources.some(({ fields }) => fields.includes('lat')));
  const [nearest] = await searchA('near=-8.7,115.2&radius_m=50&q=Pindah');
  assert.equal(nearest?.place_id, id);
  await assert.rejects(pool`update place set lat = null where id = ${id}`, /place_position_whole/);
});

test('a record without a position takes that of the record it is merged with', async () => {
  const { placeId: kept } = await approved({ name: 'Kopi Gabung Satu', vertical: 'cafe' });
  const merged = await addNamedPlace(service, { name: 'Kopi Gabung', slug: 'bali', lat: -8.6, lng: 115.1 });
  const outcome = await pool.begin((tx) =>
    mergePlaces(tx, deps.clock.now(), { placeId: kept, mergedId: merged, staffId }),
  );
  assert.equal(outcome, 'merged');
  const { body } = await agent.get<Positioned>(`/api/agent/business/${kept}`);
  assert.deepEqual([body.lat, body.lng, body.position_known], [-8.6, 115.1, true]);
});

test('a closure of a place without a position is listed without one', async () => {
  const { placeId: id } = await approved({ name: 'Kedai Sudah Tutup', vertical: 'cafe' });
  await pool`
    insert into closure_evidence (place_id, kind, note, observed_at) values (${id}, 'venue_said', 'Gone.', ${deps.clock.now()})`;
  await pool`update place set closed_at = ${deps.clock.now()} where id = ${id}`;
  const { body } = await agent.get<{ closures: (Positioned & { source_url: string | null })[] }>(
    '/api/agent/closures',
  );
  const listed = body.closures.find(({ place_id }) => place_id === id);
  assert.deepEqual(
    [listed?.lat, listed?.lng, listed?.position_known, listed?.source_url],
    [null, null, false, null],
  );
  const feed = await (await service.request('/closures.atom')).text();
  const [entry = ''] = feed.split('<entry>').filter((part) => part.includes(id));
  assert.doesNotMatch(entry, /georss:point|rel="via"/);
  assert.match(await page('/closures'), /Kedai Sudah Tutup/);
});
