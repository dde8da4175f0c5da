import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR_MS } from '../../../../src/core/time.ts';
import { until } from '../../../harness/service/jobs.ts';
import { startTestService } from '../../../harness/service/service.ts';

const service = await startTestService({ demoPlaces: 300 });
const { pool } = service.database;

function open(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return service.request(path, { headers: { accept: 'text/html', 'accept-encoding': 'gzip', ...headers } });
}

async function tagOf(path: string, headers?: Record<string, string>): Promise<string> {
  const response = await open(path, headers);
  assert.equal(response.status, 200);
  await response.text();
  return response.headers.get('etag') ?? '';
}

const [first] = await pool<{ id: string; name: string }[]>`
  select p.id, p.name from place p join destination d on d.id = p.destination_id
  where d.slug = 'bali' and p.closed_at is null order by p.rating desc nulls last, p.id limit 1`;
assert.ok(first);
const PAGES = ['/', '/d/bali', '/d/bali?category=restaurant&open=1', `/p/${first.id}`];

test('the same page is the same bytes under a strong tag, and whoever has it is not sent it again', async () => {
  for (const path of PAGES) {
    const tag = await tagOf(path);
    assert.match(tag, /^"[\w-]+-gzip"$/, path);
    assert.equal(await tagOf(path), tag);
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`]) {
      const again = await open(path, { 'if-none-match': known });
      assert.equal(again.status, 304, `${path} ${known}`);
      assert.equal(again.headers.get('etag'), tag);
      assert.equal(again.headers.get('cache-control'), 'no-cache');
      assert.equal(await again.text(), '');
    }
    assert.notEqual(await tagOf(path, { 'accept-encoding': 'br' }), tag, 'every form has its own tag');
  }
});

test('every input that changes a page makes another page', async () => {
  const tags = await Promise.all([
    tagOf('/d/bali'),
    tagOf('/d/bali?lang=de'),
    tagOf('/d/bali?category=restaurant'),
    tagOf('/d/bali?open=1'),
    tagOf('/d/lisbon'),
  ]);
  assert.equal(new Set(tags).size, tags.length);
  const { headers } = await open('/d/bali');
  assert.equal(headers.get('vary'), 'accept-encoding, accept-language');
});

test('a place that has closed leaves the prepared page of its destination', async () => {
  const before = await (await open('/d/bali')).text();
  const listed = /data-place="(plc_\w+)"/.exec(before)?.[1];
  assert.ok(listed);
  await pool`update place set closed_at = now() where id = ${listed}`;
  await until('the page has changed', async () => {
    return !(await (await open('/d/bali')).text()).includes(`data-place="${listed}"`);
  });
});

test('a person who changed a place sees that on its page at once', async () => {
  const { id } = first;
  await tagOf(`/p/${id}`);
  await pool`update place set about = 'A kitchen of clay and fire.' where id = ${id}`;
  assert.match(await (await open(`/p/${id}`)).text(), /A kitchen of clay and fire\./);
});

test('a page tells what is open and what time it is as of this minute', async () => {
  const timeOf = async () => /<time[^>]*>([^<]+)</.exec(await (await open('/d/bali')).text())?.[1];
  const before = [await timeOf(), await tagOf('/d/bali'), await tagOf('/d/bali?open=1')];
  service.clock.advance(8 * HOUR_MS);
  const after = [await timeOf(), await tagOf('/d/bali'), await tagOf('/d/bali?open=1')];
  for (const [at, one] of before.entries()) assert.notEqual(one, after[at]);
});

test('many who ask for one page at once get one page, and a fault is not kept', async () => {
  const { preparedPages } = service.app.deps;
  let made = 0;
  const make = () => {
    made++;
    return Promise.resolve('<p>Once</p>');
  };
  const bodies = await Promise.all(
    Array.from({ length: 20 }, async () => preparedPages.find('once', [1], make)),
  );
  assert.equal(made, 1);
  assert.equal(new Set(bodies).size, 1);
  const fail = () => {
    throw new Error('not now');
  };
  await assert.rejects(async () => preparedPages.find('fault', [1], fail), /not now/);
  assert.equal((await preparedPages.find('fault', [1], () => 'well')).bytes.toString(), 'well');
});
