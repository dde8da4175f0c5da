import { stepOf } from '../../harness/service/jobs.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WebsiteProbes } from '../../../src/directory/website-probe/probe-websites.ts';
import { applyFieldClaims } from '../../../src/directory/provenance/apply-field-claims.ts';
import { lockPlaceClaims, writePlaceClaims } from '../../../src/directory/provenance/stored-claims.ts';
import { BASE_URL } from '../../harness/service/service.ts';
import { addMadeUpPlace } from '../made-up-place.ts';
import {
  service,
  clock,
  pool,
  hosts,
  traffic,
  port,
  resolve,
  options,
  round,
  addVenue,
  beliefOf,
  probeOf,
  onlyOneHealthyVenue,
} from './made-websites.ts';
import { HOUR_MS } from '../../../src/core/time.ts';

test('three failures within 47 hours do not close a venue; at 48 hours it is closed, and an answer reopens it', async () => {
  await onlyOneHealthyVenue();
  let status = 404;
  const id = await addVenue('failing.venue', () => status);
  for (const hours of [0, 23, 24]) {
    clock.advance(hours * HOUR_MS);
    await round();
  }
  assert.deepEqual([(await probeOf(id))?.failures, (await beliefOf(id)).confidence], [3, 'none']);
  clock.advance(HOUR_MS);
  await round();
  const belief = await beliefOf(id);
  assert.deepEqual([belief.confidence, belief.evidence[0]?.kind], ['believed', 'website_dead']);
  assert.match(
    belief.evidence[0]?.note ?? '',
    /failed 4 checks from 2026-11-14 to 2026-11-16, the last with HTTP 404/,
  );
  assert.equal(belief.evidence[0]?.source_url, `http://failing.venue:${port}/`);
  status = 200;
  clock.advance(HOUR_MS);
  await round();
  assert.deepEqual([(await probeOf(id))?.failures, (await beliefOf(id)).confidence], [0, 'none']);
});

test('a dead website that an agent submitted says nothing about the venue', async () => {
  await onlyOneHealthyVenue();
  const id = await addVenue('alive.venue', () => 200);
  hosts.set('submitted.venue', () => 404);
  await round();
  await pool.begin(async (tx) => {
    const agent = {
      by: 'agent',
      ref: 'sub_x',
      at: clock.now().toISOString(),
      proof: 'reviewed:stf_x',
    } as const;
    const says = { website: `http://submitted.venue:${port}/` };
    const places = await lockPlaceClaims(tx, [id]);
    await writePlaceClaims(
      tx,
      clock.now(),
      places.map((place) => applyFieldClaims(place, { ...agent, values: says })),
    );
  });
  for (const hours of [24, 24, 24, 24]) {
    clock.advance(hours * HOUR_MS);
    await round();
    assert.equal(
      traffic.asked.some(({ host }) => host === 'submitted.venue'),
      false,
    );
  }
  assert.equal((await beliefOf(id)).confidence, 'none');
});

test('the rule holds with the intervals of the service: closed at the third daily failure', async () => {
  await onlyOneHealthyVenue();
  const id = await addVenue('failing.venue', () => 503);
  const { egress } = options();
  const probes = new WebsiteProbes(
    { ...service.app.deps, ...stepOf(service) },
    egress === undefined ? {} : { egress },
  );
  const seen: string[] = [];
  for (let hour = 0; hour <= 48; hour += 6) {
    await probes.round(new AbortController().signal);
    const { failures = 0 } = (await probeOf(id)) ?? {};
    seen.push(`${hour}h ${failures} ${(await beliefOf(id)).confidence}`);
    clock.advance(6 * HOUR_MS);
  }
  assert.deepEqual(
    seen.filter((line) => /^(18|24|42|48)h/.test(line)),
    ['18h 1 none', '24h 2 none', '42h 2 none', '48h 3 believed'],
  );
});

test('one answer in between starts the count anew', async () => {
  await onlyOneHealthyVenue();
  let status = 500;
  const id = await addVenue('wavering.venue', () => status);
  for (const next of [500, 500, 301, 500, 500]) {
    status = next;
    await round();
    clock.advance(24 * HOUR_MS);
  }
  assert.deepEqual([(await probeOf(id))?.failures, (await beliefOf(id)).confidence], [2, 'none']);
});

test('the answer of a website is alive, failed or unclear; unclear changes no count', async () => {
  await onlyOneHealthyVenue();
  // In a round of its own: on a busy machine the others take longer than its timeout.
  const hanging = await addVenue('hanging.venue', () => new Promise<number>(() => undefined));
  await round({ timeoutMs: 500 });
  const unclear = await probeOf(hanging);
  assert.deepEqual(
    [unclear?.last_result, unclear?.last_detail, unclear?.failures],
    ['unclear', 'timeout', 0],
  );
  hosts.set('hanging.venue', () => 200);
  const expected: Record<string, readonly [string, string]> = {};
  for (const status of [200, 204, 301, 302, 308]) expected[`s${status}.venue`] = ['alive', `http_${status}`];
  for (const status of [404, 410, 500, 502, 503]) expected[`s${status}.venue`] = ['failed', `http_${status}`];
  for (const status of [400, 401, 403, 406, 429, 451])
    expected[`s${status}.venue`] = ['unclear', `http_${status}`];
  expected['nameless.venue'] = ['failed', 'dns'];
  expected['inside.venue'] = ['unclear', 'blocked_address'];
  const ids = new Map<string, string>();
  for (const host of Object.keys(expected)) {
    const status = Number(/\d+/.exec(host)?.[0] ?? 0);
    ids.set(host, await addVenue(host, host === 'nameless.venue' ? undefined : () => status));
  }
  const refusing = await addMadeUpPlace(pool, clock, { website: 'http://refusing.venue:1/' });
  hosts.set('refusing.venue', () => 200);
  const allow = [...hosts.keys(), 'nameless.venue'].filter((host) => host !== 'inside.venue');
  const egress = { allow: [...allow.map((host) => `${host}:${port}`), 'refusing.venue:1'], resolve };
  await round({ egress, timeoutMs: 60_000, atOnce: 20 });
  for (const [host, id] of ids) {
    const { last_result, last_detail, failures } = (await probeOf(id)) ?? {};
    assert.deepEqual([last_result, last_detail], expected[host], host);
    assert.equal(failures, last_result === 'failed' ? 1 : 0, host);
  }
  const { last_result, last_detail } = (await probeOf(refusing)) ?? {};
  assert.deepEqual([last_result, last_detail], ['failed', 'refused']);
});

test('the head is asked for first, the page only when that shows nothing, and both say who asks', async () => {
  await onlyOneHealthyVenue();
  const headless = await addVenue('headless.venue', ({ method }) => (method === 'HEAD' ? 405 : 200));
  await round();
  assert.equal((await probeOf(headless))?.last_result, 'alive');
  const of = (host: string) => traffic.asked.filter((one) => one.host === host).map(({ method }) => method);
  assert.deepEqual([of('healthy.venue'), of('headless.venue')], [['HEAD'], ['HEAD', 'GET']]);
  for (const { userAgent } of traffic.asked) assert.equal(userAgent, `svc-website-check/1.0 (+${BASE_URL})`);
});

test('a failure counts only beside a website that answers, so that a dead line of our own closes nobody', async () => {
  const healthy = await onlyOneHealthyVenue();
  const id = await addVenue('failing.venue', () => 404);
  hosts.set('healthy.venue', () => 404);
  for (let turn = 0; turn < 4; turn++) {
    await round();
    clock.advance(24 * HOUR_MS);
  }
  for (const place of [id, healthy]) {
    assert.deepEqual([(await probeOf(place))?.failures, (await probeOf(place))?.last_result], [0, 'unclear']);
    assert.equal((await beliefOf(place)).confidence, 'none');
  }
  assert.ok(service.logged.some(({ msg }) => String(msg).startsWith('no website answers')));
});

test('a website that answered last time is asked as a witness when nothing else answers', async () => {
  const healthy = await onlyOneHealthyVenue();
  await round();
  const id = await addVenue('failing.venue', () => 404);
  await pool`update website_probe set next_probe_at = ${new Date(clock.now().getTime() + 24 * HOUR_MS)} where place_id = ${healthy}`;
  await round();
  assert.equal((await probeOf(id))?.failures, 1);
  assert.ok(traffic.asked.some(({ host }) => host === 'healthy.venue'));
});

test('reserved names, places without a website and places closed for another reason are never asked', async () => {
  await onlyOneHealthyVenue();
  const reserved = [
    'warung.example',
    'warung.test',
    'warung.invalid',
    'www.example.com',
    'warung.example.',
    'app.localhost',
  ];
  for (const host of reserved) await addVenue(host, () => 200);
  await addMadeUpPlace(pool, clock);
  const closed = await addVenue('closed.venue', () => 200);
  await pool`update place set closed_at = now() where id = ${closed}`;
  const closedLater = await addVenue('closed-later.venue', () => 200);
  assert.equal((await round())?.checked, 2);
  await pool`update place set closed_at = now() where id = ${closedLater}`;
  assert.equal((await round())?.checked, 1);
  assert.deepEqual(
    traffic.asked.map(({ host }) => host),
    ['healthy.venue'],
  );
  assert.equal(await probeOf(closedLater), undefined);
});

test('a new address of the place starts with a clean sheet', async () => {
  await onlyOneHealthyVenue();
  const id = await addVenue('old.venue', () => 404);
  for (let turn = 0; turn < 2; turn++) {
    await round();
    clock.advance(24 * HOUR_MS);
  }
  hosts.set('new.venue', () => 404);
  await pool`update place set website = ${`http://new.venue:${port}/`} where id = ${id}`;
  await round();
  assert.deepEqual([(await probeOf(id))?.failures, (await beliefOf(id)).confidence], [1, 'none']);
});
