import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addressGroup } from '../../src/core/text/address-group.ts';
import { contactKey } from '../../src/venue/contact.ts';
import { addVenue } from '../bookings/asking-partner.ts';
import { FormClient } from '../harness/people/staff.ts';
import { startTestService } from '../harness/service/service.ts';

const service = await startTestService({
  settings: {
    TRUSTED_PROXIES: '127.0.0.1',
    SIGNUPS_PER_HOUR: '3',
    PARTNER_SIGNUPS_PER_HOUR: '3',
    REGISTRATIONS_PER_HOUR: '3',
  },
});
const { pool } = service.database;
let made = 0;

function send(address: string, path: string, body: Record<string, unknown>): Promise<Response> {
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': address };
  return service.request(path, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** Calls of programs without a credential, which are counted by address. */
const PROGRAMS = {
  'an agent signs up': (address: string) =>
    send(address, '/api/agent/signup', {
      agent_name: 'TripPlanner',
      operator_name: 'Example Travel Ltd',
      operator_email: `agent-${(made += 1)}@travel.example`,
      purpose: 'Plans weekend trips for our customers.',
    }),
  'a partner signs up': (address: string) =>
    send(address, '/api/partner/signup', { email: `partner-${(made += 1)}@travel.example`, name: 'Example' }),
  'an OAuth client is registered': (address: string) =>
    send(address, '/oauth/register', { redirect_uris: [`https://client.example/back/${(made += 1)}`] }),
};

test('an address of IPv6 stands for its /64, and one of IPv4 for itself in every spelling', () => {
  for (const [address, group] of [
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:C000:0207', '192.0.2.7'],
    ['0:0:0:0:0:ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:0DB8:0000:0000:ffff::1', '2001:db8:0:0::/64'],
    ['2001:db8:0:1::1', '2001:db8:0:1::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['1:2:3:4:5:6:7.8.9.10', '1:2:3:4::/64'],
    ['not an address', 'not an address'],
    ['', ''],
  ] as const)
    assert.equal(addressGroup(address), group, address);
});

describe('where the limit of an address is reached', () => {
  for (const [name, act] of Object.entries(PROGRAMS))
    test(`another address of the same network does not help: ${name}`, async () => {
      for (let i = 1; i <= 3; i++) assert.equal((await act(`2001:db8:5:5:${i}::${i}`)).status, 201);
      assert.equal((await act('2001:db8:5:5:ffff::')).status, 429);
      assert.equal((await act('2001:db8:5:6::')).status, 201);
      for (const address of ['198.51.100.1', '::ffff:198.51.100.1', '::ffff:c633:6401'])
        assert.equal((await act(address)).status, 201);
      assert.equal((await act('198.51.100.1')).status, 429);
    });
});

test('no door counts a bare address of IPv6', async () => {
  const address = '2001:db8:7:7:bad:bad:bad:bad';
  const headers = { 'x-forwarded-for': address };
  for (const act of Object.values(PROGRAMS)) assert.equal((await act(address)).status, 201);
  assert.equal((await send(address, '/api/agent/recover', { operator_email: 'a@b.example' })).status, 202);
  await service.request('/oauth/authorize?client_id=none', { headers, redirect: 'manual' });
  const document = encodeURIComponent('https://client.example/document.json');
  await service.request(`/oauth/authorize?client_id=${document}`, { headers, redirect: 'manual' });
  const to = 'venue@doors.example';
  const placeId = await addVenue(service, { name: 'Warung Pintu', email: to });
  const claim = `/venue/claim/${placeId}`;
  for (const [page, path, fields] of [
    ['/console/sign-in', '/console/sign-in', { email: 'nobody@staff.example', password: 'x', totp: '' }],
    ['/member/sign-in', '/member/sign-in/email', { email: 'member@doors.example' }],
    ['/oauth/connections', '/oauth/connections/email', { email: 'operator@doors.example' }],
    ['/partner/sign-in', '/partner/sign-in', { email: 'partner@doors.example' }],
    [claim, `${claim}/code`, { via: contactKey({ channel: 'mail', to }) }],
  ] as const) {
    const client = new FormClient(service);
    const { status } = await client.postRaw(path, { csrf: await client.token(page), ...fields }, headers);
    assert.ok([200, 303, 401].includes(status), `${path} ${status}`);
  }
  for (const table of ['rate_window', 'sign_in_attempt', 'sign_in_code', 'claim_code', 'oauth_client']) {
    const [row] = await pool<{ bare: number; grouped: number }[]>`
      select count(*) filter (where position(':bad' in t::text) > 0)::int as bare,
             count(*) filter (where position('2001:db8:7:7::/64' in t::text) > 0)::int as grouped
      from ${pool(table)} t`;
    assert.equal(row?.bare, 0, table);
    assert.ok(row.grouped > 0, table);
  }
});
