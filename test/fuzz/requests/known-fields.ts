import fc from 'fast-check';
import { reference } from './references.ts';

/**
 * What a caller would really put into a field of this name, where the schema only says that it is text. Without it
 * hardly any request would reach further than the first look at its input.
 */
export function knownField(name: string): fc.Arbitrary<unknown> | undefined {
  return Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
}

const WORDS = [
  'sushi',
  'coffee near the beach',
  'warung',
  'vegan breakfast',
  'open late',
  'rooftop bar',
  'spa',
];
const NAMES = ['Warung Senja', 'Casa Azul', 'Le Petit Zinc', '喫茶 月', 'مقهى الفنجان', 'Bar O’Neill'];
const QUESTIONS = [
  'Where can four of us have dinner tonight?',
  'quiet cafe with wifi, not expensive',
  'best ramen under 15 dollars open now',
  'a bar near the beach with rating over 4',
  'breakfast at 7 tomorrow for 2',
];
const HOURS: unknown[] = [
  'Mo-Fr 09:00-17:00',
  'Mon-Fri 9am-5pm; Sat 10:00-14:00; Sun closed',
  { daily: '10:00-22:00' },
  { 'mon-fri': '09:00-17:00', sat: 'closed', holidays: 'closed' },
  { 'sat-thu': '18:00-02:00', fri: '24h' },
  'whenever the sun shines',
];

const id = (prefix: string) => reference('own', prefix);
const nth = (make: (n: number) => unknown, max = 30) => fc.nat(max).map(make);
const phone = nth((n) => `+6236112${String(3_000 + n)}`);
const clock = fc.constantFrom('12:00', '18:30', '19:00', '19:30', '20:15', '21:00');
const day = reference('date', 'soon');
const moment = nth((n) => `2026-11-${String(10 + (n % 20)).padStart(2, '0')}T0${n % 10}:00:00Z`);

const FIELDS: Record<string, fc.Arbitrary<unknown>> = {
  place_id: fc.oneof({ weight: 2, arbitrary: reference('any', 'bookable') }, reference('any', 'plc')),
  submission_id: fc.oneof(
    { weight: 3, arbitrary: fc.constant('') },
    { weight: 2, arbitrary: id('sub') },
    reference('any', 'sub'),
  ),
  booking_id: fc.oneof({ weight: 5, arbitrary: id('bkg') }, reference('any', 'bkg')),
  photo_id: reference('any', 'pho'),
  license_id: fc.oneof({ weight: 4, arbitrary: id('lic') }, reference('any', 'lic')),
  accept_offer: fc.oneof({ weight: 3, arbitrary: id('off') }, reference('any', 'off')),
  member_id: reference('any', 'mem'),
  link_code: reference('any', 'link_code'),
  guest_name: reference('private', 'guest'),
  notes: reference('private', 'note'),
  reason: reference('private', 'reason'),
  operator_email: reference('private', 'mailbox'),
  callback_url: reference('any', 'receiver'),
  url: reference('any', 'receiver'),
  cursor: reference('own', 'cursor'),
  destination: reference('any', 'destination'),
  city: reference('any', 'destination'),
  country: fc.constantFrom('ID', 'id', 'Indonesia', 'MC', 'JP', 'Thailand', 'US'),
  area: fc.constantFrom('Ubud', 'Canggu', 'Old Town', 'Centre'),
  category: fc.constantFrom('restaurant', 'cafe', 'bar', 'hotel', 'beach', 'sushi'),
  cuisine: fc.constantFrom('italian', 'japanese', 'indonesian'),
  q: fc.constantFrom(...WORDS),
  query: fc.constantFrom(...WORDS, 'bali', 'tok'),
  question: fc.constantFrom(...QUESTIONS),
  near: fc.constantFrom('-8.5,115.2', '43.73,7.42'),
  bbox: fc.constantFrom('114.4,-8.9,115.7,-8', '7.4,43.7,7.5,43.8'),
  at: nth((n) => `2026-11-${String(14 + (n % 10))}T19:30`),
  date: day,
  time: clock,
  party_size: fc.integer({ min: 1, max: 8 }),
  if_revision: fc.integer({ min: 1, max: 3 }),
  limit: fc.integer({ min: 1, max: 60 }),
  offset: fc.nat(40),
  lang: fc.constantFrom('en', 'id', 'ja', 'pt-BR'),
  languages: fc.subarray(['en', 'id', 'ja', 'fr']),
  name: nth((n) => `${NAMES[n % NAMES.length] ?? ''} ${n}`),
  agent_name: nth((n) => `Trip planner ${n}`),
  operator_name: nth((n) => `Operator ${n}`),
  company: nth((n) => `Company ${n}`),
  purpose: fc.constant('Finds restaurants for travellers who ask.'),
  use_case: fc.constant('Shows places to travellers of ours.'),
  address: nth((n) => `Jalan Raya ${n}`),
  phone,
  email: nth((n) => `info${n}@venue-${n}.example`),
  website: nth((n) => `https://venue-${n}.example/`),
  homepage: nth((n) => `https://agent-${n}.example/`),
  description: fc.constantFrom('A small place by the sea.', 'Award winning kitchen, best of 2025.', ''),
  price_range: fc.constantFrom('$', '$$$', 'IDR 50k–120k'),
  hours: fc.constantFrom(...HOURS),
  external_ref: nth((n) => `ref-${n}`, 12),
  promo_ref: nth((n) => `promo-${n}`, 12),
  title: fc.constantFrom('Two for one', 'Live music on Friday', 'Ten percent off'),
  detail: fc.constantFrom('Every day until seven.', ''),
  terms: fc.constantFrom('Not on holidays.', ''),
  starts_at: moment,
  ends_at: fc.constantFrom('2026-12-24T00:00:00Z', '2027-01-31', ''),
  since: moment,
  updated_since: moment,
  amount_cents: fc.integer({ min: 500, max: 20_000 }),
  max_price_cents: fc.integer({ min: 100, max: 5_000 }),
  idempotency_key: nth((n) => `key-${n}`, 40),
  dry_run: fc.constantFrom(false, false, false, true),
};
