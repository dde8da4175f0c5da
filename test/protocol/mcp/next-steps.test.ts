import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callTool } from '../../harness/clients/call-tool.ts';
import { rpc } from '../../harness/clients/mcp.ts';
import { PARTNER_MCP } from '../../harness/people/partner.ts';
import { signUpAgent } from '../../harness/service/service.ts';
import { sharedService } from '../../harness/service/shared-service.ts';
import { addMadePhoto, fillWallet } from '../../licensing/made-photo.ts';

// A refusal is read by a model: it says once what is wrong, and what to send instead.
const service = await sharedService({ demoPlaces: 3000 });
const { pool } = service.database;
const { apiKey, agentId } = await signUpAgent(service);
const photo_id = await addMadePhoto(pool, service.clock);
await fillWallet(pool, service.clock, agentId, 2_000);

async function textOf(path: string, name: string, given: Record<string, unknown>): Promise<string> {
  const message = { id: 1, method: 'tools/call', params: { name, arguments: given } };
  const { body } = await rpc(service, path, message, {
    ...(path === '/mcp' && { authorization: `Bearer ${apiKey}` }),
  });
  return ((body.result?.['content'] ?? []) as { text: string }[])[0]?.text ?? JSON.stringify(body);
}

const onA = (name: string, given: Record<string, unknown>) => textOf('/mcp', `svc_${name}`, given);
const onB = (name: string, given: Record<string, unknown>) => textOf(PARTNER_MCP, name, given);

test('a word that is no choice names the one that was meant, and a missing one is required', async () => {
  const choices = 'one of social, web, ad, ai_training';
  assert.equal(
    await onA('quote_photo', { photo_id, use: 'website' }),
    `validation_failed: /use: must be ${choices}; perhaps web`,
  );
  assert.equal(await onA('quote_photo', { photo_id }), `validation_failed: /use: is required: ${choices}`);
});

test('several faults are told once each', async () => {
  assert.equal(
    await onA('submit_business', { external_ref: 'new-one', city: 'Ubud' }),
    'validation_failed: 3 faults. You have submitted nothing with this external_ref, so this is a new business.' +
      '\n- /relationship is required\n- /name is required\n- /country is required',
  );
});

test('the name of a neighbourhood in near leads to area', async () => {
  assert.match(
    await onA('search_places', { city: 'lisbon', near: 'Alfama' }),
    /^validation_failed: \/near: .* send a neighbourhood as area$/,
  );
  assert.match(
    await onB('search_places', { destination: 'lisbon', near: 'Alfama' }),
    /^validation_failed: \/near: .* send a neighbourhood as area$/,
  );
});

test('a price above the maximum says which maximum would do', async () => {
  const text = await onA('license_photo', { photo_id, use: 'web', max_price_cents: 100 });
  assert.match(text, /^price_above_max: .* send max_price_cents of at least 900/);
});

test('booking_link says what the page is not filled in with, and that the concierge can call', async () => {
  const placeBy = async (method: string) => {
    const [place] = await pool<{ id: string }[]>`
      update place set booking_url = 'https://venue.example/book', phone = '+62361123456' where id = (
        select id from place where booking_method = ${method} and vertical = 'restaurant' and closed_at is null limit 1) returning id`;
    return place?.id;
  };
  const page = await placeBy('venue_system');
  assert.match(
    await onB('booking_link', { place_id: page, party_size: 4 }),
    /^Not filled in on the page: party_size, date, time\.$/m,
  );
  const called = await placeBy('phone');
  assert.match(await onB('booking_link', { place_id: called }), /request_table on the concierge surface/);
});

test('open_places takes a cuisine', async () => {
  const input = { destination: 'bali', at: '2026-11-14T20:00', limit: 50, fields: ['cuisine'] };
  const list = (more: object) =>
    callTool<{ places: { cuisine: string[] }[]; unverified_count: number }>(
      service,
      PARTNER_MCP,
      'open_places',
      { ...input, ...more },
    );
  const [all, some] = [await list({}), await list({ cuisine: 'italian' })];
  assert.ok(some.places.length > 0 && some.places.length < all.places.length);
  assert.ok(some.places.every(({ cuisine }) => cuisine.includes('italian')));
  assert.ok(some.unverified_count < all.unverified_count);
});

test('an answer names no field, and lists apart what it does not answer', async () => {
  const question = 'A quiet place that is open at 3am on Sunday';
  const text = await onB('concierge_answer', { destination: 'lisbon', question });
  assert.doesNotMatch(text, /not_in_directory|Not in the directory/);
  assert.match(text, /^Not answered: .*3am/m);
});
