import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ERRORS, type ErrorCode } from '../../src/core/errors.ts';
import { AskingPartner, addVenue } from '../bookings/asking-partner.ts';
import { addNamedPlace } from '../directory/named-place.ts';
import { rpc } from '../harness/clients/mcp.ts';
import { addTestPartner } from '../harness/people/partner.ts';
import { addTestStaff } from '../harness/people/staff.ts';
import { flipSwitch } from '../harness/service/kill-switch.ts';
import { signUpAgent, startTestService } from '../harness/service/service.ts';
import { makeBuyer, type Answered } from '../licensing/buyer.ts';
import { addMadePhoto } from '../licensing/made-photo.ts';
import { refused } from '../surfaces/concierge/refused.ts';
import { CODES, FIELD_CODES, TOLD_ELSEWHERE } from './error-codes.ts';

const service = await startTestService({ demoPlaces: 300 });
const { pool } = service.database;
const agent = await makeBuyer(service);
const partner = await AskingPartner.add(service);
const venue = await addVenue(service, { phone: '+62361123456' });
const TABLE = { place_id: venue, date: '2026-11-20', time: '19:30', party_size: 4 };
const FOR_GUEST = { ...TABLE, guest_name: 'Guest Example' };
const SIGN_UP = {
  agent_name: 'Test Agent',
  operator_name: 'Test Operator',
  purpose: 'Tests every code here.',
};
const BUSINESS = { relationship: 'owner', name: 'Warung Senja', country: 'ID', city: 'Bali' };

type Reached = { status: number; code: string } | { code: string };

function told({ status, body }: Answered): Reached {
  return { status, code: String(body['code']) };
}

async function send(path: string, init: RequestInit): Promise<Reached> {
  const response = await service.request(path, init);
  const body = (await response.json()) as { code: string };
  return { status: response.status, code: body.code };
}

function post(path: string, body: string, headers: Record<string, string> = {}): Promise<Reached> {
  return send(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${agent.apiKey}`, ...headers },
    body,
  });
}

/** On the booking surface a refusal is an answer in words: it has the code, and no status of its own. */
async function tool(name: string, input: Record<string, unknown>): Promise<Reached> {
  const { code } = await refused(partner, name, input);
  return { code };
}

const business = async () =>
  String(
    (await agent.post('/api/agent/business', { ...BUSINESS, external_ref: `r${Math.random()}` })).body[
      'submission_id'
    ],
  );

/** How each code is reached, for real. */
const REACHED: Record<string, () => Promise<Reached>> = {
  malformed_json: () => post('/api/agent/business', '{'),
  bad_query: async () => told(await agent.get('/api/agent/search?q=%ff')),
  bad_cursor: async () => told(await agent.get('/api/agent/search?cursor=nonsense')),
  missing_credentials: () => send('/api/agent/me', {}),
  invalid_key: () => send('/api/agent/me', { headers: { authorization: 'Bearer svc_live_nonsense' } }),
  key_revoked: async () => {
    const { apiKey } = await signUpAgent(service);
    const authorization = `Bearer ${apiKey}`;
    await service.request('/api/agent/me/rotate', { method: 'POST', headers: { authorization } });
    return send('/api/agent/me', { headers: { authorization } });
  },
  insufficient_funds: async () =>
    told(await agent.license(await addMadePhoto(pool, service.clock), 'web', 5_000)),
  user_agent_required: () => send('/api/agent/me', { headers: { 'user-agent': 'curl/8.5.0' } }),
  agent_suspended: async () => {
    const { agentId, apiKey } = await signUpAgent(service);
    await pool`update agent set status = 'suspended' where id = ${agentId}`;
    return send('/api/agent/me', { headers: { authorization: `Bearer ${apiKey}` } });
  },
  bookings_not_enabled: async () => {
    const stranger = await addTestPartner(service);
    const message = { id: 1, method: 'tools/call', params: { name: 'request_table', arguments: FOR_GUEST } };
    const { body } = await rpc(service, '/api/concierge/mcp', message, stranger.headers);
    const meta = body.result?.['_meta'] as Record<string, { code: string }>;
    return { code: meta['svc/error']?.code ?? '' };
  },
  origin_refused: () => post('/mcp', '{}', { origin: 'https://elsewhere.example' }),
  place_not_found: async () => told(await agent.get('/api/agent/business/plc_nothing')),
  submission_not_found: async () =>
    told(await agent.post('/api/agent/business', { ...BUSINESS, submission_id: 'sub_nothing' })),
  photo_not_found: async () => told(await agent.quote('pho_nothing', 'web')),
  license_not_found: async () =>
    told(await agent.post('/api/agent/photos/link', { license_id: 'lic_nothing' })),
  booking_not_found: () => tool('cancel_booking', { booking_id: 'bkg_nothing' }),
  operator_exists: async () => {
    await signUpAgent(service, 'twice@operator.example');
    return told(
      await agent.post('/api/agent/signup', { ...SIGN_UP, operator_email: 'twice@operator.example' }),
    );
  },
  price_above_max: async () => {
    const buyer = await makeBuyer(service, 5_000);
    return told(await buyer.license(await addMadePhoto(pool, service.clock), 'web', 100));
  },
  price_moved: async () => {
    const [one, other] = [await makeBuyer(service, 5_000), await makeBuyer(service, 5_000)];
    const photoId = await addMadePhoto(pool, service.clock);
    await one.quote(photoId, 'web');
    await other.license(photoId, 'web', 5_000);
    return told(await one.license(photoId, 'web', 900));
  },
  daily_cap_exceeded: async () => {
    const buyer = await makeBuyer(service, 20_000);
    const [first, second] = [
      await addMadePhoto(pool, service.clock, { prices: { ad: 4_000 } }),
      await addMadePhoto(pool, service.clock, { prices: { ad: 4_000 } }),
    ];
    await buyer.license(first, 'ad', 4_000);
    return told(await buyer.license(second, 'ad', 4_000));
  },
  invalid_move: async () => {
    const id = await partner.request(venue, { time: '12:00' });
    return tool('modify_booking', { booking_id: id, time: '12:30' });
  },
  booking_final: async () => {
    const id = await partner.request(venue, { time: '12:15' });
    await partner.call('cancel_booking', { booking_id: id });
    return tool('modify_booking', { booking_id: id, time: '12:30' });
  },
  revision_conflict: async () =>
    tool('cancel_booking', { booking_id: await partner.request(venue, { time: '12:45' }), if_revision: 99 }),
  duplicate_request: async () => {
    const elsewhere = await addVenue(service, { phone: '+62361123457' });
    await partner.request(elsewhere);
    return tool('request_table', { ...FOR_GUEST, place_id: elsewhere });
  },
  sold_out: async () => {
    const buyer = await makeBuyer(service, 5_000);
    const photoId = await addMadePhoto(pool, service.clock, { cap: 1 });
    await buyer.license(photoId, 'web', 5_000);
    return told(await buyer.license(photoId, 'web', 5_000));
  },
  body_too_large: () => post('/api/agent/business', JSON.stringify({ name: 'x'.repeat(300_000) })),
  unsupported_media_type: () => post('/api/agent/business', '{}', { 'content-type': 'text/plain' }),
  validation_failed: async () => told(await agent.post('/api/agent/business', {})),
  promo_needs_business: async () =>
    told(await (await makeBuyer(service)).post('/api/agent/promo', { title: 'Half price' })),
  unknown_business: async () =>
    told(await agent.post('/api/agent/promo', { title: 'Half price', external_ref: 'nothing' })),
  business_mismatch: async () => {
    const [first, second] = [await business(), await business()];
    const [row] = await pool<{ own_ref: string }[]>`select own_ref from submission where id = ${second}`;
    return told(
      await agent.post('/api/agent/business', { submission_id: first, external_ref: row?.own_ref }),
    );
  },
  use_not_offered: async () =>
    told(await agent.quote(await addMadePhoto(pool, service.clock), 'ai_training')),
  max_price_required: async () =>
    told(await agent.post('/api/agent/photos/license', { photo_id: 'pho_nothing', use: 'web' })),
  idempotency_key_reused: async () => {
    const key = { 'idempotency-key': 'one-key' };
    await agent.post('/api/agent/business', BUSINESS, key);
    return told(await agent.post('/api/agent/business', { ...BUSINESS, name: 'Another' }, key));
  },
  contact_data_refused: () => tool('request_table', { ...FOR_GUEST, notes: 'Call +62 361 123456' }),
  venue_phone_no_country_code: async () => {
    const local = await addNamedPlace(service, {
      name: 'Warung Lokal',
      facts: { phone_as_published: '0361 123456' },
    });
    return tool('request_table', { ...FOR_GUEST, place_id: local });
  },
  in_the_past: () => tool('request_table', { ...FOR_GUEST, date: '2026-11-01' }),
  too_far_ahead: () => tool('request_table', { ...FOR_GUEST, date: '2027-11-01' }),
  member_not_linked: () => tool('request_table', { ...TABLE, member_id: 'mem_nothing' }),
  bookings_halted: async () => {
    const { id: staffId } = await addTestStaff(service, 'lead');
    const { deps } = service.app;
    await flipSwitch(deps, { on: true, reason: 'a test', staffId });
    const reached = await tool('request_table', { ...FOR_GUEST, time: '21:00' });
    await flipSwitch(deps, { on: false, reason: 'a test', staffId });
    return reached;
  },
};

for (const [status, codes] of Object.entries(CODES))
  for (const code of codes.split(' '))
    test(`${code} is reached, and is ${status}`, async () => {
      assert.equal(ERRORS[code as ErrorCode][0], Number(status));
      const elsewhere = TOLD_ELSEWHERE[code];
      if (elsewhere !== undefined) {
        const text = readFileSync(join(import.meta.dirname, '..', elsewhere), 'utf8');
        assert.match(text, new RegExp(`\\b${code}\\b`), `${elsewhere} asserts ${code}`);
        return;
      }
      const reached = await REACHED[code]?.();
      assert.equal(reached?.code, code);
      if ('status' in reached) assert.equal(reached.status, Number(status));
    });

/** By the code of a field: an operation's input that has this fault. */
const FAULTS: Record<string, [path: string, input: Record<string, unknown>]> = {
  too_short: ['/api/agent/signup', { ...SIGN_UP, operator_email: 'a@operator.example', purpose: 'Short.' }],
  too_long: ['/api/agent/business', { ...BUSINESS, name: 'x'.repeat(161) }],
  required: ['/api/agent/business', { ...BUSINESS, city: undefined }],
  not_in_enum: ['/api/agent/business', { ...BUSINESS, vertical: 'moon' }],
  not_integer: ['/api/agent/promo', { title: 'Half price', discount_pct: 0.5 }],
  out_of_range: ['/api/agent/promo', { title: 'Half price', discount_pct: 91 }],
  phone_not_e164: ['/api/agent/business', { ...BUSINESS, phone: '0361 123456' }],
  unknown_country: ['/api/agent/business', { ...BUSINESS, country: 'Atlantis' }],
  bad_hours: ['/api/agent/business', { ...BUSINESS, hours: { someday: '9:00-17:00' } }],
  url_refused: ['/api/agent/business', { ...BUSINESS, callback_url: 'https://127.0.0.1/' }],
};

test('every code of a field is reached, at the field', async () => {
  assert.deepEqual(Object.keys(FAULTS).sort(), FIELD_CODES.split(' ').toSorted());
  for (const [code, [path, input]] of Object.entries(FAULTS)) {
    const { status, body } = await agent.post(path, input);
    assert.deepEqual([status, body['code']], [422, 'validation_failed'], code);
    assert.deepEqual(
      (body['errors'] as { code: string }[]).map((fault) => fault.code),
      [code],
    );
  }
});

test('a venue of which only a number without its country code is known is not asked, and the number is not completed', async () => {
  const local = await addNamedPlace(service, {
    name: 'Kedai Lokal',
    facts: { phone_as_published: '0361 123456' },
  });
  const checked = await partner.call<{ can_request: boolean; refusal: string }>('check_availability', {
    ...TABLE,
    place_id: local,
  });
  assert.deepEqual([checked.can_request, checked.refusal], [false, 'venue_phone_no_country_code']);
  await pool`update place set email = 'kedai@venue.example' where id = ${local}`;
  const { can_request } = await partner.call<{ can_request: boolean }>('check_availability', {
    ...TABLE,
    place_id: local,
  });
  assert.ok(can_request, 'it can be written to');
});
