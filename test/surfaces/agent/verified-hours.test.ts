import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HoursSource } from '../../../src/directory/hours/verified-hours.ts';
import { callTool } from '../../harness/clients/call-tool.ts';
import { PARTNER_MCP } from '../../harness/people/partner.ts';
import { addReviewer, approve, business, SubmittingAgent } from '../../harness/people/submissions.ts';
import { startTestService } from '../../harness/service/service.ts';
import { LONG } from '../../harness/tier.ts';
import { addMadeUpPlace } from '../../directory/made-up-place.ts';

const service = await startTestService({ demoPlaces: 300 });
const { deps } = service.app;
const { pool, clock } = deps;
const agent = await SubmittingAgent.signUp(service);
const staffId = await addReviewer(service);
const DAY_MS = 86_400_000;

interface Hours {
  structured: Record<string, string[][]> | null;
  verified: boolean;
}

interface Seen {
  hours: Hours | null;
  open_now: boolean | null;
}

const onB = <Answer>(name: string, input: Record<string, unknown>) =>
  callTool<Answer>(service, PARTNER_MCP, name, input);

/** The same, but in `npm test` only where agents look, because another place is looked at everywhere. */
async function everywhereOrA(id: string): Promise<Seen[]> {
  return LONG ? everywhere(id) : [(await agent.get<Seen>(`/api/agent/business/${id}`)).body];
}

/** A place as every surface shows its hours: A, B's record, B's card, the feed. */
async function everywhere(id: string): Promise<Seen[]> {
  await deps.places.follow();
  const { body } = await agent.get<Seen & { name: string }>(`/api/agent/business/${id}`);
  const record = await onB<Seen>('place_details', { place_id: id });
  const { places } = await onB<{ places: (Seen & { place_id: string })[] }>('search_places', {
    destination: 'bali',
    query: body.name,
    fields: ['all'],
  });
  const card = places.find(({ place_id }) => place_id === id);
  assert.ok(card);
  const fed = await onB<{ places: (Seen & { place_id: string })[]; next_cursor: string | null }>(
    'directory_feed',
    { destination: 'bali', limit: 200 },
  );
  const one = fed.places.find(({ place_id }) => place_id === id);
  assert.ok(one, 'the feed has it on its first page');
  return [body, record, card, one];
}

async function approvedWith(
  hours: unknown,
): Promise<{ id: string; warnings: { code: string; detail: string }[] }> {
  const { body } = await agent.post<{
    submission_id: string;
    revision: number;
    warnings: { code: string; detail: string }[];
  }>('/api/agent/business', business({ hours, vertical: 'cafe' }));
  await approve(service, staffId, { id: body.submission_id, revision: body.revision });
  const id = String((await agent.standing(body.submission_id))['place_id']);
  return { id, warnings: body.warnings };
}

for (const text of ['Mon-Fri 9 to 5', 'Mo-Fr 9-5', 'open most days', 'Tu-Su'])
  test(`hours that are not understood bring a warning with the accepted form, and are verified nowhere: ${text}`, async () => {
    const { id, warnings } = await approvedWith(text);
    const warning = warnings.find(({ code }) => code === 'hours_not_understood');
    assert.match(warning?.detail ?? '', /Mo-Fr 09:00-17:00.*"mon-fri": "09:00-17:00"/);
    const look = text === 'open most days' ? everywhere : everywhereOrA;
    for (const { hours, open_now } of await look(id)) {
      assert.ok(hours === null || (hours.structured === null && !hours.verified), JSON.stringify(hours));
      assert.equal(open_now, null);
    }
    const page = await (await service.request(`/p/${id}`, { headers: { accept: 'text/html' } })).text();
    assert.doesNotMatch(page, /openingHoursSpecification|>\s*Verified:/);
  });

for (const hours of [
  'Mon-Fri 9am to 5pm',
  'Monday through Friday, 9 am – 5 pm',
  'Mon–Fri: from 9:00 until 17:00',
  'Mon-Fri 9-17, Sat, Sun closed',
  'weekdays 09:00 to 17:00',
  { 'mon-fri': '9am-5pm', 'sat-sun': 'closed' },
])
  test(`a common English form is understood: ${JSON.stringify(hours)}`, async () => {
    const { id, warnings } = await approvedWith(hours);
    assert.deepEqual(warnings, []);
    const look = typeof hours === 'object' ? everywhere : everywhereOrA;
    for (const { hours: seen } of await look(id)) {
      assert.deepEqual(seen?.structured?.['fri'], [['09:00', '17:00']]);
      assert.deepEqual([seen.structured['sat'], seen.verified], [[], true]);
    }
  });

const ALWAYS = { week: Array.from({ length: 7 }, () => [[0, 1440]]) };
const DOUBTFUL = { ...ALWAYS, doubtful: true };

async function placeWith(source: HoursSource, observedAt: Date, compiled: object): Promise<string> {
  const id = await addMadeUpPlace(pool, service.clock);
  const hours = { text: '24/7', source, observed_at: observedAt.toISOString(), compiled };
  await pool`update place set hours = ${pool.json(hours)} where id = ${id}`;
  return id;
}

for (const source of ['owner', 'reviewer', 'venue_website', 'map'] as const)
  test(`hours that may mean two things are not verified, although they come from: ${source}`, async () => {
    for (const { hours, open_now } of await everywhere(await placeWith(source, clock.now(), DOUBTFUL))) {
      assert.ok(hours === null || (hours.structured === null && !hours.verified));
      assert.equal(open_now, null);
    }
  });

for (const [source, days] of [
  ['venue_website', 180],
  ['map', 730],
] as const)
  test(`hours of the source ${source} are verified through the whole day on which they turn ${days} days old`, async () => {
    const today = Math.floor(clock.now().getTime() / DAY_MS) * DAY_MS;
    // At the first moment of that day: by the clock they are older than so many days for nearly all of it.
    const last = await placeWith(source, new Date(today - days * DAY_MS), ALWAYS);
    for (const { hours, open_now } of await everywhere(last))
      assert.deepEqual([hours?.verified, open_now], [true, true]);
    const older = await placeWith(source, new Date(today - days * DAY_MS - 1), ALWAYS);
    for (const { hours, open_now } of await everywhere(older))
      assert.deepEqual([hours?.verified, open_now], [false, null]);
  });
