import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonSchema } from '../../../src/protocol/describe/schema-node.ts';
import { inputJsonSchema } from '../../../src/protocol/describe/json-schema.ts';
import { parseInput } from '../../../src/protocol/run/parse-input.ts';
import type { Operation } from '../../../src/core/operation.ts';
import { OPERATIONS } from '../../../src/surfaces/operations.ts';

const read = ({ input, missing }: Operation, given: Record<string, unknown>) =>
  parseInput(input, given, missing);
const takesNull = ({ anyOf }: JsonSchema) =>
  ((anyOf ?? []) as JsonSchema[]).some(({ type }) => type === 'null');

/** Every member of every operation, with the operation's own example beside it. */
const MEMBERS = OPERATIONS.flatMap((operation) => {
  const { properties = {}, required = [] } = inputJsonSchema(operation.input);
  return Object.entries(properties).map(([name, schema]) => {
    const { [name]: own, ...rest } = operation.example.input;
    return { operation, name, schema, own, rest, optional: !required.includes(name) };
  });
});

test('null and empty text mean absent in every optional member of every operation', () => {
  let tried = 0;
  for (const { operation, name, schema, rest, optional } of MEMBERS) {
    if (!optional) continue;
    const attempt = (given: Record<string, unknown>) => {
      try {
        const { input, warnings } = read(operation, given);
        return { input, warnings };
      } catch (thrown) {
        return (thrown as { errors: unknown }).errors;
      }
    };
    const without = attempt(rest);
    for (const absent of ['', '  ', ...(takesNull(schema) ? [] : [null])]) {
      tried++;
      assert.deepEqual(attempt({ ...rest, [name]: absent }), without, `${operation.name} ${name}`);
    }
  }
  assert.ok(tried > 200, `${tried} were tried`);
});

test('a number in quotes is that number, and a quoted truth value that one, in every member that takes one', () => {
  let tried = 0;
  for (const { operation, name, schema, own, rest } of MEMBERS) {
    const types = [schema, ...((schema['anyOf'] ?? []) as JsonSchema[])].map(({ type }) => type);
    const value = types.includes('boolean')
      ? true
      : types.includes('integer') || types.includes('number')
        ? (own ?? schema['minimum'] ?? 1)
        : undefined;
    if (value === undefined) continue;
    tried++;
    const plain = { ...rest, [name]: value };
    const quoted = { ...rest, [name]: JSON.stringify(value) };
    // A latitude needs its longitude, which only the run looks at.
    assert.deepEqual(read(operation, quoted), read(operation, plain), `${operation.name} ${name}`);
  }
  assert.ok(tried > 30, `${tried} were tried`);
});

test('the example of every operation is read as it stands, without good will and without a warning', () => {
  for (const operation of OPERATIONS) {
    const { input, warnings } = read(operation, operation.example.input);
    assert.deepEqual(warnings, [], operation.name);
    assert.deepEqual(Object.keys(input).sort(), Object.keys(operation.example.input).sort(), operation.name);
  }
});

function find(name: string, surface: 'agent' | 'partner' | 'concierge'): Operation {
  const operation = OPERATIONS.find((one) => one.name === name && one.tools.includes(surface));
  assert.ok(operation);
  return operation;
}

const other = (name: string, member: string) => ({
  code: 'other_name',
  pointer: `/${name}`,
  detail: `Read as ${member}.`,
});

const READ_AS: [string, 'agent' | 'partner' | 'concierge', sent: object, read: object, warned: object[]][] = [
  [
    'search_places',
    'agent',
    { query: 'pizza', location: 'Bali', max_results: '5' },
    { q: 'pizza', city: 'Bali', limit: 5 },
    [other('query', 'q'), other('location', 'city'), other('max_results', 'limit')],
  ],
  [
    'search_places',
    'agent',
    { keyword: 'pizza', lat: '-8.5', lng: 115.2, radius: 500 },
    { q: 'pizza', near: '-8.5,115.2', radius_m: 500 },
    [other('keyword', 'q'), other('radius', 'radius_m'), other('lat', 'near'), other('lng', 'near')],
  ],
  ['search_places', 'agent', { near: { lat: 1, lng: 2, radius_m: 9 } }, { near: '1,2', radius_m: 9 }, []],
  ['search_places', 'agent', { location: '1.5, 2' }, { near: '1.5,2' }, [other('location', 'near')]],
  [
    'search_places',
    'partner',
    { place: 'Bali', q: 'spa', near: '1, 2', wishes: 'wifi,Vegan' },
    { destination: 'Bali', query: 'spa', near: { lat: 1, lng: 2 }, wishes: ['wifi', 'vegan'] },
    [other('place', 'destination'), other('q', 'query')],
  ],
  [
    'concierge_answer',
    'partner',
    { text: 'Where to eat?', city: 'Bali' },
    { question: 'Where to eat?', destination: 'Bali' },
    [other('text', 'question'), other('city', 'destination')],
  ],
  [
    'request_table',
    'concierge',
    { place: 'plc_1', date_time: '2026-11-20T19:30', people: '4', name: 'Ann', member_id: null },
    { place_id: 'plc_1', date: '2026-11-20', time: '19:30', party_size: 4, guest_name: 'Ann' },
    [
      other('date_time', 'date and time'),
      other('place', 'place_id'),
      other('people', 'party_size'),
      other('name', 'guest_name'),
    ],
  ],
  ...['guests', 'party', 'pax', 'partySize', 'party-size'].map((name): (typeof READ_AS)[number] => [
    'check_availability',
    'concierge',
    { place_id: 'plc_1', date: '2026-11-20', time: '19:30', [name]: 2 },
    { place_id: 'plc_1', date: '2026-11-20', time: '19:30', party_size: 2 },
    [other(name, 'party_size')],
  ]),
  [
    'modify_booking',
    'concierge',
    { booking_id: 'bkg_1', date: null, time: '20:00', party_size: null, notes: null, accept_offer: '' },
    { booking_id: 'bkg_1', time: '20:00' },
    [],
  ],
  // Where null has a meaning, it has it under another name too.
  ['set_webhook', 'concierge', { webhook_url: null }, { url: null }, [other('webhook_url', 'url')]],
  [
    'submit_business',
    'agent',
    { external_ref: 'kafe-1', homepage: null, street: '' },
    { external_ref: 'kafe-1', website: null },
    [other('homepage', 'website')],
  ],
];

test('common other names of members, and other forms of points and moments, are taken with a warning', () => {
  for (const [name, surface, sent, expected, warned] of READ_AS) {
    const { input, warnings } = read(find(name, surface), sent as Record<string, unknown>);
    assert.deepEqual(input, expected, JSON.stringify(sent));
    assert.deepEqual(warnings, warned, JSON.stringify(sent));
  }
});

test('another name is never taken where the member itself was sent, nor where it leaves the unit open', () => {
  const search = find('search_places', 'agent');
  const both = read(search, { q: 'pizza', query: 'spa', city: 'Bali', location: 'Rome' });
  assert.deepEqual(both.input, { q: 'pizza', city: 'Bali' });
  assert.deepEqual(both.warnings, [
    { code: 'unknown_field', pointer: '/query' },
    { code: 'unknown_field', pointer: '/location' },
  ]);
  const photo = { photo_id: 'pho_1', use: 'web' };
  assert.throws(() => read(find('license_photo', 'agent'), { ...photo, max_price: 5, price: 5 }), {
    code: 'max_price_required',
  });
  const table = { place_id: 'plc_1', date_time: '2026-11-20T19:30:00Z', party_size: 2 };
  assert.throws(
    () => read(find('check_availability', 'concierge'), table),
    /\/date: is required \(and 1 more\)/,
  );
});

test('several faults are told at once, where they stand in what was sent, with the names that are not known', () => {
  const table = find('request_table', 'concierge');
  assert.throws(
    () => read(table, { date: 'tomorrow', people: 99, foo: 1 }),
    (thrown: { errors: { pointer: string; code: string }[]; hint?: string }) => {
      assert.deepEqual(
        thrown.errors.map(({ pointer, code }) => [pointer, code]),
        [
          ['/place_id', 'required'],
          ['/date', 'bad_format'],
          ['/time', 'required'],
          ['/people', 'out_of_range'],
          ['/guest_name', 'required'],
        ],
      );
      assert.equal(thrown.hint, 'Unknown: foo.');
      return true;
    },
  );
  assert.throws(
    () => read(find('submit_business', 'agent'), { name: 'x', phone: '0361', country: 'Atlantis' }),
    (thrown: { errors: { pointer: string }[] }) => {
      assert.deepEqual(thrown.errors.map(({ pointer }) => pointer).sort(), [
        '/city',
        '/country',
        '/name',
        '/phone',
        '/relationship',
      ]);
      return true;
    },
  );
});
