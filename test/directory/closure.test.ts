import assert from 'node:assert/strict';
import { test } from 'node:test';
import { violatedConstraint } from '../../src/core/postgres/db.ts';
import {
  recordClosure,
  recordReopening,
  type Closure,
  type Reopening,
} from '../../src/directory/closure/closure.ts';
import { reopenPlaceCommand, reportClosureCommand } from '../../src/directory/closure/closure-command.ts';
import { closureBeliefOf, openStatusOf } from '../../src/directory/hours/place-open.ts';
import { findPlace } from '../../src/directory/place/place.ts';
import { searchPlaces } from '../../src/search/search-places.ts';
import { startTestService, type TestService } from '../harness/service/service.ts';
import { addMadeUpPlace } from './made-up-place.ts';
import { DAY_MS, HOUR_MS } from '../../src/core/time.ts';

const service = await startTestService();
const node = await startTestService({ database: service.database });
const { pool } = service.database;
const { clock } = service;
const REPORT = 'https://news.example/closed';

function report(placeId: string, more: Partial<Closure> = {}): Closure {
  const note = 'The paper reported that it has closed for good.';
  return { placeId, kind: 'published_report', source_url: REPORT, note, observed_at: clock.now(), ...more };
}

const close = (closure: Closure) => pool.begin((tx) => recordClosure(tx, clock.now(), closure));
const reopen = (reopening: Reopening) => pool.begin((tx) => recordReopening(tx, clock.now(), reopening));

function finds(on: TestService, name: string, placeId: string): boolean {
  const { hits } = searchPlaces(on.app.deps, { text: name, limit: 10 });
  return hits.some(({ place: one }) => one.placeId === placeId);
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}

async function beliefOf(placeId: string) {
  const place = await findPlace(pool, placeId);
  assert.ok(place);
  return { place, belief: closureBeliefOf(place), status: openStatusOf(place, 'Asia/Makassar', clock.now()) };
}

test('a place that is believed closed leaves the search of every node, and comes back to it', async () => {
  const name = 'Warung Penutupan';
  const id = await addMadeUpPlace(pool, clock, { name });
  for (const on of [service, node]) await until(() => finds(on, name, id));
  assert.equal(await close(report(id)), 'closed');
  for (const on of [service, node]) await until(() => !finds(on, name, id));
  const reopening = { placeId: id, note: 'We ate there.', source: 'staff' as const };
  assert.equal(await reopen(reopening), 'open');
  for (const on of [service, node]) await until(() => finds(on, name, id));
});

test('a closed place says why, and every write moves updated_at', async () => {
  const id = await addMadeUpPlace(pool, clock);
  clock.advance(DAY_MS);
  await close(report(id));
  const closed = await beliefOf(id);
  assert.equal(closed.status.state, 'closed');
  assert.equal(closed.status.evidence, 'published_report');
  assert.match(closed.status.text, /a published report says so/);
  assert.deepEqual(
    [closed.belief.believed_closed, closed.belief.confidence, closed.belief.evidence[0]?.source_url],
    [true, 'believed', REPORT],
  );
  assert.deepEqual(closed.place.closed_at, clock.now());
  assert.deepEqual(closed.place.updated_at, clock.now());
  clock.advance(DAY_MS);
  await reopen({ placeId: id, note: 'Open again.', source: 'venue' });
  const open = await beliefOf(id);
  assert.deepEqual([open.belief.confidence, open.belief.evidence], ['none', []]);
  assert.deepEqual(open.place.updated_at, clock.now());
  assert.deepEqual(open.place.verified_at, clock.now(), 'somebody has confirmed the place');
  const [ended] =
    await pool`select kind, source_url, ended_by, ended_note from closure_ended where place_id = ${id}`;
  assert.deepEqual(
    { ...ended },
    { kind: 'published_report', source_url: REPORT, ended_by: 'venue', ended_note: 'Open again.' },
  );
});

test("the venue's own word closes a place without a web address", async () => {
  const id = await addMadeUpPlace(pool, clock);
  const said = report(id, { kind: 'venue_said', source_url: null, note: 'Told us by telephone.' });
  assert.equal(await close(said), 'closed');
  assert.equal((await beliefOf(id)).status.evidence, 'venue_said');
});

test('a report needs the address where it stands, everything needs a note, and the place must exist', async () => {
  const id = await addMadeUpPlace(pool, clock);
  const refused = { code: 'validation_failed' };
  for (const source_url of [null, 'not an address', 'ftp://news.example/x', 'javascript:alert(1)'])
    await assert.rejects(close(report(id, { source_url })), refused, String(source_url));
  await assert.rejects(close(report(id, { note: '  ' })), refused);
  await assert.rejects(reopen({ placeId: id, note: '', source: 'staff' }), refused);
  const nobody = report('plc_00000000000000000000000000');
  await assert.rejects(close(nobody), { code: 'place_not_found' });
  assert.equal((await beliefOf(id)).belief.confidence, 'none');
});

test('the database refuses unknown kinds, reports without an address and empty notes by itself', async () => {
  const id = await addMadeUpPlace(pool, clock);
  const wrong = [
    ['rumour', REPORT, 'x', 'closure_evidence_kind_known'],
    ['published_report', null, 'x', 'closure_evidence_report_has_source'],
    ['venue_said', null, '', 'closure_evidence_note_present'],
  ] as const;
  for (const [kind, url, note, constraint] of wrong)
    await assert.rejects(
      pool`insert into closure_evidence values (${id}, ${kind}, ${url}, ${note}, now())`.then(),
      (thrown: unknown) => violatedConstraint(thrown) === constraint,
      constraint,
    );
});

test('a dead website closes nothing without three failures over 48 hours on record', async () => {
  const website = 'https://warung.example/';
  const hour = HOUR_MS;
  const cases = [
    { failures: 0, hours: 0, expected: 'unproven' },
    { failures: 2, hours: 72, expected: 'unproven' },
    { failures: 9, hours: 47, expected: 'unproven' },
    { failures: 3, hours: 48, expected: 'closed' },
    { failures: 3, hours: 48, checked: 'https://old.example/', expected: 'unproven' },
    { failures: 3, hours: 48, last: 'unclear', expected: 'unproven' },
  ];
  for (const { failures, hours, expected, checked = website, last = 'failed' } of cases) {
    const id = await addMadeUpPlace(pool, clock, { website });
    const since = failures === 0 ? null : new Date(clock.now().getTime() - hours * hour);
    await pool`insert into website_probe (place_id, website, failures, first_failure_at, last_probe_at, next_probe_at, last_result)
      values (${id}, ${checked}, ${failures}, ${since}, ${clock.now()}, ${clock.now()}, ${last})`;
    const dead = report(id, { kind: 'website_dead', source_url: website, note: 'It no longer answers.' });
    assert.equal(await close(dead), expected, JSON.stringify({ failures, hours }));
    assert.equal((await beliefOf(id)).belief.evidence.length, expected === 'closed' ? 1 : 0);
  }
});

test('the same report twice is one report, and another one adds to it', async () => {
  const id = await addMadeUpPlace(pool, clock);
  await close(report(id));
  const first = clock.now();
  clock.advance(DAY_MS);
  assert.equal(await close(report(id)), 'closed');
  assert.deepEqual((await beliefOf(id)).place.updated_at, first, 'nothing was written');
  await close(report(id, { source_url: 'https://other.example/closed' }));
  const { place, belief } = await beliefOf(id);
  assert.equal(belief.evidence.length, 2);
  assert.deepEqual(place.closed_at, first, 'the belief keeps its first date');
});

test('a report from before the place was confirmed makes it suspected, not closed', async () => {
  const id = await addMadeUpPlace(pool, clock, { verifiedAt: clock.now() });
  const old = report(id, { observed_at: new Date(clock.now().getTime() - DAY_MS) });
  assert.equal(await close(old), 'suspected');
  const { belief, status } = await beliefOf(id);
  assert.deepEqual([belief.believed_closed, belief.confidence], [false, 'suspected']);
  assert.notEqual(status.state, 'closed');
  assert.equal(await close(report(id)), 'closed', 'seen again today, it counts');
});

test('an old report that is read again does not close what a person has reopened', async () => {
  const id = await addMadeUpPlace(pool, clock);
  const old = report(id);
  await close(old);
  clock.advance(DAY_MS);
  await reopen({ placeId: id, note: 'Open.', source: 'staff' });
  assert.equal(await close(old), 'answered');
  assert.equal((await beliefOf(id)).belief.confidence, 'none');
  clock.advance(DAY_MS);
  assert.equal(await close(report(id)), 'closed', 'a new one counts');
});

test('a website that answers takes back nothing but what was held against it', async () => {
  const id = await addMadeUpPlace(pool, clock);
  await close(report(id));
  await pool`insert into closure_evidence values (${id}, 'website_dead', null, 'It was dead.', ${clock.now()})`;
  const answers = { placeId: id, note: 'It answers.', source: 'website' as const };
  assert.equal(await reopen(answers), 'still_closed');
  assert.deepEqual(
    (await beliefOf(id)).belief.evidence.map(({ kind }) => kind),
    ['published_report'],
  );
  assert.equal(await reopen(answers), 'unchanged');
  assert.equal((await beliefOf(id)).place.verified_at, null, 'a website confirms nobody');
});

test('many who write about one place at once leave evidence and belief in step', async () => {
  const id = await addMadeUpPlace(pool, clock);
  await Promise.all(
    Array.from({ length: 12 }, (_, turn) =>
      turn % 2 === 0
        ? close(report(id, { source_url: `https://news.example/${turn}` }))
        : reopen({ placeId: id, note: `Turn ${turn}.`, source: 'staff' }),
    ),
  );
  const { belief, place } = await beliefOf(id);
  assert.equal(belief.evidence.length > 0, place.closed_at !== null);
});

test('in a transaction of the caller it is undone with it', async () => {
  const id = await addMadeUpPlace(pool, clock);
  const undone = pool.begin(async (tx) => {
    assert.equal(await recordClosure(tx, clock.now(), report(id)), 'closed');
    throw new Error('undo');
  });
  await assert.rejects(undone, /undo/);
  assert.equal((await beliefOf(id)).belief.confidence, 'none');
});

test('the commands close and reopen a place, and say what they did', async () => {
  const place = await addMadeUpPlace(pool, clock);
  const now = clock.now();
  const run = (command: typeof reopenPlaceCommand, options: Record<string, string>) =>
    pool.begin((tx) => command(tx, now, options));
  const reopenAgain = () => run(reopenPlaceCommand, { place, note: 'We ate there.' });
  assert.match(await reopenAgain(), /not believed closed/);
  assert.match(await run(reportClosureCommand, { place, url: REPORT, note: 'Gone.' }), /believed closed/);
  assert.equal((await beliefOf(place)).belief.evidence[0]?.note, 'Gone.');
  assert.match(await reopenAgain(), /open again/);
  await assert.rejects(run(reportClosureCommand, { place, note: 'x' }), /--url must be given/);
  await assert.rejects(run(reportClosureCommand, { place: 'x', url: REPORT, note: 'x' }), /--place must be/);
  await assert.rejects(run(reopenPlaceCommand, { place }), /--note must be given/);
});
