import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addVenue, AskingPartner } from '../bookings/asking-partner.ts';
import { addNamedPlace } from '../directory/named-place.ts';
import { callTool } from '../harness/clients/call-tool.ts';
import { rpc } from '../harness/clients/mcp.ts';
import { startTestService } from '../harness/service/service.ts';
import { makeBuyer } from '../licensing/buyer.ts';
import { venueContacts } from '../../src/venue/contact.ts';

const PARTNER_MCP = '/api/partner/mcp';
const WRITTEN = '03-3462-0261';
const service = await startTestService({ demoPlaces: 300 });
const { pool } = service.database;
const agent = await makeBuyer(service);
const place_id = await addNamedPlace(service, {
  name: 'Kissa Hoshizora',
  category: 'cafe',
  facts: { phone_as_published: WRITTEN, smoking: 'no' },
});

interface Phones {
  phone: string | null;
  phone_as_published?: string;
  phone_other_country?: true;
}

async function page(id: string): Promise<string> {
  const answer = await service.request(`/p/${id}`, { headers: { accept: 'text/html' } });
  return answer.text();
}

async function textOf(tool: string, input: Record<string, unknown>): Promise<string> {
  const message = { id: 1, method: 'tools/call', params: { name: tool, arguments: input } };
  const { body } = await rpc(service, PARTNER_MCP, message);
  return JSON.stringify(body.result?.['content']);
}

test('a number without its country code is shown as published on every surface, and in no phone field', async () => {
  const shown = (answer: Phones) =>
    assert.deepEqual([answer.phone, answer.phone_as_published], [null, WRITTEN]);
  const { body } = await agent.get(`/api/agent/business/${place_id}`);
  shown(body as unknown as Phones);
  shown(body['booking'] as Phones);
  assert.deepEqual(body['facts'], { smoking: 'no' });
  assert.match(String(body['guidance']), /number in phone_as_published/);
  const search = await agent.get('/api/agent/search?q=Kissa+Hoshizora&city=tokyo');
  const [card] = search.body['places'] as [Phones];
  shown(card);

  const details = await callTool<{ contact: Phones; facts: object }>(service, PARTNER_MCP, 'place_details', {
    place_id,
  });
  shown(details.contact);
  assert.deepEqual(details.facts, { smoking: 'no' });
  const link = await callTool<Phones & { guidance: string }>(service, PARTNER_MCP, 'booking_link', {
    place_id,
  });
  shown(link);
  assert.match(link.guidance, /never complete it/);
  for (const [tool, input] of [
    ['place_details', { place_id }],
    ['booking_link', { place_id }],
    ['search_places', { destination: 'tokyo', query: 'Kissa Hoshizora', fields: ['phone'] }],
    ['directory_feed', { destination: 'tokyo', limit: 200 }],
  ] as const) {
    const text = await textOf(tool, input);
    assert.ok(
      text.includes(`as published, without a country code: ${WRITTEN}`),
      `${tool}: ${text.slice(0, 400)}`,
    );
    assert.doesNotMatch(text, /no phone number|not known/);
  }

  const markup = await page(place_id);
  assert.ok(markup.includes(WRITTEN) && markup.includes('(as published, without a country code)'));
  assert.doesNotMatch(markup, /tel:|no telephone number|"telephone"/);
  assert.match(markup, /"propertyID":"phone_as_published"/);
  assert.equal((await venueContacts(pool, place_id)).phone, null);
});

test('an answer to a question for the number states it, in the language of the question', async () => {
  for (const [question, words] of [
    ['What is the phone number of Kissa Hoshizora?', 'phone as published, country code missing or wrong'],
    ['Wie ist die Telefonnummer von Kissa Hoshizora?', 'Landesvorwahl fehlt oder ist falsch'],
  ] as const) {
    const { answer, claims } = await callTool<{
      answer: string;
      claims: { field: string; value: unknown }[];
    }>(...([service, PARTNER_MCP, 'concierge_answer', { destination: 'tokyo', question }] as const));
    assert.ok(answer.includes(words) && answer.includes(WRITTEN), answer);
    assert.equal(claims.find(({ field }) => field === 'phone_as_published')?.value, WRITTEN);
  }
});

test('a number that its source writes wrong is not called one without a country code', async () => {
  const id = await addNamedPlace(service, { name: 'Wrong Number', facts: { phone_as_published: '+81 12' } });
  assert.match(await textOf('place_details', { place_id: id }), /not a valid international number: \+81 12/);
  assert.match(await page(id), /\(as published, not a valid international number\)/);
});

test('a number of another country is shown with a mark, and is used to contact the venue only where the venue set it', async () => {
  const id = await addVenue(service, { phone: '+41446681800' });
  const { contact } = await callTool<{ contact: Phones }>(service, PARTNER_MCP, 'place_details', {
    place_id: id,
  });
  assert.deepEqual([contact.phone, contact.phone_other_country], ['+41446681800', true]);
  assert.match(await page(id), /a number of another country/);
  const used = async () => {
    const { phone, messageContacts } = await venueContacts(pool, id);
    return [phone, messageContacts.map(({ to }) => to)];
  };
  assert.deepEqual(await used(), [null, []]);
  const claim = {
    by: 'owner',
    ref: 'venue',
    at: '2026-01-01T00:00:00Z',
    proof: 'claim',
    value: '+41446681800',
  };
  await pool`update place set field_claims = ${pool.json({ phone: [claim] })} where id = ${id}`;
  assert.deepEqual(await used(), ['+41446681800', ['+41446681800']]);
});

test('the refusal of a table says where the number is, and how else the place is booked', async () => {
  const partner = await AskingPartner.add(service);
  const museum = await addNamedPlace(service, {
    name: 'Museum of Made Things',
    vertical: 'attraction',
    category: 'museum',
    facts: { phone_as_published: WRITTEN },
  });
  const { how } = await partner.call<{ how: string }>('check_availability', {
    ...{ place_id: museum, date: '2026-11-20', time: '14:00', party_size: 2 },
  });
  assert.match(how, /as published, without a country code: 03-3462-0261/);
});
