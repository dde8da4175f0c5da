import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addVenue, AskingPartner } from '../bookings/asking-partner.ts';
import { startTestService } from '../harness/service.ts';
import { FormClient, signInStaff } from '../harness/staff.ts';
import { codeIn, lastMessage, SubmittingAgent } from '../harness/submissions.ts';
import { startPhoneProvider } from '../twilio/phone-provider.ts';

// Who asks a venue dials telephones: it must never forget whose word a number is.
const provider = await startPhoneProvider();
const service = await startTestService({ settings: provider.settings });
const agent = await SubmittingAgent.signUp(service);
const partner = await AskingPartner.add(service);
const reviewer = await signInStaff(service, 'reviewer');
let numbers = 6281700000;

const newNumber = () => `+${++numbers}`;
const spaced = (number: string) => `${number.slice(0, 3)} (${number.slice(3, 6)}) ${number.slice(6)}`;

/** Submits what an agent says of a place, and has a reviewer approve it. */
async function said(
  placeId: string,
  fields: Record<string, unknown>,
  by = agent,
): Promise<{ id: string; revision: number }> {
  const sent = await by.business({ name: 'Warung Senja', ...fields });
  const decision = { decision: 'approved', revision: String(sent.revision), place_id: placeId };
  const done = await reviewer.post(`/console/review/${sent.id}`, decision);
  assert.equal(done.status, 303, await done.text());
  return sent;
}

async function listing(placeId: string) {
  const { body } = await agent.get<{
    badge: string;
    phone: string | null;
    website: string | null;
    about: string | null;
    vertical: string;
    hours: { text: string; source: string } | null;
  }>(`/api/agent/business/${placeId}`);
  return body;
}

async function text(client: FormClient, path: string): Promise<string> {
  return (await client.get(path)).text();
}

/** Where the page offers to send a code to, masked. */
async function claimContacts(placeId: string): Promise<string[]> {
  const page = await text(new FormClient(service), `/venue/claim/${placeId}`);
  return [...new Set(page.match(/[^\s>]+•••[^\s<]+/g))];
}

/** Claims a place as its venue does, with the code that went to a contact that the page offers. */
async function claim(placeId: string): Promise<FormClient> {
  const venue = new FormClient(service);
  const page = `/venue/claim/${placeId}`;
  const via = /name="via" value="([^"]+)"|<option value="([^"]+)"/.exec(await text(venue, page)) ?? [];
  const contact = { via: via[1] ?? via[2] ?? '' };
  // A code that came with the invitation serves as well: the page sends none so soon after it.
  await venue.post(`${page}/code`, contact, page);
  const code = codeIn((await lastMessage(service, 'claim_code'))?.text ?? '');
  const entered = await venue.post(page, { ...contact, code });
  assert.equal(entered.headers.get('location'), '/venue?done=claim');
  return venue;
}

async function channelFor(placeId: string): Promise<string> {
  const table = { place_id: placeId, date: '2026-11-20', time: '19:30', party_size: 4 };
  return (await partner.call<{ channel: string }>('check_availability', table)).channel;
}

test('an agent that repeats the published contacts takes them from nobody: the venue is asked and claims by them', async () => {
  const phone = newNumber();
  const placeId = await addVenue(service, { phone, email: 'Halo@Senja.example' });
  const before = await claimContacts(placeId);
  assert.equal(before.length, 2);
  await said(placeId, { phone: spaced(phone), email: 'halo@senja.example', external_ref: 'repeats' });
  assert.deepEqual(await claimContacts(placeId), before);
  await said(placeId, { external_ref: 'repeats', description: 'A second revision says the same.' });
  assert.deepEqual(await claimContacts(placeId), before);
  assert.equal(await channelFor(placeId), 'tap');
  await partner.untilStatus(await partner.request(placeId), 'asking');
  assert.equal(provider.texts(phone).length, 1);
  await claim(placeId);
  assert.equal((await listing(placeId)).badge, 'claimed');
});

test('an honest owner who submits the contact that is published claims with it', async () => {
  const email = 'Ibu@Terang.example';
  const placeId = await addVenue(service, { email });
  await said(placeId, { relationship: 'owner', email: email.toLowerCase() });
  assert.equal((await lastMessage(service, 'claim_code'))?.to, email);
  await claim(placeId);
  assert.equal((await listing(placeId)).badge, 'claimed');
});

test('a contact that replaced the published one gives way to it again when the agent takes it back', async () => {
  const phone = newNumber();
  const placeId = await addVenue(service, { phone });
  const other = newNumber();
  for (const back of [null, spaced(phone)]) {
    await said(placeId, { phone: other, external_ref: 'back' });
    assert.equal((await listing(placeId)).phone, other);
    await said(placeId, { phone: back, external_ref: 'back' });
    assert.equal((await listing(placeId)).phone, phone);
    assert.deepEqual(await claimContacts(placeId), [`+62•••${phone.slice(-3)}`]);
  }
});
