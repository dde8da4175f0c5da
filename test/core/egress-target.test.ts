import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { vetUrl } from '../../src/core/egress/egress-target.ts';
import { safeRequest } from '../../src/core/egress/egress.ts';
import { isPublicAddress } from '../../src/core/egress/public-address.ts';
import { GET, answering, PUBLIC, policy, refusal } from './egress-receiver.ts';

describe('an address outside the public internet is refused', () => {
  const inside = {
    loopback: ['127.0.0.1', '127.255.255.254', '::1'],
    unspecified: ['0.0.0.0', '0.1.2.3', '::'],
    private: ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fd00:ec2::254'],
    'link-local': ['169.254.169.254', 'fe80::1', 'fe80::1%lo', 'fec0::1'],
    'carrier-grade NAT': ['100.64.0.1', '100.100.100.200', '100.127.255.255'],
    documentation: ['192.0.2.1', '198.51.100.7', '203.0.113.9', '2001:db8::1', '3fff::1'],
    benchmark: ['198.18.0.1', '198.19.255.255', '2001:2::1'],
    multicast: ['224.0.0.1', '239.255.255.250', 'ff02::1'],
    reserved: ['240.0.0.1', '255.255.255.255', '192.0.0.192', '192.88.99.1', '4000::1', '100::1'],
    mapped: ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:169.254.169.254', `::ffff:${PUBLIC}`],
    compatible: ['::127.0.0.1', '::ffff:0:127.0.0.1'],
    '6to4': ['2002:7f00:1::', '2002:a9fe:a9fe::1', '2002:5db8:d822::1'],
    NAT64: ['64:ff9b::7f00:1', '64:ff9b::169.254.169.254', '64:ff9b:1::1'],
    Teredo: ['2001:0:7f00:1::1'],
    'cloud host': ['168.63.129.16'],
    nonsense: ['', 'localhost', '1.2.3', '256.1.1.1'],
  };
  for (const [range, addresses] of Object.entries(inside))
    test(range, async () => {
      for (const address of addresses) {
        assert.equal(isPublicAddress(address), false, address);
        const named = policy({ resolve: answering([address]) });
        await refusal(safeRequest(named, 'https://venue.example.org/', GET), 'blocked_address', address);
      }
    });

  test('and one of the public internet is not', () => {
    for (const address of [
      PUBLIC,
      '1.1.1.1',
      '172.32.0.1',
      '100.128.0.1',
      '198.20.0.1',
      '2606:4700::1111',
      '2a00:1450::1',
    ])
      assert.equal(isPublicAddress(address), true, address);
  });
});

test('every way to write an address as a host is seen for what it is, without a lookup', async () => {
  const spellings = [
    '127.0.0.1',
    '127.1',
    '0x7f.1',
    '0x7f000001',
    '2130706433',
    '0177.0.0.1',
    '017700000001',
    '127.0.0.1.',
    '１２７.0.0.1',
    '127。0。0。1',
    '%31%32%37.0.0.1',
    '0',
    '169.254.169.254',
    '0xa9fea9fe',
    '2852039166',
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:a9fe:a9fe]',
    '[64:ff9b::a9fe:a9fe]',
    '[2002:7f00:1::]',
    '[fd00:ec2::254]',
  ];
  for (const host of spellings)
    for (const url of [`https://${host}/`, `http://${host}/`])
      await refusal(safeRequest(policy(), url, { ...GET, plainHttp: true }), 'blocked_address', url);
});

test('only https without a user, on a port of the web, to a host with a public name, is called', async () => {
  const refused = [
    'http://venue.example.org/',
    'ftp://venue.example.org/',
    'file:///etc/passwd',
    'gopher://venue.example.org/',
    'data:text/plain,x',
    'javascript:1',
    'not a url',
    '//venue.example.org/',
    'https://user@venue.example.org/',
    'https://user:secret@venue.example.org/',
    'https://:secret@venue.example.org/',
    'https://venue.example.org:22/',
    'https://venue.example.org:25/',
    'https://venue.example.org:80/',
    'https://venue.example.org:5432/',
    'https://venue.example.org:6379/',
    'https://localhost/',
    'https://LOCALHOST/',
    'https://localhost./',
    'https://app.localhost/',
    'https://printer.local/',
    'https://printer.local./',
    'https://metadata.google.internal/',
    'https://hidden.onion/',
    'https://router.home.arpa/',
    'https://intranet/',
    'https://intranet./',
  ];
  for (const url of refused) await refusal(vetUrl(policy(), url), 'blocked_address', url);
  const resolve = answering([PUBLIC]);
  for (const url of [
    'https://venue.example.org/',
    'https://venue.example.org:8443/x',
    'https://VENUE.example.org./',
  ])
    assert.deepEqual(
      (await vetUrl(policy({ resolve }), url)).addresses,
      [{ address: PUBLIC, family: 4 }],
      url,
    );
  assert.deepEqual(new Set(resolve.asked), new Set(['venue.example.org']));
});

test('further ports come from the settings, but never one of a well-known service', async () => {
  const more = policy({ resolve: answering([PUBLIC]), ports: [9443, 22, 25] });
  assert.equal((await vetUrl(more, 'https://venue.example.org:9443/')).port, 9443);
  for (const port of [22, 25, 9444])
    await refusal(vetUrl(more, `https://venue.example.org:${port}/`), 'blocked_address', String(port));
});

test('plain http is let through for looking at websites only, and to the ports of the web', async () => {
  const resolve = answering([PUBLIC]);
  for (const url of ['http://venue.example.org/', 'http://venue.example.org:8080/'])
    assert.equal((await vetUrl(policy({ resolve }), url, { plainHttp: true })).host, 'venue.example.org');
  await refusal(
    vetUrl(policy({ resolve }), 'http://venue.example.org:23/', { plainHttp: true }),
    'blocked_address',
  );
});

test('a name that leads inside, as of 127.0.0.1.nip.io, is refused, even when only one of its addresses does', async () => {
  for (const answer of [
    ['127.0.0.1'],
    ['10.0.0.5'],
    [PUBLIC, '127.0.0.1'],
    ['2606:4700::1111', '::1'],
    ['::ffff:10.0.0.1'],
  ]) {
    const named = policy({ resolve: answering(answer) });
    await refusal(safeRequest(named, 'https://127.0.0.1.nip.io/', GET), 'blocked_address', answer.join());
  }
});

test('a name that was public when it was handed in and is private later is refused then', async () => {
  const resolve = answering([PUBLIC], ['127.0.0.1']);
  const changing = policy({ resolve });
  assert.equal((await vetUrl(changing, 'https://rebind.example.org/')).addresses[0]?.address, PUBLIC);
  await refusal(safeRequest(changing, 'https://rebind.example.org/', GET), 'blocked_address');
  assert.equal(resolve.asked.length, 2);
});
