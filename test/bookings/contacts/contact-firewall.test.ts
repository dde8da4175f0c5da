import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findContact } from '../../../src/core/text/contact/contact-data.ts';
import { AppError } from '../../../src/core/errors.ts';
import type { Operation } from '../../../src/core/operation.ts';
import { addressGroup } from '../../../src/core/text/address-group.ts';
import { runOperation } from '../../../src/protocol/run/run-operation.ts';
import { cancelBookingForPartners, modifyBooking } from '../../../src/surfaces/concierge/change-booking.ts';
import { requestTable } from '../../../src/surfaces/concierge/request-table.ts';
import { rpc } from '../../harness/clients/mcp.ts';
import { startTestService } from '../../harness/service/service.ts';
import { LONG, tries } from '../../harness/tier.ts';
import { AskingPartner, addVenue, CONCIERGE_MCP } from '../asking-partner.ts';
import { contactStrings, seeded } from './contact-strings.ts';
import { ORDINARY_TEXTS } from './ordinary-texts.ts';

/** `npm test` takes every seventh of them. */
const CONTACTS = contactStrings(10_000).filter((_, at) => LONG || at % 7 === 0);
const OVER_HTTP = 50;
const MADE_TEXTS = tries({ quick: 4_000, long: 20_000 });
/** Of which dates, times, sums and numbers are made. */
const PIECES = [
  '0',
  '1',
  '2',
  '5',
  '20',
  '19',
  '00',
  '000',
  '30',
  '11',
  ' ',
  ' ',
  '.',
  '-',
  '/',
  ':',
  ',',
  'x',
  'h',
  ' Rp ',
  ' a ',
];

const service = await startTestService();
const { pool } = service.database;

test('ordinary names and notes are let through', () => {
  const ordinary = [
    'Guest Example',
    "Seán O'Brien-Nguyễn",
    'María José Carreño Quiñones',
    '王小明',
    'Dr. Anna-Lena von Hohenberg',
    'J. R. R. Smith Jr.',
    'علي بن محمد',
    'Table by the window, please. No nuts.It matters.',
    'Arriving 19:30, 20:00 at the latest.',
    'We are 4 adults and 2 children (3 and 5 years).',
    'Birthday on the 20th; a cake for 12 would be lovely.',
    'Gluten-free x2, vegan x1. High chair. Thank you!',
    'Flight lands at 18:45 on 20 Nov 2026.',
    'Room 1204, budget 500,000 per person.',
    'dinner @ 8',
    'A _quiet_ table -no nuts.It matters.',
    '-Near the sea.Co-hosted dinner',
    'One of us is at the bar already, two at the table.',
  ];
  assert.deepEqual(
    ordinary.filter((text) => findContact(text) !== undefined),
    [],
  );
});

test('a disguised number or address is found', () => {
  const hidden = [
    '０８１２３４５６７８９',
    '٠٨١٢٣٤٥٦٧',
    '0\u200b8\u200b1\u200b2\u200b3\u200b4\u200b5\u200b6',
    '+62 (361) 123-456',
    '0 8 1 2 3 4 5',
    'zero eight one two three four five six',
    'guest at mail dot example',
    'guest (at) mail (dot) com',
    'guest＠mail.example',
    'HTTPS://EXAMPLE.ORG/me',
    'wa.me/62811',
    'www.example.org',
    'find me on example.com',
    'see _anna.com',
    'see -anna.com',
    'see x_anna.com',
    'see _anna.com_',
    'see --anna.com--',
    '@guest_handle',
    '4111 1111 1111 1111',
  ];
  assert.deepEqual(
    hidden.filter((text) => findContact(text) === undefined),
    [],
  );
});

test('text that the check accepts is accepted by the tables too', async () => {
  // Whatever the gate would let through and the tables would not take is an error of ours.
  const random = seeded(11);
  const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? '';
  const made = Array.from({ length: MADE_TEXTS }, () =>
    Array.from({ length: 14 }, () => pick(PIECES)).join(''),
  );
  const texts = [...ORDINARY_TEXTS, ...made].filter((text) => findContact(text) === undefined);
  assert.ok(texts.length > MADE_TEXTS / 10, `${texts.length} texts`);
  const refused = await pool<{ text: string }[]>`
    select text from unnest(${texts}::text[]) as given(text) where contains_contact(text)`;
  assert.deepEqual(
    refused.map(({ text }) => text),
    [],
  );
  const partner = await AskingPartner.add(service);
  const placeId = await addVenue(service, { phone: '+62361123456', email: 'venue@venue.example' });
  const notes = 'Budget Rp 1.500.000, anniversary on 20-11-2026, open 11:00-15:00, 18:00-23:00?';
  assert.match(await partner.request(placeId, { notes }), /^bkg_/);
});

test(`of ${CONTACTS.length} contacts in names, notes and reasons none is stored and none is sent`, async () => {
  const partner = await AskingPartner.add(service);
  const placeId = await addVenue(service, { phone: '+62361123456', email: 'venue@venue.example' });
  const bookingId = await partner.request(placeId);
  await partner.untilStatus(bookingId, 'asking');
  const before = await everything();
  const table = { place_id: placeId, date: '2026-11-21', time: '19:30', party_size: 2 };
  const calls = CONTACTS.map(
    (contact, at): [Operation, Record<string, string | number>] =>
      [
        [requestTable, { ...table, guest_name: contact.slice(0, 80) }],
        [requestTable, { ...table, guest_name: 'Guest', notes: `Please note ${contact}` }],
        [cancelBookingForPartners, { booking_id: bookingId, reason: contact }],
        [modifyBooking, { booking_id: bookingId, notes: contact }],
      ][at % 4] as [Operation, Record<string, string | number>],
  );
  const passed: unknown[] = [];
  for (const [at, [operation, input]] of calls.entries()) {
    const code =
      at % OVER_HTTP === 0 ? await callOver(operation.name, input) : await callInside(operation, input);
    if (code !== 'contact_data_refused') passed.push([operation.name, input, code]);
  }
  assert.deepEqual(passed, []);
  const after = await everything();
  assert.equal(after.bookings, before.bookings);
  assert.deepEqual(
    CONTACTS.filter((contact) => after.text.includes(JSON.stringify(contact).slice(1, -1))),
    [],
  );

  async function callOver(name: string, input: object): Promise<string> {
    const message = { id: 1, method: 'tools/call', params: { name, arguments: input } };
    const { body } = await rpc(service, CONCIERGE_MCP, message, partner.partner.headers);
    const meta = body.result?.['_meta'] as Record<string, { code: string }> | undefined;
    return meta?.['svc/error']?.code ?? JSON.stringify(body);
  }

  /** The one path into an operation, without the wire before it. */
  async function callInside(operation: Operation, input: object): Promise<string> {
    const actor = {
      kind: 'partner' as const,
      id: partner.partner.partnerId,
      plan: 'platform' as const,
      spendLimitCents: null,
      bookingsEnabled: true,
      bookingsFrom: null,
      address: addressGroup('127.0.0.1'),
      keyHash: Buffer.alloc(32),
    };
    try {
      const { prepared } = await runOperation(service.app.deps, operation, {
        actor,
        requestId: 'req_1',
        input,
      });
      return prepared.json.toString();
    } catch (thrown) {
      return thrown instanceof AppError ? thrown.code : String(thrown);
    }
  }

  /** Every row of every table, the outbox among them, as text. */
  async function everything(): Promise<{ bookings: number; text: string }> {
    const tables = await pool<{ name: string }[]>`
      select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_schema in ('public', 'graphile_worker') and table_type = 'BASE TABLE'
        and table_name not in ('destination', 'rate_window', 'rate_window_expiring', 'rate_window_unkeyed')`;
    let text = '';
    for (const { name } of tables) {
      const rows = await pool.unsafe<{ row: string }[]>(`select to_jsonb(t)::text as row from ${name} t`);
      text += rows.map(({ row }) => row).join('\n');
    }
    const [row] = await pool<{ count: number }[]>`select count(*)::int as count from booking`;
    return { bookings: row?.count ?? 0, text };
  }
});
