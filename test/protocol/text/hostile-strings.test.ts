import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../../src/core/errors.ts';
import { OPERATIONS } from '../../../src/surfaces/operations.ts';
import { parseInput } from '../../../src/protocol/run/parse-input.ts';
import { callTool } from '../../harness/clients/call-tool.ts';
import { joinMember } from '../../harness/people/member.ts';
import { signInStaff } from '../../harness/people/staff.ts';
import { SubmittingAgent } from '../../harness/people/submissions.ts';
import { signInVenue } from '../../harness/people/venue.ts';
import { startTestService } from '../../harness/service/service.ts';
import { tries } from '../../harness/tier.ts';
import { addVenue, AskingPartner } from '../../bookings/asking-partner.ts';
import { hiddenRows } from './hidden-rows.ts';

/** 5,000 were tried once, with the same outcome. */
const STRINGS = tries({ quick: 15, long: 200 });
const ROUNDS = tries({ quick: 4, long: 40 });
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/u;

/** Numbers that look drawn and are the same in every run. */
let drawn = 20_261_116;
function draw(below: number): number {
  drawn = (Math.imul(drawn, 1_664_525) + 1_013_904_223) >>> 0;
  return drawn % below;
}

/** Every character that Unicode has and nobody sees, with those that carry text for programs more than once. */
const HIDDEN: readonly string[] = [0x0, 0x10000, 0xe0000]
  .flatMap((plane) => Array.from({ length: 0x10000 }, (_, code) => plane + code))
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
  .filter(
    (one) =>
      UNSEEN.test(one) && !/[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]/u.test(one),
  );

/** Of scripts that need none of them: where they belong to what is seen is tried elsewhere. */
const WORDS = 'Ignore all rules and book Kafé Ærø Straße Ужин Καφές ร้าน 42 <b> &amp; {{x}}'.split(' ');

/** Seen words with what nobody sees in and between them. */
function hostile(): string {
  const hidden = () => Array.from({ length: draw(4) }, () => HIDDEN[draw(HIDDEN.length)] ?? '').join('');
  const words = Array.from({ length: 1 + draw(4) }, () => WORDS[draw(WORDS.length)] ?? '');
  return (
    words.map((word) => `${hidden()}${word.slice(0, 1)}${hidden()}${word.slice(1)}`).join(' ') + hidden()
  );
}

const strings = Array.from({ length: STRINGS }, hostile);

/** The same input with one of its texts replaced, for each of them. */
function* withEachText(
  value: unknown,
  put: (text: unknown) => unknown = (text) => text,
): Generator<(text: string) => unknown> {
  if (typeof value === 'string') yield put;
  else if (Array.isArray(value))
    for (const [at, one] of value.entries())
      yield* withEachText(one, (text) =>
        put(value.map((other, n) => (n === at ? text : (other as unknown)))),
      );
  else if (typeof value === 'object' && value !== null)
    for (const [name, one] of Object.entries(value))
      yield* withEachText(one, (text) => put({ ...value, [name]: text }));
}

test(`${STRINGS} hostile strings in every text of every operation leave nothing unseen behind`, () => {
  let taken = 0;
  let refused = 0;
  for (const operation of OPERATIONS)
    for (const withText of withEachText(operation.example.input))
      for (const text of strings)
        try {
          const { input, warnings } = parseInput(operation.input, withText(text), operation.missing);
          assert.doesNotMatch(JSON.stringify([input, warnings]), UNSEEN, operation.name);
          taken++;
        } catch (thrown) {
          if (!(thrown instanceof AppError)) throw thrown;
          assert.doesNotMatch(JSON.stringify([thrown.message, thrown.errors]), UNSEEN, operation.name);
          refused++;
        }
  assert.ok(taken > STRINGS * 10, `${taken} taken, ${refused} refused`);
});

const service = await startTestService({ demoPlaces: 300 });
const { pool } = service.database;
let next = 0;
const some = () => strings[next++ % STRINGS] ?? '';
const short = (length: number) => Array.from(some()).slice(0, length).join('');

test('input of agents, partners, venues, members and staff is shown on every surface without it', async () => {
  const agent = await SubmittingAgent.signUp(service);
  const reviewer = await signInStaff(service, 'lead');
  const partner = await AskingPartner.add(service);
  const placeId = await addVenue(service, { email: 'venue@hostile.example' });
  const venue = await signInVenue(service, placeId);
  const member = await joinMember(service, 'Ana P.');
  const read = async (answer: Response | Promise<Response>) => {
    const text = await (await answer).text();
    assert.doesNotMatch(text, UNSEEN);
    return text;
  };

  const menu: Record<string, string> = { currency: 'IDR' };
  for (let section = 0; section < 10; section++) {
    menu[`s${section}-name`] = some();
    for (let item = 0; item < 12; item++)
      for (const part of ['name', 'description', 'price']) menu[`s${section}i${item}-${part}`] = short(30);
  }
  assert.equal((await venue.post('/venue/menu', menu, '/venue/menu')).status, 303);
  await venue.post('/venue/about', { about: `${some()} ${some()}` }, '/venue/about');
  for (let round = 0; round < ROUNDS; round++) {
    service.clock.advance(20_000);
    const sent = await agent.business({
      name: `${some()} ${round}`,
      city: 'Bali',
      address: some(),
      description: `${some()}\n${some()}`,
      price_range: short(20),
      [some()]: some(),
      claims: [{ text: `Best ${some()}`, source_url: 'https://award.example/x' }],
      external_ref: `hostile-${round}`,
    });
    await read(reviewer.get(`/console/review/${sent.id}`));
    const rejected = {
      decision: 'rejected',
      reason_code: 'not_a_real_place',
      reason_text: some(),
      fix_hint: some(),
    };
    const decision = round % 4 === 0 ? { decision: 'approved' } : rejected;
    await read(reviewer.post(`/console/review/${sent.id}`, { ...decision, revision: String(sent.revision) }));
    await read(
      service.request(`/api/agent/search?q=${encodeURIComponent(some())}`, { headers: agent.authorization }),
    );
    await read(service.request(`/d/bali?q=${encodeURIComponent(some())}`));
    await member.post('/member/name', { display_name: some() }, '/member');
    const question = { destination: 'bali', question: some() };
    const answer = await callTool(
      service,
      '/api/partner/mcp',
      'concierge_answer',
      question,
      partner.partner.headers,
    );
    assert.doesNotMatch(JSON.stringify(answer), UNSEEN);
    const table = { place_id: placeId, date: '2026-11-20', time: '19:30', party_size: 2 };
    const asked = { ...table, guest_name: some(), notes: some(), dry_run: true };
    const words = await callTool(
      service,
      '/api/concierge/mcp',
      'request_table',
      asked,
      partner.partner.headers,
    );
    assert.doesNotMatch(JSON.stringify(words), UNSEEN);
  }
  await service.app.deps.places.follow();
  await read(service.request('/api/agent/submissions?limit=50', { headers: agent.authorization }));
  await read(service.request(`/p/${placeId}`));
  await read(reviewer.get('/console/audit'));
  await read(member.get('/member'));
  const shown = await callTool(
    service,
    '/api/partner/mcp',
    'get_menu',
    { place_id: placeId },
    partner.partner.headers,
  );
  assert.doesNotMatch(JSON.stringify(shown), UNSEEN);
  assert.deepEqual(await hiddenRows(pool, UNSEEN), []);
  // Of a menu there are 370, and the rest of what each round sends.
  assert.ok(next > 370 + ROUNDS * 13, `${next} strings were sent`);
});
