import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../../../src/core/clock.ts';
import { createNewId } from '../../../../src/core/ids.ts';
import { CATEGORY_TABLE } from '../../../../src/import/categories.ts';
import { VERTICALS } from '../../../../src/import/verticals.ts';
import { chooseDrawing, illustrationOf } from '../../../../src/surfaces/people/traveller/place-picture.ts';
import { sharedService } from '../../../harness/service/shared-service.ts';

const service = await sharedService({ demoPlaces: 3000 });
const { pool } = service.database;
const newId = createNewId(systemClock);

test('each kind of place that an import knows has a drawing, and most kinds have their own', () => {
  const kinds = CATEGORY_TABLE.flatMap(([vertical, , values]) =>
    values.split(' ').map((value) => ({ vertical, category: value.split('>').at(-1) ?? value })),
  );
  const drawings = new Set(kinds.map((kind) => illustrationOf(kind)));
  assert.ok(drawings.size >= 26, [...drawings].join());
  assert.equal(illustrationOf({ vertical: 'attraction', category: 'castle' }), 'castle');
  assert.equal(illustrationOf({ vertical: 'restaurant', category: 'constructor' }), 'restaurant');
  assert.equal(illustrationOf({ category: 'constructor' }), 'other');
  const cuisineOf = (...cuisine: string[]) =>
    illustrationOf({ vertical: 'restaurant', category: 'restaurant', cuisine });
  assert.equal(cuisineOf('constructor', 'Pizza', 'sushi'), 'pizza');
  assert.equal(illustrationOf({ vertical: 'bar', category: 'pub', cuisine: ['pizza'] }), 'bar');
  for (const vertical of VERTICALS) {
    const isOther = illustrationOf({ vertical, category: 'unheard_of' }) === 'other';
    assert.equal(isOther, vertical === 'other', vertical);
  }
});

test('neighbours without a known cuisine do not all have one drawing, and each keeps its own', () => {
  const restaurant = { vertical: 'restaurant', category: 'restaurant' };
  const ids = Array.from({ length: 30 }, () => newId('plc'));
  const drawings = ids.map((id) => illustrationOf(restaurant, id));
  assert.equal(new Set(drawings).size, 3, drawings.join());
  assert.deepEqual(
    ids.map((id) => illustrationOf(restaurant, id)),
    drawings,
  );
});

test('no drawing follows itself in a list, whatever the kinds and ids of its places', () => {
  const places = [
    ...Array.from({ length: 40 }, () => ({ vertical: 'attraction', category: 'museum' })),
    ...Array.from({ length: 40 }, () => ({
      vertical: 'restaurant',
      category: 'restaurant',
      cuisine: ['pizza'],
    })),
    ...Array.from({ length: 40 }, () => ({ vertical: 'hotel', category: 'hotel' })),
  ];
  // Equal ids too: every place would have one drawing.
  for (const idOf of [() => newId('plc'), () => 'plc_00000000000000000000000000']) {
    let before: ReturnType<typeof chooseDrawing> | undefined;
    for (const place of places) {
      const drawing = chooseDrawing(place, idOf(), before);
      assert.notEqual(drawing, before);
      before = drawing;
    }
  }
  const hotel = { vertical: 'hotel', category: 'hotel' };
  assert.equal(chooseDrawing(hotel, 'plc_7z'), chooseDrawing(hotel, 'plc_7z'));
  assert.notEqual(
    chooseDrawing(hotel, 'plc_7z', chooseDrawing(hotel, 'plc_7z')),
    chooseDrawing(hotel, 'plc_7z'),
  );
});

test('each listed place has a picture: its photo, otherwise the drawing of its kind, which has a dark version', async () => {
  const [row] = await pool<{ slug: string }[]>`
    select d.slug from destination d join place p on p.destination_id = d.id
    where p.closed_at is null group by d.slug order by count(*) desc limit 1`;
  const markup = await pageText(`/d/${row?.slug}`);
  const entries = markup.match(/<li class="place"[^]*?<\/li>/g) ?? [];
  assert.ok(entries.length > 10);
  for (const entry of entries) assert.equal(entry.match(/<img class="thumb"/g)?.length, 1, entry);
  const [drawing = ''] = /\/assets\/drawing-[^"]+/.exec(markup) ?? [];
  const answer = await service.request(drawing);
  assert.equal(answer.status, 200);
  assert.match(await answer.text(), /prefers-color-scheme:\s*dark/);
});

test('a place page begins with the photo of the venue, then of a traveller, then with a drawing', async () => {
  const id = newId('plc');
  await pool`
    insert into place (id, destination_id, name, vertical, category, country, source, source_ref)
    select ${id}, id, 'Pictured', 'restaurant', 'restaurant', country, 'osm', 'node/1' from destination limit 1`;
  assert.match(await pageText(`/p/${id}`), /class="picture-band drawn">\s*<img src="\/assets\/drawing-/);
  const photos = [{ photo_id: 'pho_1', by: 'Ana', caption: 'A <view>' }];
  await pool`update place set member_photos = ${pool.json(photos)} where id = ${id}`;
  const withMember = await pageText(`/p/${id}`);
  assert.match(withMember, /src="\/photos\/pho_1\/w1080" alt="A &lt;view&gt;"/);
  assert.match(withMember, /<figcaption><bdi>Photo: Ana via /);
  const listed = (markup: string) =>
    [...markup.matchAll(/<a href="\/photos\/(pho_\d)\/w1080"/g)].map(([, photo]) => photo);
  assert.deepEqual(listed(withMember), [], 'the picture of the page is not shown twice');
  const two = [...photos, { photo_id: 'pho_2', by: 'Ana', caption: '' }];
  await pool`update place set member_photos = ${pool.json(two)} where id = ${id}`;
  assert.deepEqual(listed(await pageText(`/p/${id}`)), ['pho_2']);
  await pool`update place set listing_photo = ${`${'a'.repeat(64)}.jpg`} where id = ${id}`;
  const withOwn = await pageText(`/p/${id}`);
  assert.match(withOwn, /picture-band">\s*<img src="\/photos\/listing\/a{64}\.jpg"/);
  assert.deepEqual(listed(withOwn), ['pho_1', 'pho_2']);
});

async function pageText(path: string): Promise<string> {
  const answer = await service.request(path, { headers: { accept: 'text/html' } });
  assert.equal(answer.status, 200, path);
  return answer.text();
}
