import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { countTokens } from 'gpt-tokenizer';
import { addMadeUpPlace } from '../../directory/made-up-place.ts';
import { addVenue, AskingPartner, CONCIERGE_MCP } from '../../bookings/asking-partner.ts';
import { makeTimelines } from '../../bookings/timeline/made-timelines.ts';
import { rpc } from '../../harness/clients/mcp.ts';
import { PARTNER_MCP, roomyKey } from '../../harness/people/partner.ts';
import { business, SubmittingAgent } from '../../harness/people/submissions.ts';
import { venueSays } from '../../harness/service/venue-answer.ts';
import { startTestService } from '../../harness/service/service.ts';
import { addMadeMember, addMadePhoto, fillWallet } from '../../licensing/made-photo.ts';

/** The number of tokens of a result that a host keeps. */
const TOKENS_MAX = 25_000;
const AGENT_MCP = '/mcp';

const service = await startTestService({ demoPlaces: 3000 });
const { pool } = service.database;
const { newId } = service.app.deps;
const agent = await SubmittingAgent.signUp(service);
const asking = await AskingPartner.add(service, 'https://receiver.example/hook');

type Given = Record<string, unknown>;

/** Calls a tool and reads the whole result. */
async function resultOf(endpoint: string, name: string, given: Given, headers: Record<string, string>) {
  const message = { id: 1, method: 'tools/call', params: { name, arguments: given } };
  const { body } = await rpc(service, `${endpoint}?profile=full`, message, headers);
  assert.ok(body.result !== undefined && body.result['isError'] !== true, JSON.stringify(body).slice(0, 300));
  return body.result as { structuredContent: Given; content: [{ text: string }] };
}

/** In many scripts a letter is a token, and has three bytes. */
const long = (letters: number) => '海辺の食堂と花の庭、'.repeat(letters / 10 + 1).slice(0, letters);

/** The largest menu that a venue can write in its area. */
const sections = Array.from({ length: 30 }, (_, section) => ({
  name: `${section} ${long(110)}`,
  items: Array.from({ length: 60 }, (_, item) => ({
    name: `${section}/${item} ${long(100)}`,
    price: '12,50 or 20,00 with wine and a dessert',
    description: long(300),
  })),
}));

/** Makes a place, a photo and bookings whose texts are as long as possible. */
async function world() {
  const withMenu = await addMadeUpPlace(pool, service.clock, { name: long(150) });
  await pool`update place set about = ${long(2000)} where id = ${withMenu}`;
  await pool`
    insert into menu (place_id, currency, sections) values (${withMenu}, 'EUR', ${pool.json(sections)})`;
  for (let i = 0; i < 20; i++)
    await agent.business({
      ...{ name: `${i} ${long(150)}`, external_ref: `${i}-${'r'.repeat(120)}` },
      callback_url: `https://receiver.example/${'path/'.repeat(60)}`,
    });
  const closed = await pool<{ id: string }[]>`
    update place set closed_at = ${service.clock.now()}, source = 'osm' where id in (select id from place
      where source = 'demo' and closed_at is null order by id desc limit 60) returning id`;
  await pool`
    insert into closure_evidence (place_id, kind, note, observed_at)
    select id, 'venue_said', ${long(200)}, ${service.clock.now()} from unnest(${closed.map(({ id }) => id)}::text[]) id`;
  const taken = {
    memberId: await addMadeMember(pool, service.clock),
    placeId: await addMadeUpPlace(pool, service.clock),
  };
  for (let i = 0; i < 20; i++) await addMadePhoto(pool, service.clock, taken);
  const photo_id = await addMadePhoto(pool, service.clock, taken);
  await fillWallet(pool, service.clock, agent.agentId, 2_000);
  const { body: licence } = await agent.post('/api/agent/photos/license', {
    ...{ photo_id, use: 'web', max_price_cents: 1_000, idempotency_key: 'sizes' },
  });
  const venue = await addVenue(service, { phone: '+62361123456', name: long(150) });
  const table = { place_id: venue, date: '2026-11-20', time: '19:30', party_size: 4 };
  const booking_id = await asking.request(venue, { notes: long(280) });
  const { revision } = await asking.untilStatus(booking_id, 'asking');
  await venueSays(service.app.deps, { bookingId: booking_id, revision, answer: 'yes', actor: 'venue' });
  await makeTimelines(pool, newId, { partnerId: asking.partner.partnerId, bookings: 20, entries: 12 });
  return { withMenu, photo_id, license_id: licence['license_id'], table, booking_id };
}

let made: Awaited<ReturnType<typeof world>>;
before(async () => {
  made = await world();
});

const QUESTION = 'Where can six of us have dinner tonight with vegetarian food and a view?';
const where = { destination: 'bali' };
const sample = () => ({ place_id: made.withMenu });

/** The arguments of a call, of several, or why a tool has no call here. Nothing is left out that may be. */
type Case = () => Given | Given[] | Promise<Given>;

async function deliveryOf(partnerId: string): Promise<string> {
  const [delivery] = await pool<{ id: string }[]>`
    select id from webhook_delivery where partner_id = ${partnerId} order by number desc limit 1`;
  return delivery?.id ?? assert.fail('There is no delivery.');
}

const AGENT: Record<string, Case> = {
  svc_list_destinations: () => ({}),
  svc_search_places: () => [{}, { city: 'bali' }, { city: 'bali', limit: 50 }],
  svc_get_place: sample,
  svc_submit_business: () => ({ ...business(), description: long(2000), dry_run: true }),
  svc_submit_promo: () => ({ title: long(140), detail: long(2000), external_ref: `0-${'r'.repeat(120)}` }),
  svc_list_submissions: () => ({}),
  svc_search_photos: () => [{}, { limit: 50 }],
  svc_quote_photo: () => ({ photo_id: made.photo_id, use: 'web' }),
  svc_license_photo: () => ({
    ...{ photo_id: made.photo_id, use: 'social', max_price_cents: 2_000, idempotency_key: 'sizes 2' },
  }),
  svc_photo_wallet: () => ({}),
  svc_list_closures: () => ({}),
  svc_sign_up: () => ({
    ...{ agent_name: 'Sizes', operator_name: 'Sizes', operator_email: 'sizes@agent.example' },
    purpose: 'Looks how long answers are.',
  }),
  svc_get_account: () => ({}),
  svc_recover_key: () => ({ operator_email: 'sizes@agent.example' }),
  svc_change_plan: () => ({ plan: 'starter' }),
  svc_link_photo: () => ({ license_id: made.license_id }),
  svc_top_up_wallet: () => ({ amount_cents: 500 }),
  // The last one: with it the key ends.
  svc_rotate_key: () => ({}),
};

const PARTNER: Record<string, Case> = {
  list_destinations: () => ({}),
  search_places: () => [where, { ...where, limit: 50 }],
  open_places: () => [where, { ...where, limit: 50 }],
  place_details: sample,
  booking_link: sample,
  get_menu: sample,
  get_reviews: sample,
  directory_feed: () => [where, { destination: 'tokyo' }, { ...where, include_removed: true }],
  concierge_answer: () => ({ ...where, question: QUESTION }),
  list_closures: () => ({}),
  sign_up_partner: () => ({ email: 'sizes@partner.example', name: 'Sizes' }),
  get_usage: () => ({}),
};

const CONCIERGE: Record<string, Case> = {
  check_availability: () => made.table,
  request_table: () => ({ ...made.table, guest_name: long(80), notes: long(280), time: '18:00' }),
  booking_status: () => [{}, { booking_id: made.booking_id }],
  message_venue: () => ({ booking_id: made.booking_id, code: 'late', minutes: 20 }),
  modify_booking: () => ({ booking_id: made.booking_id, time: '20:00' }),
  cancel_booking: () => ({ booking_id: made.booking_id }),
  set_webhook: () => ({ url: 'https://receiver.example/hook', rotate_secret: true }),
  test_webhook: () => ({}),
  redeliver_webhook: async () => ({ delivery_id: await deliveryOf(asking.partner.partnerId) }),
  webhook_status: () => ({}),
  get_usage: () => ({}),
};

for (const [endpoint, cases, headersOf] of [
  [AGENT_MCP, AGENT, () => agent.authorization],
  [PARTNER_MCP, PARTNER, () => roomyKey(service)],
  [CONCIERGE_MCP, CONCIERGE, () => asking.partner.headers],
] as const) {
  test(`${endpoint}: every tool has its case`, async () => {
    const { body } = await rpc(service, `${endpoint}?profile=full`, {
      ...{ id: 1, method: 'tools/list', params: {} },
    });
    const names = (body.result?.['tools'] as { name: string }[]).map(({ name }) => name);
    assert.deepEqual(names.toSorted(), Object.keys(cases).toSorted());
  });

  for (const [name, given] of Object.entries(cases))
    test(`${endpoint} ${name}: a result fits into what a host keeps`, async (t) => {
      for (const one of [await given()].flat()) {
        const tokens = countTokens(JSON.stringify(await resultOf(endpoint, name, one, await headersOf())));
        t.diagnostic(`${JSON.stringify(one).slice(0, 60)}: ${tokens} tokens`);
        assert.ok(tokens <= TOKENS_MAX, `${tokens} tokens`);
      }
    });
}
