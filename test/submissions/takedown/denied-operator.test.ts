import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addVenue, AskingPartner } from '../../bookings/asking-partner.ts';
import { callTool } from '../../harness/clients/call-tool.ts';
import { PARTNER_MCP } from '../../harness/people/partner.ts';
import { signInStaff } from '../../harness/people/staff.ts';
import { lastMessage, SubmittingAgent } from '../../harness/people/submissions.ts';
import { signInVenue } from '../../harness/people/venue.ts';
import { sharedService } from '../../harness/service/shared-service.ts';
import { assertNowhere, everySurface } from './every-surface.ts';

const service = await sharedService();
const { pool } = service.database;
const partner = await AskingPartner.add(service);
const reviewer = await signInStaff(service, 'reviewer');

const PUBLISHED = {
  phone: '+6281811110001',
  website: 'https://real-venue.example/',
  email: 'ibu@real.example',
};

interface Impostor {
  says: Record<string, unknown> & { phone: string };
  /** Texts of it that must not be found anywhere. */
  texts: string[];
  promo: string;
}

let impostors = 0;

/** Content of an impostor, with words that occur nowhere else. */
function impostor(): Impostor {
  impostors += 1;
  const word = `quokka${'abcdefgh'.charAt(impostors)}field`;
  const phone = `+35121000900${impostors}`;
  const minute = String(10 + impostors);
  return {
    says: {
      phone,
      email: `desk@${word}.example`,
      website: `https://${word}.example/`,
      description: `The ${word} parlour of dreams.`,
      address: `Jalan ${word} 77`,
      price_range: `1-2 ${word}`,
      languages: ['cy'],
      hours: `Mo-Su 03:${minute}-04:08`,
      claims: [{ text: `Best ${word} of the island`, source_url: `https://${word}.example/award` }],
    },
    texts: [phone, word, `03:${minute}`, '"cy"'],
    promo: `Promo of ${word}`,
  };
}

async function place(
  fields: { phone?: string | null; website?: string | null } = PUBLISHED,
): Promise<string> {
  const { phone = null, website = null } = fields;
  const placeId = await addVenue(service, { phone, email: PUBLISHED.email, method: 'phone' });
  await pool`update place set website = ${website} where id = ${placeId}`;
  return placeId;
}

interface Sent {
  agent: SubmittingAgent;
  id: string;
  promoId: string;
  phone: string;
  texts: string[];
}

/** Submits an owner's change to a place, and has a reviewer approve it. */
async function speakAsOwner(placeId: string, change: Record<string, unknown> = {}): Promise<Sent> {
  const agent = await SubmittingAgent.signUp(service);
  const { says, texts, promo: title } = impostor();
  const sent = await agent.business({
    name: 'Warung Senja',
    relationship: 'owner',
    external_ref: 'mine',
    callback_url: 'https://agent.invalid/hook',
    ...says,
    ...change,
  });
  const promo = await agent.post<{ promo_id: string; revision: number }>('/api/agent/promo', {
    title,
    submission_id: sent.id,
  });
  await decide(sent.id, { revision: String(sent.revision), place_id: placeId });
  await decide(promo.body.promo_id, { revision: '1' });
  return { agent, id: sent.id, promoId: promo.body.promo_id, phone: says.phone, texts };
}

async function decide(id: string, fields: Record<string, string>): Promise<void> {
  const answer = await reviewer.post(`/console/review/${id}`, { decision: 'approved', ...fields });
  assert.equal(answer.status, 303, await answer.text());
}

async function details(placeId: string) {
  return callTool<{
    contact: Record<string, string | null>;
    about: string | null;
    submitted_fields: string[];
  }>(service, PARTNER_MCP, 'place_details', { place_id: placeId });
}

function reasonOf(standing: Record<string, unknown>): unknown {
  return [standing['status'], standing['live'], (standing['reason'] as { code: string } | null)?.code];
}

test('until the venue has answered, an operator that calls itself the owner changes nothing that is published', async () => {
  const placeId = await place();
  const { phone } = await speakAsOwner(placeId);
  const { contact } = await details(placeId);
  assert.deepEqual([contact['phone'], contact['website'], contact['email']], Object.values(PUBLISHED));
  const answers = await everySurface({ service, partner, placeId, names: ['Warung Senja'] });
  assertNowhere(answers, [phone]);
});

test('a field that only such an operator fills is marked as submitted and not confirmed, on every surface', async () => {
  const placeId = await place({});
  const { phone } = await speakAsOwner(placeId);
  const { contact, submitted_fields } = await details(placeId);
  assert.equal(contact['phone'], phone);
  assert.deepEqual(submitted_fields, ['address', 'phone', 'website', 'about', 'hours']);
  const link = await callTool<{ phone: string; guidance: string }>(service, PARTNER_MCP, 'booking_link', {
    place_id: placeId,
  });
  assert.match(link.guidance, /an agent submitted it and the venue has not confirmed it/);
  const feed = await callTool<{ places: { place_id: string; submitted_fields: string[] }[] }>(
    service,
    PARTNER_MCP,
    'directory_feed',
    { destination: 'bali' },
  );
  const told = feed.places.find(({ place_id }) => place_id === placeId);
  assert.deepEqual(told?.submitted_fields, submitted_fields);
  const page = await (await service.request(`/p/${placeId}`, { headers: { accept: 'text/html' } })).text();
  assert.match(page, /An agent submitted this number, and the venue has not confirmed it/);
  assert.doesNotMatch(page, /"telephone"/, 'nothing could mark it in JSON-LD');
  const agent = await SubmittingAgent.signUp(service);
  const got = await callTool<{ submitted_fields: string[] }>(
    service,
    '/mcp',
    'svc_get_place',
    { place_id: placeId },
    agent.authorization,
  );
  assert.deepEqual(got.submitted_fields, submitted_fields);
});

test("the venue's no deletes all that the operator said from every surface, and rejects its submissions", async () => {
  const placeId = await place({ phone: PUBLISHED.phone });
  const otherPlace = await place({});
  const { agent, id, promoId, texts } = await speakAsOwner(placeId);
  const other = await agent.business({
    name: 'Warung Fajar',
    relationship: 'owner',
    phone: '+6281811112222',
  });
  await decide(other.id, { revision: String(other.revision), place_id: otherPlace });
  const second = await agent.business({ name: 'Warung Senja', phone: '+351210008888' });
  await decide(second.id, { revision: '1', place_id: placeId });
  const waiting = await agent.business({ external_ref: 'mine', description: `Again ${texts[1] ?? ''}.` });
  const venue = await signInVenue(service, placeId);
  const answer = { agent: agent.agentId, answer: 'no' };
  assert.equal(
    (await venue.post('/venue/representative', answer, '/venue')).headers.get('location'),
    '/venue?done=acts_no',
  );

  const { contact, about, submitted_fields } = await details(placeId);
  assert.deepEqual(
    [contact['phone'], contact['website'], contact['address'], about, submitted_fields],
    [PUBLISHED.phone, null, null, null, []],
  );
  const answers = await everySurface({ service, partner, placeId, names: ['Warung Senja'] });
  assertNowhere(answers, [...texts, '+351210008888']);
  assert.equal(waiting.revision, 2);
  for (const submission of [id, promoId, second.id])
    assert.deepEqual(reasonOf(await agent.standing(submission)), ['rejected', false, 'relationship_denied']);
  assert.deepEqual(reasonOf(await agent.standing(other.id)), ['approved', true, undefined]);
  assert.equal((await details(otherPlace)).contact['phone'], '+6281811112222');
  const queue = await (await reviewer.get('/console/review')).text();
  assert.ok(!queue.includes(id), 'nothing of it waits for a reviewer');

  const events = await pool<{ event: string; body: string }[]>`
    select event from callback_delivery where subject_id = ${id} order by sequence desc limit 1`;
  assert.equal(events[0]?.event, 'submission.rejected');
  const letter = await lastMessage(service, 'submission_taken_down');
  assert.match(letter?.text ?? '', /relationship_denied.*does not act for it/s);
  assert.equal(
    (await venue.post('/venue/representative', answer, '/venue')).status,
    303,
    'again is no change',
  );
});

test('a yes after a no puts back what the operator said, as the own word of the venue', async () => {
  const placeId = await place({});
  const { agent, id, phone } = await speakAsOwner(placeId);
  const venue = await signInVenue(service, placeId);
  const answer = (given: string) =>
    venue.post('/venue/representative', { agent: agent.agentId, answer: given }, '/venue');
  await answer('no');
  assert.match(await (await venue.get('/venue')).text(), /You said no/);
  assert.equal((await details(placeId)).contact['phone'], null);
  await answer('yes');
  const { contact, submitted_fields } = await details(placeId);
  assert.deepEqual([contact['phone'], submitted_fields], [phone, []]);
  assert.deepEqual(reasonOf(await agent.standing(id)), ['approved', true, undefined]);
});

test('a denied operator that submits again goes to a reviewer with a flag, and nobody approves over the venue', async () => {
  const placeId = await place({});
  const { agent, id } = await speakAsOwner(placeId);
  const venue = await signInVenue(service, placeId);
  await venue.post('/venue/representative', { agent: agent.agentId, answer: 'no' }, '/venue');
  const again = await agent.business({
    name: 'Warung Senja',
    relationship: 'owner',
    external_ref: 'mine',
    phone: '+351210007777',
  });
  assert.deepEqual([again.id, again.revision], [id, 2]);
  assert.equal((await agent.standing(id))['status'], 'pending_review');
  const page = await (await reviewer.get(`/console/review/${id}`)).text();
  assert.match(page, /Venue denied/);
  const refused = await reviewer.post(`/console/review/${id}`, { decision: 'approved', revision: '2' });
  assert.equal(refused.status, 409);
  assert.equal((await details(placeId)).contact['phone'], null);

  await agent.business({ external_ref: 'mine', relationship: 'third_party' });
  await decide(id, { revision: '3' });
  const { contact, submitted_fields } = await details(placeId);
  assert.deepEqual([contact['phone'], submitted_fields.includes('phone')], ['+351210007777', true]);
});

test('a no at the link of the question deletes also what the operator said of the place before', async () => {
  const placeId = await place({ phone: PUBLISHED.phone });
  const { agent, id, texts } = await speakAsOwner(placeId, { relationship: 'third_party' });
  await agent.business({ name: 'Warung Senja', external_ref: 'mine', relationship: 'authorized_agent' });
  await decide(id, { revision: '2', place_id: placeId });
  const letter = await lastMessage(service, 'business_confirmation');
  const link = /\/venue\/confirm\/[\w-]+/.exec(letter?.text ?? '')?.[0] ?? '';
  const browser = await signInVenue(service, await place({}));
  await browser.post(link, { answer: 'no' });
  assert.deepEqual(reasonOf(await agent.standing(id)), ['rejected', false, 'relationship_denied']);
  assertNowhere(await everySurface({ service, partner, placeId, names: ['Warung Senja'] }), texts);
});
