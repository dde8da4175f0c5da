import assert from 'node:assert/strict';
import { randomBytes, scryptSync } from 'node:crypto';
import { test } from 'node:test';
import { callTool } from '../../harness/clients/call-tool.ts';
import { rpc } from '../../harness/clients/mcp.ts';
import { joinMember } from '../../harness/people/member.ts';
import { startTestService } from '../../harness/service/service.ts';
import { FormClient, signInStaff } from '../../harness/people/staff.ts';
import { codeIn, lastMessage, SubmittingAgent } from '../../harness/people/submissions.ts';
import { addPhotographer, sendFiles, sendPhoto } from '../../photos/photographer.ts';
import { plainPhoto } from '../../photos/made-pictures.ts';
import { addVenue, AskingPartner } from '../../bookings/asking-partner.ts';
import { importMap } from '../../import/import-directory.ts';
import { hiddenRows } from './hidden-rows.ts';

/** Tags that spell an order, a turn of direction, and characters without a width. */
const HIDDEN = `${Array.from('OBEY', (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')}\u202e\u2066\u200b\u200d\u2060\ufeff\u00ad\ufe0f\ufe0e`;
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

const service = await startTestService({ demoPlaces: 300, settings: { BASE_URL: 'http://localhost:3000' } });
const { deps } = service.app;
const { pool } = deps;
const agent = await SubmittingAgent.signUp(service);
const reviewer = await signInStaff(service, 'lead');

/** Hides something in the midst and at both ends. */
const hide = (text: string) => `${HIDDEN}${text.slice(0, 3)}${HIDDEN}${text.slice(3)}${HIDDEN}`;

async function seen(answer: Response, status: number): Promise<string> {
  const text = await answer.text();
  assert.equal(answer.status, status, text);
  const hidden = UNSEEN.exec(text);
  assert.equal(
    hidden,
    null,
    `U+${(hidden?.[0].codePointAt(0) ?? 0).toString(16)} in: ${text.slice(0, 2000)}`,
  );
  return text;
}

/** A password as it is stored, made in less time than the service takes for it. */
function hashWithLittleWork(password: string): string {
  const salt = randomBytes(16);
  const key = scryptSync(password, salt, 32, { N: 1024, r: 8, p: 1 });
  return `scrypt$1024$8$1$${salt.toString('base64url')}$${key.toString('base64url')}`;
}

const json = (body: unknown, headers: Record<string, string> = {}) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

test('accounts, OAuth clients and their refusals hold no hidden text, and lengths count what is left', async () => {
  const signUp = {
    agent_name: hide('Trip Planner'),
    operator_name: hide('Example\nTravel'),
    operator_email: `ops${HIDDEN}@hidden.example`,
    homepage: `https://travel.example/${HIDDEN}`,
    purpose: hide('Plans weekend trips for customers.'),
    [`odd${HIDDEN}`]: 1,
  };
  const told = await seen(await service.request('/api/agent/signup', json(signUp)), 201);
  const { api_key } = JSON.parse(told) as { api_key: string };
  const me = await seen(
    await service.request('/api/agent/me', { headers: { authorization: `Bearer ${api_key}` } }),
    200,
  );
  const { agent_name, operator_name } = JSON.parse(me) as Record<string, string>;
  assert.deepEqual([agent_name, operator_name], ['Trip Planner', 'Example Travel']);
  for (const name of [HIDDEN, `a${HIDDEN}`]) {
    const short = { ...signUp, operator_email: 'x@hidden.example', agent_name: name };
    const refused = await seen(await service.request('/api/agent/signup', json(short)), 422);
    assert.match(refused, /"pointer":"\/agent_name","code":"too_short"/);
  }
  const partner = { email: 'p@hidden.example', name: hide('Partner Ltd'), company: hide('Company') };
  await seen(
    await service.request('/api/partner/signup', json({ ...partner, use_case: hide('Answers.') })),
    201,
  );
  const client = {
    client_name: hide('A\nclient'),
    redirect_uris: ['http://127.0.0.1/cb'],
    software_id: hide('it'),
  };
  const registered = await seen(await service.request('/oauth/register', json(client)), 201);
  assert.equal((JSON.parse(registered) as { client_name: string }).client_name, 'A client');
});

test('a business and its promotion come out without it on REST, MCP and pages, whatever an agent sends', async () => {
  const sent = await agent.business({
    name: hide('Kedai Rahasia'),
    city: hide('Bali'),
    address: hide('Jalan Raya 1'),
    description: hide('Grilled fish.\nOpen air.'),
    price_range: hide('$$'),
    hours: `Mo-Su 10:00-22:00${HIDDEN}`,
    claims: [{ text: hide('Best fish'), source_url: 'https://award.example/fish' }],
  });
  const page = await seen(await reviewer.get(`/console/review/${sent.id}`), 200);
  assert.match(page, /Kedai Rahasia/);
  assert.match(
    page,
    /Hidden text was removed[^]*\/name: “OBEY/,
    'a person sees what nobody should have seen',
  );
  const decision = { decision: 'approved', revision: String(sent.revision) };
  assert.equal((await reviewer.post(`/console/review/${sent.id}`, decision)).status, 303);
  const promo = {
    title: hide('Two for one'),
    detail: hide('Dinner.'),
    terms: hide('None.'),
    submission_id: sent.id,
  };
  await seen(await service.request('/api/agent/promo', json(promo, agent.authorization)), 201);
  const placeId = String((await agent.standing(sent.id))['place_id']);
  await deps.places.follow();

  for (const path of [
    `/api/agent/business/${placeId}`,
    `/api/agent/search?q=${encodeURIComponent(hide('kedai rahasia'))}`,
    '/api/agent/submissions',
  ])
    assert.match(
      await seen(await service.request(path, { headers: agent.authorization }), 200),
      /Kedai Rahasia/,
    );
  assert.match(await seen(await service.request(`/p/${placeId}`), 200), /Kedai Rahasia/);
  await seen(await service.request(`/d/bali?q=${encodeURIComponent(hide('kedai'))}`), 200);
  const asked = { name: 'svc_search_places', arguments: { q: hide('kedai rahasia'), [hide('odd')]: 1 } };
  const { body } = await rpc(
    service,
    '/mcp',
    { id: 1, method: 'tools/call', params: asked },
    agent.authorization,
  );
  assert.match(JSON.stringify(body), /Kedai Rahasia/);
  assert.doesNotMatch(JSON.stringify(body), UNSEEN);
});

test('a reviewer who rejects in hidden words says only what is seen', async () => {
  const sent = await agent.business();
  const decision = { decision: 'rejected', revision: String(sent.revision), reason_code: 'not_a_real_place' };
  const words = { reason_text: hide('We could not find it.'), fix_hint: hide('Send a link.') };
  assert.equal((await reviewer.post(`/console/review/${sent.id}`, { ...decision, ...words })).status, 303);
  const standing = JSON.stringify(await agent.standing(sent.id));
  assert.match(standing, /We could not find it\./);
  assert.doesNotMatch(standing, UNSEEN);
});

test('a table request and a question reach the venue and the answer without it', async () => {
  const asking = await AskingPartner.add(service);
  const placeId = await addVenue(service, { email: 'venue@hidden.example' });
  const change = { guest_name: hide('Guest\nExample'), notes: hide('A quiet table.') };
  const bookingId = await asking.request(placeId, change);
  const status = JSON.stringify(await asking.status(bookingId));
  assert.match(status, /Guest Example/);
  assert.doesNotMatch(status, UNSEEN);
  await asking.call('cancel_booking', { booking_id: bookingId, reason: hide('Plans changed.') });
  const question = { destination: 'bali', question: hide('Where can I eat fish?') };
  const answer = await callTool(
    service,
    '/api/partner/mcp',
    'concierge_answer',
    question,
    asking.partner.headers,
  );
  assert.doesNotMatch(JSON.stringify(answer), UNSEEN);
});

test('members, photographers and venues write what is seen', async () => {
  const member = await joinMember(service, hide('Ana\tP.'));
  assert.match(await seen(await member.get('/member'), 200), /Ana P\./);

  const photographer = await addPhotographer(service, 'Ayu P.');
  const photo = await sendPhoto(service, photographer, await plainPhoto('jpeg'));
  const own = `/photos/mine/${photo.id}`;
  const captioned = await photographer.member.post(`${own}/caption`, { caption: hide('At\ndusk') }, own);
  assert.equal(captioned.status, 303);
  assert.match(await seen(await photographer.member.get(own), 200), /At dusk/);
  const files = [{ name: `${hide('dusk')}.txt`, bytes: Buffer.from('no picture') }];
  assert.match(await seen(await sendFiles(service, photographer, files), 422), /dusk\.txt/);

  const placeId = await addVenue(service, { name: 'Warung Pemilik', email: 'owner@hidden.example' });
  const owner = new FormClient(service);
  const claim = `/venue/claim/${placeId}`;
  const via = /name="via"[^>]*value="([^"]+)"/.exec(await (await owner.get(claim)).text())?.[1] ?? '';
  await owner.post(`${claim}/code`, { via }, claim);
  const code = codeIn((await lastMessage(service, 'claim_code'))?.text ?? '');
  await owner.post(claim, { via, code: hide(code) }, `${claim}?via=${via}`);
  for (const [part, fields] of [
    ['about', { about: hide('We grill fish.') }],
    [
      'menu',
      { currency: 'IDR', 's0-name': hide('Fish'), 's0i0-name': hide('Tuna'), 's0i0-price': hide('50') },
    ],
  ] as const) {
    const saved = await owner.post(`/venue/${part}`, fields);
    assert.equal(saved.status, 303, await saved.text());
  }
  const page = await seen(await service.request(`/p/${placeId}`), 200);
  assert.match(page, /We grill fish\.[^]*Tuna/);
});

test('a map brings in what is seen: a name of nothing else is no name', async () => {
  const at = { lat: 43.7396, lng: 7.4272 };
  const tags = {
    'addr:street': hide('Rue Grimaldi'),
    'name:en': hide('Hidden Coffee'),
    cuisine: hide('coffee'),
  };
  const report = await importMap(service.database, '2025-02-01', {
    nodes: [
      { id: 1, ...at, tags: { amenity: 'cafe', name: hide('Café Caché'), ...tags } },
      { id: 2, ...at, tags: { amenity: 'cafe', name: HIDDEN } },
    ],
  });
  assert.deepEqual([report.added, report.read.unnamed], [1, 1]);
  const [row] = await pool<{ name: string; address: string }[]>`
    select name, address from place where source_ref = 'node/1'`;
  assert.deepEqual({ ...row }, { name: 'Café Caché', address: 'Rue Grimaldi' });
});

test('a password is taken as it was typed', async () => {
  const { staff } = await signInStaff(service, 'desk');
  const typed = `a long${HIDDEN} password`;
  await pool`update staff set password_hash = ${hashWithLittleWork(typed)} where id = ${staff.id}`;
  const signIn = async (client: FormClient, password: string) => {
    const fields = { email: staff.email, password, totp: staff.code() };
    return (await client.post('/console/sign-in', fields)).status;
  };
  const client = new FormClient(service);
  assert.equal(await signIn(client, 'a long password'), 401);
  assert.equal(await signIn(client, typed), 303);
  const next = `another${HIDDEN} password`;
  const changed = { current: typed, next, repeated: next };
  assert.equal((await client.post('/console/password', changed)).status, 303);
  assert.equal(await signIn(new FormClient(service), next), 303);
});

test('no table holds any of it', async () => {
  assert.deepEqual(await hiddenRows(pool, UNSEEN), []);
});
