import assert from 'node:assert/strict';
import { test } from 'node:test';
import { basesWithin, divide, priceAfter } from '../../src/licensing/price.ts';
import { addMadeUpPlace } from '../directory/made-up-place.ts';
import { callTool } from '../harness/clients/call-tool.ts';
import { rpc } from '../harness/clients/mcp.ts';
import { startTestService } from '../harness/service/service.ts';
import { makeBuyer } from './buyer.ts';
import { addMadePhoto } from './made-photo.ts';

const service = await startTestService();
const { pool } = service.database;
const { clock } = service;
const buyer = await makeBuyer(service, 5_000);
const rich = await makeBuyer(service, 5_000);

interface Card {
  photo_id: string;
  prices: Record<string, number | null>;
  drop: { left: number; sold: number; price_next: Record<string, number | null> };
}

async function search(query: string): Promise<Card[]> {
  const { status, body } = await buyer.get(`/api/agent/photos/search?${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body['photos'] as Card[];
}

const placeId = await addMadeUpPlace(pool, clock, { name: 'House of Rain' });
const plain = await addMadePhoto(pool, clock, { placeId });
clock.advance(1_000);
const training = await addMadePhoto(pool, clock, { prices: { web: 2_000, ai_training: 300 } });

test('a search shows what can be licensed, with prices, the drop, the place and the month', async () => {
  const [card] = await search(`place_id=${placeId}`);
  assert.deepEqual(card, {
    photo_id: plain,
    place: { place_id: placeId, name: 'House of Rain' },
    city: 'Bali',
    country: 'ID',
    month: '2026-09',
    kind: 'restaurant',
    preview_url: (card as unknown as { preview_url: string }).preview_url,
    width: 4032,
    height: 3024,
    orientation: 'landscape',
    caption: 'The terrace',
    photographer: { display_name: 'Ayu' },
    attribution: 'Photo: Ayu via Waypost',
    prices: { social: 500, web: 900, ad: 2_500, ai_training: null },
    drop: {
      left: 10,
      sold: 0,
      ends_at: '2026-11-17T12:00:00.000Z',
      price_next: { social: 550, web: 990, ad: 2_750, ai_training: null },
    },
    people: 'none',
    // The pictures of these tests are drawn, as those of the demonstration are.
    checked_by_person: false,
  });
});

test('filters hold: city, kind, use and the price of this moment', async () => {
  const ids = async (query: string) => (await search(query)).map(({ photo_id }) => photo_id);
  assert.deepEqual(await ids(''), [training, plain], 'the newest first');
  assert.deepEqual(await ids('city=Bali&kind=restaurant'), [training, plain]);
  assert.deepEqual(await ids('city=lisbon'), []);
  assert.deepEqual(await ids('kind=beach'), []);
  assert.deepEqual(await ids('use=ai_training'), [training]);
  assert.deepEqual(await ids('use=web&max_price_cents=1999'), [plain]);
  assert.deepEqual(await ids('max_price_cents=300'), [training]);
  assert.deepEqual(await ids('max_price_cents=299'), []);
  await rich.license(training, 'ai_training', 300, 'first');
  assert.deepEqual(await ids('max_price_cents=329'), [], 'the price has moved');
  assert.deepEqual(await ids('max_price_cents=330'), [training]);
  const empty = await buyer.get('/api/agent/photos/search?city=Balii');
  assert.match(String(empty.body['hint']), /Bali/);
  assert.equal((await buyer.get('/api/agent/photos/search?kind=castle')).status, 422);
});

test('pages follow one another by the cursor, and a made-up one is refused', async () => {
  const first = await buyer.get('/api/agent/photos/search?limit=1');
  const cursor = String(first.body['next_cursor']);
  const second = await buyer.get(`/api/agent/photos/search?limit=1&cursor=${cursor}`);
  const seen = [first, second].map(({ body }) => (body['photos'] as Card[])[0]?.photo_id);
  assert.deepEqual(seen, [training, plain]);
  assert.equal(second.body['next_cursor'], null);
  assert.equal((await buyer.get('/api/agent/photos/search?cursor=abc')).status, 400);
});

test('no answer about photos tells coordinates or a date', async () => {
  const licence = await rich.license(plain, 'web', 900, 'for-keys');
  const answers = [
    await buyer.get('/api/agent/photos/search'),
    await buyer.quote(plain, 'web'),
    licence,
    await rich.license(plain, 'web', 900, 'for-keys'),
    await rich.wallet(),
    await rich.post('/api/agent/photos/link', { license_id: licence.body['license_id'] }),
    await rich.license(plain, 'web', 900, 'too-dear'),
  ];
  const keys = new Set<string>();
  JSON.stringify(
    answers.map(({ body }) => body),
    (key, value: unknown) => {
      keys.add(key);
      return value;
    },
  );
  assert.ok(keys.has('photo_id') && keys.has('price_next'));
  assert.deepEqual(
    [...keys].filter((key) => /lat|lng|taken_at|exif/.test(key)),
    [],
  );
});

test('the four tools answer as REST does, and a purchase needs the key itself', async () => {
  const headers = { authorization: `Bearer ${rich.apiKey}` };
  const call = <T>(name: string, input: Record<string, unknown>) =>
    callTool<T>(service, '/mcp', `svc_${name}`, input, headers);
  const { photos } = await call<{ photos: Card[] }>('search_photos', { use: 'web' });
  assert.equal(photos.length, 2);
  const quote = await call<{ price_cents: number }>('quote_photo', { photo_id: plain, use: 'social' });
  const bought = await call<{ price_cents: number; license_id: string }>('license_photo', {
    photo_id: plain,
    use: 'social',
    max_price_cents: quote.price_cents,
    idempotency_key: 'by-tool',
  });
  assert.equal(bought.price_cents, quote.price_cents);
  const wallet = await call<{ licences: { license_id: string }[] }>('photo_wallet', {});
  assert.ok(wallet.licences.some(({ license_id }) => license_id === bought.license_id));
  const refused = await rpc(
    service,
    '/mcp',
    {
      id: 1,
      method: 'tools/call',
      params: { name: 'svc_license_photo', arguments: { photo_id: plain, use: 'web', max_price_cents: 1 } },
    },
    headers,
  );
  const meta = refused.body.result?.['_meta'] as Record<
    string,
    { code: string; quote: { price_cents: number } }
  >;
  assert.equal(meta['svc/error']?.code, 'price_above_max');
  assert.ok(meta['svc/error'].quote.price_cents > 1);
  const { body } = await rpc(service, '/mcp', { id: 1, method: 'tools/list', params: {} });
  const tools = body.result?.['tools'] as { name: string; annotations: Record<string, boolean> }[];
  assert.equal(tools.find(({ name }) => name === 'svc_license_photo')?.annotations['destructiveHint'], true);
});

test('the ladder read downwards is the ladder', () => {
  for (const limit of [1, 9, 10, 500, 999, 5_000]) {
    for (const [sold, base] of basesWithin(limit, 100).entries()) {
      if (base > 0) assert.ok(priceAfter(base, sold) <= limit);
      assert.ok(priceAfter(base + 1, sold) > limit);
    }
  }
});

test('shares add up to the price, and the odd cent is the photographer’s', () => {
  for (let price = 1; price < 2_000; price++) {
    const { photographer, platform } = divide(price, 20);
    assert.equal(photographer + platform, price);
    assert.equal(platform, Math.floor(price / 5));
  }
});
