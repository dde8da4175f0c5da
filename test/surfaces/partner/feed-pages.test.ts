import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addMadeUpPlace } from '../../directory/made-up-place.ts';
import { callTool, refusal } from '../../harness/clients/call-tool.ts';
import { PARTNER_MCP, roomyKey } from '../../harness/people/partner.ts';
import { until } from '../../harness/service/jobs.ts';
import { startTestService } from '../../harness/service/service.ts';

const service = await startTestService({ demoPlaces: 3000 });
const { pool } = service.database;
const destination = 'bali';

interface Page {
  places: { place_id: string }[];
  removed: { place_id: string }[];
  next_cursor: string | null;
}

/** All pages of a list, one after the other. */
async function walk<Answer extends { next_cursor: string | null }>(
  tool: string,
  input: Record<string, unknown>,
): Promise<Answer[]> {
  const pages: Answer[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const given = { ...input, ...(cursor !== undefined && { cursor }) };
    const page = await callTool<Answer>(service, PARTNER_MCP, tool, given, await roomyKey(service));
    pages.push(page);
    cursor = page.next_cursor;
  }
  return pages;
}

/** Records from a few hundred bytes to 20 kB, the longest description, and more removals than fit behind the last. */
await pool`
  update place p set about = case when n % 40 = 0 then repeat('𝄞', 5000) else repeat('x', (n * 7919) % 4000) end
  from (
    select p.id, (row_number() over (order by p.id))::int as n
    from place p join destination d on d.id = p.destination_id where d.slug = ${destination}
  ) numbered
  where numbered.id = p.id`;
await pool`
  update place set closed_at = now() where id in (
    select p.id from place p join destination d on d.id = p.destination_id
    where d.slug = ${destination} and closed_at is null order by md5(p.id) limit 40)`;
await pool`
  insert into place_removed (place_id, destination_id, reason, removed_at, changed_xid)
  select 'plc_' || lpad(n::text, 26, '0'), d.id, 'removed', now(), pg_current_xact_id()
  from destination d, generate_series(1, 450) n where d.slug = ${destination}`;

// The feed repeats changes made while an older transaction ran, which may belong to another test on this server.
await until('nothing older runs', async () => {
  const [row] = await pool<{ over: boolean }[]>`
    select pg_snapshot_xmin(pg_current_snapshot())::text::numeric
      > (select max(changed_xid::text::numeric) from place_removed) as over`;
  return row?.over;
});

for (const input of [
  {},
  { include_removed: true },
  { updated_since: '2000-01-01T00:00:00Z' },
  { updated_since: '2000-01-01T00:00:00Z', include_removed: false },
])
  test(`pages that end by their size hold together what pages of 200 hold: ${JSON.stringify(input)}`, async () => {
    const [bySize, byCount] = [
      await walk<Page>('directory_feed', { destination, ...input }),
      await walk<Page>('directory_feed', { destination, limit: 200, ...input }),
    ];
    assert.ok(bySize.length > byCount.length);
    for (const part of ['places', 'removed'] as const)
      assert.deepEqual(
        bySize.flatMap((page) => page[part]),
        byCount.flatMap((page) => page[part]),
      );
    for (const { places, removed } of bySize) {
      const size = Buffer.byteLength(JSON.stringify({ places, removed }));
      assert.ok(size <= 50_000, `${places.length} places in ${size} bytes`);
    }
  });

test('a long menu comes in pages, each dish once and in its order', async () => {
  const place_id = await addMadeUpPlace(pool, service.clock);
  const sections = Array.from({ length: 12 }, (_, section) => ({
    name: `Section ${section}`,
    items: Array.from({ length: 40 }, (_, item) => ({
      ...{ name: `Dish ${section}/${item}`, price: '12' },
      description: 'x'.repeat((section * 977 + item * 131) % 300),
    })),
  }));
  await pool`insert into menu (place_id, currency, sections) values (${place_id}, 'EUR', ${pool.json(sections)})`;
  interface Menu {
    sections: { name: string; items: { name: string }[] }[];
    next_cursor: string | null;
  }
  const pages = await walk<Menu>('get_menu', { place_id });
  assert.ok(pages.length > 3);
  const dishes = (menu: Pick<Menu, 'sections'>) =>
    menu.sections.flatMap(({ name, items }) => items.map((dish) => `${name}: ${dish.name}`));
  assert.deepEqual(pages.flatMap(dishes), dishes({ sections }));
  await pool`update menu set updated_at = now() + interval '1 second' where place_id = ${place_id}`;
  const cursor = pages[0]?.next_cursor;
  assert.equal((await refusal(service, PARTNER_MCP, 'get_menu', { place_id, cursor })).code, 'bad_cursor');
});
