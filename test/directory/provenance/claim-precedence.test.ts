import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import {
  CONTACT_FIELDS,
  FIELD_NAMES,
  ORIGINS,
  type ClaimField,
  type FieldValues,
  type Origin,
} from '../../../src/directory/provenance/field.ts';
import { mergeClaims } from '../../../src/directory/provenance/merge-claims.ts';
import {
  withClaims,
  applyFieldClaims,
  claimsFor,
  type PlaceWithClaims,
} from '../../../src/directory/provenance/apply-field-claims.ts';
import { trustedClaim, type FieldClaim } from '../../../src/directory/provenance/field-claim.ts';

const document = await readFile(new URL('../../../docs/field-provenance.md', import.meta.url), 'utf8');

type Cell = 'now' | 'new';
type Table = Map<ClaimField, Record<Origin, Record<Origin, Cell>>>;

/** The tables under a heading of the document, by the fields that each is about. */
function tablesUnder(heading: string): Table {
  const section = document.split('\n## ').find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const tables: Table = new Map();
  for (const part of section.split('\nFields: ').slice(1)) {
    const [fields = '', ...lines] = part.split('\n');
    const rows = lines.filter((line) => line.startsWith('|')).map(cellsOf);
    const columns = rows[0]?.slice(1) ?? [];
    assert.deepEqual(columns, ['owner', 'reviewer', 'agent', 'map', 'provider']);
    const read = Object.fromEntries(
      rows
        .slice(2)
        .map(([now = '', ...cells]) => [
          now,
          Object.fromEntries(cells.map((cell, at) => [columns[at], cell])),
        ]),
    ) as Record<Origin, Record<Origin, Cell>>;
    for (const field of fields.split(', ')) tables.set(field as ClaimField, read);
  }
  return tables;
}

function cellsOf(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

const hours = (text: string, observed_at: string) =>
  ({ text, source: 'map', observed_at, compiled: null }) as const;
const way = (url: string) =>
  ({ booking_method: 'venue_system', booking_url: url, booking_platform: 'sevenrooms' }) as const;

/** Two values of each field, and the first one as somebody else would write it. */
const VALUES: {
  [F in ClaimField]: readonly [one: FieldValues[F], other: FieldValues[F], again: FieldValues[F]];
} = {
  name: ['Ada', 'Bea', 'Ada'],
  kind: [
    { vertical: 'restaurant', category: 'restaurant' },
    { vertical: 'bar', category: 'bar' },
    { vertical: 'restaurant', category: 'bistro' },
  ],
  city: ['Ubud', 'Kuta', 'Ubud'],
  address: ['1 Road', '2 Road', '1 Road'],
  lat: [-8.5, -8.6, -8.5],
  lng: [115.25, 115.26, 115.25],
  phone: ['+62361555111', '+62361555222', '+62 361 555-111'],
  email: ['ada@ada.example', 'bea@bea.example', 'Ada@Ada.example'],
  website: ['https://ada.example/', 'https://bea.example/', 'https://ADA.example'],
  about: ['Since 1901', 'Since 1902', 'Since 1901'],
  languages: [['en'], ['de'], ['en']],
  price_range: ['$', '$$', '$'],
  hours: [
    hours('Mo 08:00-10:00', '2026-01-01T00:00:00Z'),
    hours('Tu 08:00-10:00', '2026-02-01T00:00:00Z'),
    hours('Mo 08:00-10:00', '2026-02-01T00:00:00Z'),
  ],
  booking: [way('https://a.example/'), way('https://b.example/'), way('https://a.example/')],
};

const EMPTY: PlaceWithClaims = {
  id: 'plc_x',
  badge: 'mapped',
  source: 'osm',
  source_ref: 'node/1',
  verified_at: null,
  updated_at: new Date('2026-01-01T00:00:00Z'),
  field_claims: {},
  name: '',
  name_generated: false,
  latin_name: null,
  vertical: 'other',
  category: 'other',
  city: null,
  address: null,
  lat: null,
  lng: null,
  phone: null,
  email: null,
  website: null,
  about: null,
  languages: [],
  price_range: null,
  hours: null,
  booking_method: 'phone',
  booking_url: null,
  booking_platform: null,
  chosen_by_venue: false,
};

/** Two speakers of any origin; those of one origin are two of them. */
function speaker(by: Origin, when: Cell) {
  const at = when === 'now' ? '2026-01-01T00:00:00.000Z' : '2026-02-01T00:00:00.000Z';
  return {
    by,
    ref: when === 'now' && by === 'map' ? 'osm' : `${by}:${when}`,
    at,
    proof: 'published',
  } as const;
}

interface Pair {
  field: ClaimField;
  now: Origin;
  given: Origin;
  same: boolean;
  badge: PlaceWithClaims['badge'];
}

/** The claims after two sources have stated their values in turn. */
function spoken({ field, now, given, same, badge }: Pair): readonly FieldClaim[] {
  const [one, other, again] = VALUES[field];
  const word = { ...speaker(now, 'now'), value: one } as FieldClaim;
  const place = { ...withClaims({ ...EMPTY, name: '' }, field, [word]), badge };
  return claimsFor(
    applyFieldClaims(place, { ...speaker(given, 'new'), values: { [field]: same ? again : other } }),
    field,
  );
}

function allPairs(): Pair[] {
  const badges = ['mapped', 'claimed'] as const;
  return FIELD_NAMES.flatMap((field) =>
    ORIGINS.flatMap((now) =>
      ORIGINS.flatMap((given) =>
        [true, false].flatMap((same) => badges.map((badge) => ({ field, now, given, same, badge }))),
      ),
    ),
  );
}

const SETTLED: readonly ClaimField[] = ['name', 'address', 'phone', 'email', 'website', 'languages'];

function staysWhenClaimed(field: ClaimField, given: Origin): boolean {
  return given === 'agent' || ((given === 'map' || given === 'provider') && SETTLED.includes(field));
}

test('for every field and every two origins the document says whose word is shown', () => {
  const tables = { other: tablesUnder('Another value'), same: tablesUnder('The same value') };
  let checked = 0;
  for (const pair of allPairs()) {
    const { field, now, given, same, badge } = pair;
    const cell = tables[same ? 'same' : 'other'].get(field)?.[now][given];
    assert.ok(cell === 'now' || cell === 'new', JSON.stringify(pair));
    const expected = badge === 'claimed' && staysWhenClaimed(field, given) ? 'now' : cell;
    const shown = spoken(pair)[0];
    const when = shown?.at === speaker(now, 'now').at ? 'now' : 'new';
    assert.equal(when, expected, JSON.stringify(pair));
    checked++;
  }
  assert.equal(checked, FIELD_NAMES.length * ORIGINS.length ** 2 * 4);
});

test('of every two words about a contact, a venue is asked only by what was published or what it set itself', () => {
  for (const pair of allPairs().filter(({ field }) => CONTACT_FIELDS.some((contact) => contact === field))) {
    const words = spoken(pair);
    const by = trustedClaim(words)?.by;
    const known: Origin[] = [pair.now, pair.given].filter(
      (origin) => origin !== 'agent' && origin !== 'reviewer',
    );
    const now: Origin[] = known.includes(pair.now) ? [pair.now] : [];
    const heard = pair.badge === 'claimed' && staysWhenClaimed(pair.field, pair.given) ? now : known;
    if (heard.length === 0) assert.equal(by, undefined, JSON.stringify(pair));
    else assert.ok(by !== undefined && heard.includes(by), JSON.stringify(pair));
    if (heard.includes('owner')) assert.equal(by, 'owner', JSON.stringify(pair));
  }
});

test('nothing that anybody said is lost by what another says, and what is taken back lets the other show again', () => {
  for (const pair of allPairs().filter(
    ({ badge, field, given }) => badge === 'mapped' || !staysWhenClaimed(field, given),
  )) {
    assert.equal(spoken(pair).length, 2, JSON.stringify(pair));
    const [one] = VALUES[pair.field];
    const word = { ...speaker(pair.now, 'now'), value: one } as FieldClaim;
    const before = { ...withClaims(EMPTY, pair.field, [word]), badge: pair.badge };
    const given = speaker(pair.given, 'new');
    const during = applyFieldClaims(before, { ...given, values: { [pair.field]: VALUES[pair.field][1] } });
    const after = applyFieldClaims(during, { ...given, values: { [pair.field]: null } });
    assert.deepEqual(after, before, JSON.stringify(pair));
  }
});

test('of two maps that which the record came from is shown, and a record that vanished from its map brings none of it', () => {
  const phone = (ref: string, value: string) =>
    ({ ...speaker('map', 'now'), ref, value }) as FieldClaim<'phone'>;
  const merged = withClaims(EMPTY, 'phone', [phone('osm:node/2', '+62361555222')]);
  assert.equal(merged.phone, '+62361555222');
  const said = applyFieldClaims(merged, { ...speaker('map', 'now'), values: { phone: '+62361555111' } });
  assert.equal(said.phone, '+62361555111');

  const gone = { ...EMPTY, id: 'plc_y', source_ref: 'node/2', phone: '+62361555222', about: null };
  assert.equal(mergeClaims(EMPTY, gone, { vanished: false }).phone, '+62361555222');
  assert.equal(mergeClaims(EMPTY, gone, { vanished: true }).phone, null);
});

test('two records whose provider or staff spoke of the same contact keep one word of each', () => {
  const staff = (value: string) =>
    ({ ...speaker('reviewer', 'now'), ref: 'staff', value }) as FieldClaim<'phone'>;
  const one = withClaims(EMPTY, 'phone', [staff('+62361555111')]);
  const other = withClaims({ ...EMPTY, id: 'plc_y', source_ref: 'node/2' }, 'phone', [staff('+62361555222')]);
  const joined = mergeClaims(one, other, { vanished: false });
  assert.deepEqual(
    joined.field_claims.phone?.map(({ value }) => value),
    ['+62361555111'],
  );
  const takenBack = applyFieldClaims(joined, {
    ...speaker('reviewer', 'new'),
    ref: 'staff',
    values: { phone: null },
  });
  assert.equal(takenBack.phone, null);
});
