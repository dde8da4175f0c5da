import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callTool, refusal } from '../../harness/clients/call-tool.ts';
import { beginTransaction } from '../../harness/service/database.ts';
import { LONG, tries } from '../../harness/tier.ts';
import { startTestService } from '../../harness/service/service.ts';
import { DAY_MS } from '../../../src/core/time.ts';

const PATH = '/api/partner/mcp';
const service = await startTestService({ demoPlaces: 3000 });
const { pool } = service.database;

interface Page {
  snapshot: string;
  places: { place_id: string; name: string }[];
  removed: { place_id: string; removed_at: string; reason: string }[];
  next_cursor: string | null;
  done: boolean;
}

const feed = (input: Record<string, unknown>) => callTool<Page>(service, PATH, 'directory_feed', input);

async function openIn(slug: string): Promise<string[]> {
  const rows = await pool<{ id: string }[]>`
    select p.id from place p join destination d on d.id = p.destination_id
    where d.slug = ${slug} and closed_at is null order by p.id`;
  return rows.map(({ id }) => id);
}

/** All pages of a sync; between two pages something may happen. */
async function sync(
  input: Record<string, unknown>,
  between: (page: number) => Promise<void> = () => Promise.resolve(),
): Promise<{ ids: string[]; names: Map<string, string>; removed: Page['removed']; snapshot: string }> {
  const pages: Page[] = [];
  for (let cursor: string | null = null; ;) {
    const page: Page = await feed({ ...input, ...(cursor !== null && { cursor }) });
    pages.push(page);
    assert.equal(page.done, page.next_cursor === null);
    assert.equal(page.snapshot, pages[0]?.snapshot);
    cursor = page.next_cursor;
    if (cursor === null) break;
    await between(pages.length);
  }
  const places = pages.flatMap((page) => page.places);
  return {
    ids: places.map(({ place_id }) => place_id),
    names: new Map(places.map(({ place_id, name }) => [place_id, name])),
    removed: pages.flatMap((page) => page.removed),
    snapshot: pages[0]?.snapshot ?? '',
  };
}

const destination = 'tokyo';

test('a full sync gives every place once, and no tombstone of a place that is there', async () => {
  for (const [slug, limit] of [
    [LONG ? destination : 'oslo', 1],
    [destination, 7],
    [destination, 200],
  ] as const) {
    const { ids, removed } = await sync({ destination: slug, limit });
    assert.deepEqual(ids, await openIn(slug));
    assert.ok(removed.every(({ place_id }) => !ids.includes(place_id)));
  }
});

/** Every record of a page, held against what the details of its place say. */
async function asDetails(input: Record<string, unknown>): Promise<Page['places']> {
  const { places } = await feed(input);
  for (const record of places) {
    const { attribution, attribution_links, table_terms, ...details } = await callTool<
      Record<string, unknown>
    >(service, PATH, 'place_details', { place_id: record.place_id });
    // Terms of a venue are asked for one place at a time.
    assert.ok(attribution && attribution_links && table_terms);
    assert.deepEqual(record, details);
  }
  return places;
}

test('a record of the feed is what the details say', async () => {
  const limit = tries({ quick: 15, long: 30 });
  assert.equal((await asDetails({ destination: 'bali', limit })).length, limit);
});

test('so is one of a place that is written in an odd way', async () => {
  for (const [slug, name] of [
    ['rome', 'Bar "Zur \\ Post", 東京, {Łódź}'],
    ['vienna', 'One \u001d of \u001f these \u001e'],
  ] as const) {
    const [, second = ''] = await openIn(slug);
    await pool`
      update place set name = ${name}, about = ${`Two\nlines, ${name}`}, area = '',
        cuisine = ${['fish, chips', 'a "b"', 'back\\slash', '', 'null', 'tapas']},
        price_line = ${pool.json({ text: name, read_at: '2026-09-01', source_url: 'https://a.example' })},
        member_photos = ${pool.json([{ photo_id: 'pho_1', by: name, caption: '{}' }])}
      where id = ${second}`;
    const places = await asDetails({ destination: slug, limit: 5 });
    assert.equal(places[1]?.name, name);
  }
});

test('a limit that divides the places ends with the last of them', async () => {
  const { length } = await openIn(destination);
  const page = await feed({ destination, limit: Math.min(length, 200) });
  assert.ok(page.done && page.places.length === length);
});

test('no place is missed or comes twice while places change, close, reopen and go', async () => {
  const before = await openIn(destination);
  const [early = '', late = '', gone = ''] = [before[1], before.at(-2), before[2]];
  const { ids, removed, snapshot } = await sync({ destination, limit: 10 }, async (page) => {
    // Every page some places are written anew, wherever the sync stands.
    await pool`update place set name = name || ' ' || ${page}::text, rating = 4.0 where id = any(${before})
      and id <> ${gone} and hashtext(id || ${page}::text) % 3 = 0`;
    if (page === 2) {
      await pool`update place set closed_at = now() where id in (${early}, ${late})`;
      await pool`
        insert into closure_evidence (place_id, kind, note, observed_at) values (${early}, 'venue_said', 'Goodbye', now())`;
      await pool`delete from place where id = ${gone}`;
    }
  });
  assert.equal(new Set(ids).size, ids.length);
  assert.deepEqual(
    ids,
    before.filter((id) => id !== late),
  );
  // Tombstones of what left shortly before may come with them: a transaction may still have been under way.
  const reasons = new Map(removed.map(({ place_id, reason }) => [place_id, reason]));
  assert.deepEqual(
    [early, late, gone].map((id) => reasons.get(id)),
    ['venue_said', 'closed', 'removed'],
  );
  // A copy that follows the feed is now what the directory is.
  const copy = new Set(ids);
  for (const { place_id } of removed) copy.delete(place_id);
  assert.deepEqual([...copy], await openIn(destination));

  await pool`update place set closed_at = null where id = ${late}`;
  const next = await sync({ destination, limit: 10, updated_since: snapshot });
  assert.ok(next.ids.includes(late));
});

test('a copy that is kept by changes alone stays equal to the directory', async () => {
  const copy = new Map<string, string>();
  let since: string | undefined;
  const follow = async () => {
    const { names, removed, snapshot } = await sync({
      destination: 'paris',
      limit: 5,
      ...(since && { updated_since: since }),
    });
    for (const [id, name] of names) copy.set(id, name);
    for (const { place_id } of removed) copy.delete(place_id);
    since = snapshot;
    return names.size;
  };
  await follow();
  const ids = await openIn('paris');
  for (const [round, id] of ids.slice(0, 4).entries()) {
    await pool`update place set name = ${`Renamed ${round}`} where id = ${id}`;
    await pool`update place set closed_at = now() where id = ${ids.at(-1 - round) ?? ''}`;
    assert.ok((await follow()) < ids.length);
    const rows = await pool<{ id: string; name: string }[]>`
      select p.id, p.name from place p join destination d on d.id = p.destination_id
      where d.slug = 'paris' and closed_at is null`;
    assert.deepEqual(copy, new Map(rows.map((row) => [row.id, row.name])));
  }
});

test('a change that was under way when a sync began is in the next one', async () => {
  const [id = ''] = await openIn('rome');
  const connection = await beginTransaction(pool);
  await connection`update place set name = 'Committed late' where id = ${id}`;
  const first = await sync({ destination: 'rome' });
  assert.notEqual(first.names.get(id), 'Committed late');
  await connection`commit`;
  connection.release();
  const next = await sync({ destination: 'rome', updated_since: first.snapshot });
  assert.equal(next.names.get(id), 'Committed late');
});

test('a place that moves leaves a tombstone where it was and comes where it is', async () => {
  const [id = ''] = await openIn('lisbon');
  const snapshots = new Map<string, string>();
  for (const slug of ['lisbon', 'porto', 'madrid'])
    snapshots.set(slug, (await sync({ destination: slug })).snapshot);
  const changes = (slug: string) => sync({ destination: slug, updated_since: snapshots.get(slug) });
  const move = (slug: string) =>
    pool`update place set destination_id = (select id from destination where slug = ${slug}) where id = ${id}`;
  const leaves = async (slug: string) =>
    (await changes(slug)).removed.some(({ place_id, reason }) => place_id === id && reason === 'moved');
  const comes = async (slug: string) => (await changes(slug)).ids.includes(id);

  await move('porto');
  assert.deepEqual([await leaves('lisbon'), await comes('lisbon')], [true, false]);
  assert.deepEqual([await leaves('porto'), await comes('porto')], [false, true]);
  await move('madrid');
  assert.ok((await leaves('lisbon')) && (await leaves('porto')) && (await comes('madrid')));
  await move('lisbon');
  assert.deepEqual([await leaves('lisbon'), await comes('lisbon')], [false, true]);
  assert.ok((await leaves('porto')) && (await leaves('madrid')));
});

test('changes can be asked for since a time, and all that ever left can be listed', async () => {
  const [id = '', other = ''] = await openIn('london');
  await pool`update place set updated_at = '2026-11-10T00:00:00Z'
    where destination_id = (select id from destination where slug = 'london')`;
  await pool`update place set updated_at = '2026-11-13T00:00:00Z' where id = ${id}`;
  await pool`update place set closed_at = '2026-11-13T00:00:00Z' where id = ${other}`;
  const since = await sync({ destination: 'london', updated_since: '2026-11-12T00:00:00Z' });
  assert.deepEqual(since.ids, [id]);
  assert.ok(since.removed.some(({ place_id }) => place_id === other));
  const closed = await pool<{ id: string }[]>`
    select p.id from place p join destination d on d.id = p.destination_id
    where d.slug = 'london' and closed_at is not null order by p.id`;
  const all = await sync({ destination: 'london', include_removed: true, limit: 2 });
  assert.deepEqual(
    all.removed.map(({ place_id }) => place_id),
    closed.map((row) => row.id),
  );
});

test('a cursor serves its own sync only, and for a day', async () => {
  const { next_cursor: cursor } = await feed({ destination: 'bangkok', limit: 1 });
  const { next_cursor: delta } = await feed({
    destination: 'bangkok',
    limit: 1,
    updated_since: '2000-01-01T00:00:00Z',
  });
  const refused = [
    { destination: 'paris', cursor },
    { destination: 'bangkok', cursor, updated_since: '2000-01-01T00:00:00Z' },
    { destination: 'bangkok', cursor, include_removed: true },
    { destination: 'bangkok', cursor: delta, updated_since: '2001-01-01T00:00:00Z' },
    { destination: 'bangkok', cursor: `${cursor ?? ''}x`.replace(/^./, 'A') },
    { destination: 'bangkok', cursor: 'nonsense' },
  ];
  for (const input of refused) {
    assert.equal(
      (await refusal(service, PATH, 'directory_feed', input)).code,
      'bad_cursor',
      JSON.stringify(input),
    );
  }
  const { code: ofNoYear } = await refusal(service, PATH, 'directory_feed', {
    destination: 'bangkok',
    updated_since: '0000-01-01T00:00:00Z',
  });
  assert.equal(ofNoYear, 'validation_failed');
  service.clock.advance(DAY_MS);
  await feed({ destination: 'bangkok', cursor });
  service.clock.advance(1);
  const { code, text } = await refusal(service, PATH, 'directory_feed', { destination: 'bangkok', cursor });
  assert.equal(code, 'bad_cursor');
  assert.match(text, /24 hours/);
});

test('limits and moments that cannot be are refused', async () => {
  for (const input of [
    { limit: 0 },
    { updated_since: 'yesterday' },
    { updated_since: '2026-11-14' },
    { updated_since: 'snp_9000000000000000000' },
    { include_removed: 'yes' },
  ])
    assert.equal(
      (await refusal(service, PATH, 'directory_feed', { destination: 'bali', ...input })).code,
      'validation_failed',
      JSON.stringify(input),
    );
});

test('a record that was given before is given as the place and the hour are now', async () => {
  const same = async () => {
    const places = await asDetails({ destination: 'oslo', limit: 25 });
    return JSON.stringify(places);
  };
  const noon = await same();
  service.clock.advance(DAY_MS / 2);
  const midnight = await same();
  assert.notEqual(midnight, noon);
  // After so long nobody can tell from a map whether a place is open.
  service.clock.advance(800 * DAY_MS);
  assert.notEqual(await same(), midnight);
  const [id = ''] = await openIn('oslo');
  await pool`update place set about = 'Told anew' where id = ${id}`;
  assert.match(await same(), /"about":"Told anew"/);
});
