import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callTool, refusal } from '../../harness/clients/call-tool.ts';
import { until } from '../../harness/service/jobs.ts';
import { startTestService } from '../../harness/service/service.ts';
import { LONG } from '../../harness/tier.ts';

const PATH = '/api/partner/mcp';
const PER_PAGE = LONG ? 50 : 6;
const service = await startTestService({ demoPlaces: LONG ? 20_000 : 3000 });
const { pool, newId } = { pool: service.database.pool, newId: service.app.deps.newId };

interface Page {
  snapshot: string;
  places: { place_id: string; name: string; rating: number | null }[];
  removed: { place_id: string; removed_at: string; reason: string }[];
  next_cursor: string | null;
  done: boolean;
}

const feed = (input: Record<string, unknown>) => callTool<Page>(service, PATH, 'directory_feed', input);

const [largest] = await pool<{ id: string; slug: string; places: number }[]>`
  select d.id, d.slug, count(*)::int as places from destination d join place p on p.destination_id = d.id
  where p.closed_at is null group by d.id order by 3 desc limit 1`;
const destination = largest?.slug ?? '';
const destinationId = largest?.id ?? '';

async function directory(): Promise<Map<string, string>> {
  const rows = await pool<{ id: string; name: string }[]>`
    select id, name from place where destination_id = ${destinationId} and closed_at is null`;
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Changes the directory while it is being copied. */
async function disturb(round: number, ids: readonly string[]): Promise<void> {
  const at = (step: number) => ids[(round * 37 + step * 101) % ids.length] ?? '';
  await pool`update place set name = name || ' ' || ${round}::text where id = any(${[at(1), at(2), at(3)]})`;
  await pool`update place set closed_at = now() where id = ${at(4)}`;
  await pool`insert into closure_evidence (place_id, kind, note, observed_at)
    values (${at(4)}, 'venue_said', 'Goodbye', clock_timestamp()) on conflict do nothing`;
  await pool`delete from place where id = ${at(5)}`;
  await pool`update place set closed_at = null where id = ${at(4 - 37)} and closed_at is not null`;
  await pool`
    insert into place (id, destination_id, name, vertical, category, country, lat, lng, source, source_ref)
    select ${newId('plc')}, destination_id, ${`Opened ${round}`}, vertical, category, country, lat, lng, source,
           ${`feed-sync/${round}`} from place where id = ${at(6)}`;
}

/** One sync to its end; each page counts into a copy as a partner would keep it. */
async function sync(
  copy: Map<string, string>,
  input: Record<string, unknown>,
  between: (page: number) => Promise<void>,
) {
  const seen: string[] = [];
  const removed = new Map<string, string>();
  let snapshot = '';
  let cursor: string | null = null;
  /** The directory when removals began to come. What leaves later may come with the next sync only. */
  let listed: Map<string, string> | undefined;
  for (let pages = 1; ; pages++) {
    const page: Page = await feed({
      destination,
      limit: PER_PAGE,
      ...input,
      ...(cursor !== null && { cursor }),
    });
    snapshot ||= page.snapshot;
    assert.equal(page.snapshot, snapshot);
    for (const { place_id, name } of page.places) {
      seen.push(place_id);
      copy.set(place_id, name);
    }
    if (page.removed.length > 0) listed ??= await directory();
    for (const { place_id, reason } of page.removed) removed.set(place_id, reason);
    cursor = page.next_cursor;
    if (cursor === null) {
      for (const id of removed.keys()) copy.delete(id);
      return { seen, removed, snapshot, pages, listed: listed ?? (await directory()) };
    }
    await between(pages);
  }
}

test('a full sync of the largest destination misses nothing and repeats nothing while places change, close and open', async (t) => {
  const before = await directory();
  const ids = [...before.keys()].sort();
  assert.ok(ids.length > 10 * PER_PAGE, `${destination} has ${ids.length} places`);
  const copy = new Map<string, string>();
  const full = await sync(copy, {}, (page) => disturb(page, ids));
  assert.ok(full.pages > 10);
  assert.equal(new Set(full.seen).size, full.seen.length, 'no place comes twice');
  const after = await directory();
  const missed = ids.filter((id) => after.has(id) && !full.seen.includes(id));
  assert.deepEqual(missed, [], 'no place that was there all the time is missed');
  const left = ids.filter((id) => !full.listed.has(id) && !after.has(id));
  assert.ok(left.length > 10);
  const untold = left.filter((id) => full.seen.includes(id) && !full.removed.has(id));
  assert.deepEqual(untold, [], 'every place that left while it was copied has its tombstone');
  t.diagnostic(
    `${full.seen.length} places in ${full.pages} pages, ${full.removed.size} tombstones, ${left.length} left meanwhile`,
  );

  const delta = await sync(copy, { updated_since: full.snapshot }, () => Promise.resolve());
  assert.equal(new Set(delta.seen).size, delta.seen.length);
  assert.deepEqual(
    new Map([...copy].sort()),
    new Map([...(await directory())].sort()),
    'the copy is the directory',
  );
  t.diagnostic(`after ${delta.seen.length} changes more the copy equals the directory: ${copy.size} places`);
});

test('a snapshot of a database that was put in the place of another is refused, and rows of another server are no changes', async () => {
  const sync = (input: Record<string, unknown>) => feed({ destination: 'bali', limit: 1, ...input });
  await service.app.deps.places.follow();
  // As a restored row says that a transaction wrote it which this server has not reached.
  await pool`
    insert into place (id, destination_id, name, vertical, category, country, lat, lng, source, source_ref, changed_xid)
    select 'plc_' || lpad('ahead', 26, '0'), id, 'Ahead', 'cafe', 'cafe', country, lat, lng, 'test', 'ahead', '999999999999'
    from destination where slug = 'bali'`;
  // The feed repeats changes made while an older transaction ran, which may belong to another test on this server.
  const snapshot = await until('nothing older runs', async () => {
    const taken = (await sync({})).snapshot;
    return (await sync({ updated_since: taken })).places.length === 0 ? taken : undefined;
  });
  await pool`delete from place where source_ref = 'ahead'`;

  // A restored dump names another server.
  await pool`update change_sequence set history = 'another server'`;
  await service.app.deps.places.follow();
  const refused = await refusal(service, PATH, 'directory_feed', {
    destination: 'bali',
    updated_since: snapshot,
  });
  assert.equal(refused.code, 'validation_failed');
  const { snapshot: next } = await sync({});
  await sync({ updated_since: next });
});
