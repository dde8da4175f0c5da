import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { ImportFileError } from '../../../src/import/import-file-error.ts';
import { describeCsv, readCsvMapping, type CsvChoices } from '../../../src/import/csv/csv-mapping.ts';
import { openCsv } from '../../../src/import/csv/csv-reader.ts';
import { readAll, withFile } from './read-all.ts';

function read(content: string | Buffer, choices: CsvChoices = {}) {
  return withFile(content, async (path) => {
    const mapping = await readCsvMapping(path, choices);
    const lines = (await describeCsv(path, mapping)).map((line) => line.replaceAll(path, 'FILE'));
    const reading = openCsv(path, mapping);
    return { lines, skipped: reading.skipped, ...(await readAll(reading)) };
  });
}

const PLAIN = `Name,Type,Latitude,Longitude,Phone,Website,Opening hours,City
Da Gino,Italian restaurant,35.9,14.5,+356 2133 0000,https://gino.example,Mo-Fr 12:00-22:00,Sliema
"Bar ""Blu"", il vecchio",bar,35.91,14.51,,,,Valletta
`;

test('a table with usual headers is read without further words', async () => {
  const { places, lines, skipped } = await read(PLAIN);
  assert.deepEqual(
    places.map(({ name, vertical, categories, lat, lng, city }) => [
      name,
      vertical,
      categories,
      lat,
      lng,
      city,
    ]),
    [
      ['Da Gino', 'restaurant', ['italian_restaurant'], 35.9, 14.5, 'Sliema'],
      ['Bar "Blu", il vecchio', 'bar', ['bar'], 35.91, 14.51, 'Valletta'],
    ],
  );
  assert.deepEqual(
    [places[0]?.phone, places[0]?.website, places[0]?.hours_text, places[0]?.cuisine],
    ['+35621330000', 'https://gino.example', 'Mo-Fr 12:00-22:00', ['italian']],
  );
  assert.equal(skipped?.count, 0);
  assert.equal(lines[0], 'FILE: 8 columns, separated by ",", in utf-8.');
  assert.ok(lines.includes('  addr:city = City'), lines.join('\n'));
  assert.match(lines.at(-2) ?? '', /^Line 2: name: Da Gino \| /);
});

test('a table of a German spreadsheet is read: semicolons, decimal commas, Windows letters, hours by day', async () => {
  const text =
    'Bezeichnung;Breite;Länge;Straße;Hausnummer;PLZ;Ort;Telefon;Montag;Dienstag;Sonntag\r\n' +
    'Café Müller;47,14;9,52;Hauptstraße;3;9490;Vaduz;+423 232 00 00;9:00-12:00, 14-18:30 Uhr;9 bis 17;geschlossen\r\n';
  const { places, lines } = await read(Buffer.from(text, 'latin1'));
  const [place] = places;
  assert.deepEqual(
    [place?.name, place?.lat, place?.lng, place?.address, place?.postcode, place?.city],
    ['Café Müller', 47.14, 9.52, 'Hauptstraße 3', '9490', 'Vaduz'],
  );
  assert.equal(place?.hours_text, 'Mo 09:00-12:00,14:00-18:30; Tu 09:00-17:00; Su off');
  assert.equal(lines[0], 'FILE: 11 columns, separated by ";", in windows-1252.');
});

test('marks of encodings, tabs, quoted line breaks and gzip make no difference', async () => {
  const text = 'name\tlat\tlng\tdescription\n"Ada"\t1.5\t2.5\t"two\nlines"\n"Bea"\t1.6\t2.6\t\n';
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
  for (const content of [Buffer.from(`\ufeff${text}`), utf16, gzipSync(text)]) {
    const { places, skipped } = await read(content);
    assert.deepEqual(
      places.map(({ name, lat, lng }) => [name, lat, lng]),
      [
        ['Ada', 1.5, 2.5],
        ['Bea', 1.6, 2.6],
      ],
    );
    assert.equal(places[0]?.facts.description, 'two lines');
    assert.equal(skipped?.count, 0);
  }
});

test('a position may be one column, and degrees may have a direction', async () => {
  const { places } = await read('name;gps;lat;lng\nA;"-33.85, 151.2";;\nB;;33.85 S;151,2°E\n');
  assert.deepEqual(
    places.map(({ lat, lng }) => [lat, lng]),
    [
      [-33.85, 151.2],
      [-33.85, 151.2],
    ],
  );
});

test('columns of other names are given with --map, and a guess can be left out', async () => {
  const table = 'Label,Note,A,B,Kind\nDa Gino,closed on Mondays,35.9,14.5,bar\n';
  await assert.rejects(read(table), (error: unknown) => {
    assert.ok(error instanceof ImportFileError);
    assert.match(
      error.message,
      /no column was recognized for name and lat and lng\. Its columns are: Label, Note, A, B, Kind\./,
    );
    return true;
  });
  const { places } = await read(table, { map: 'name=label, lat=A,lng=B,category=' });
  assert.deepEqual([places[0]?.name, places[0]?.lat, places[0]?.vertical], ['Da Gino', 35.9, 'other']);
  await assert.rejects(read(table, { map: 'name=Title,lat=A,lng=B' }), /--map: .* has no column "Title"/);
  await assert.rejects(read(table, { map: 'label=Label' }), /--map: "label" is not a field/);
});

test('lines that cannot be used are skipped and listed with their numbers', async () => {
  const { places, skipped, counts } = await read(
    'name,lat,lng\nA,1,2\n,1,2\nB,north,2\n"C\nD",1,2\nE,1,2,3,4\nF,95,2\nG,,\nH,3,4\n',
  );
  assert.deepEqual(
    places.map(({ name }) => name),
    ['A', 'C D', 'H'],
  );
  assert.deepEqual(skipped?.examples, [
    'line 3: it has no name',
    'line 4: "north, 2" is no position',
    'line 7: it has 5 values for 3 columns',
    'line 8: "95, 2" is no position',
    'line 9: it has no position',
  ]);
  assert.deepEqual([counts.unnamed, counts.without_position], [1, 3]);
});

test('a place that the table calls closed is closed', async () => {
  const { places } = await read(
    'name,category,lat,lng,status,updated\nA,bar,1,2,Permanently closed,2024-05-01\nB,bar,1,2,open,2024-05-01\n',
  );
  assert.deepEqual(
    places.map(({ closed }) => closed),
    [
      {
        note: 'Marked as disused in the map: status=Permanently closed.',
        observed_at: new Date('2024-05-01T00:00:00Z'),
      },
      null,
    ],
  );
});

test('a status that is a number or a yes, and a closing date to come, close nothing', async () => {
  const { places } = await read(
    'name,lat,lng,status,date closed\nA,1,2,1,\nB,1,2,true,\nC,1,2,yes,\nD,1,2,,2999-01-01\nE,1,2,closed,\nF,1,2,1,2020-01-01\n',
  );
  assert.deepEqual(
    places.filter(({ closed }) => closed !== null).map(({ name }) => name),
    ['E', 'F'],
  );
});

test('a first time without am or pm is the last one before the second; unclear times stay as they are', async () => {
  for (const [given, expected] of [
    ['5–10 PM', '17:00-22:00'],
    ['9-5 pm', '09:00-17:00'],
    ['11 – 2 AM', '23:00-02:00'],
    ['12-5 p.m.', '12:00-17:00'],
    ['8:30-8:45 pm', '20:30-20:45'],
    ['10-12 AM', '22:00-00:00'],
    ['8-8 PM', '08:00-20:00'],
    ['17-10 PM', '17:00-22:00'],
    ['12-3 PM, 5-10 PM', '12:00-15:00,17:00-22:00'],
    ['5 PM-10', '5 PM-10'],
    ['12-3, 5-10 PM', '12-3, 5-10 PM'],
    ['9-17', '09:00-17:00'],
  ] as const) {
    const { places } = await read(`name;lat;lng;monday\nA;1;2;${given}\n`);
    assert.equal(places[0]?.hours_text, `Mo ${expected}`, given);
  }
});

test('a row without an end is refused, because the rows after it cannot be read', async () => {
  const rows = Array.from({ length: 90_000 }, (_, at) => `Place ${at},1,2\n`).join('');
  await assert.rejects(read(`name,lat,lng\nA,1,2\n"B,1,2\n${rows}C,"1,2\n`), (error: unknown) => {
    assert.ok(error instanceof ImportFileError, String(error));
    assert.match(error.message, /longer than a million characters\. A quotation mark/);
    return true;
  });
});

const GOOGLE_HEADER =
  'Store code,Business name,Address line 1,Address line 2,Address line 3,Address line 4,Address line 5,Sub-locality,' +
  'Locality,Administrative area,Country / Region,Postal code,Latitude,Longitude,Primary phone,Additional phones,Website,' +
  'Primary category,Additional categories,Sunday hours,Monday hours,Tuesday hours,Wednesday hours,Thursday hours,' +
  'Friday hours,Saturday hours,Special hours,From the business,Opening date,Logo photo,Cover photo,Other photos,Labels';

test('an export of Google Business Profile is recognized by its header', async () => {
  const row =
    'GINO1,Da Gino,12 Tower Road,,,,,,Sliema,,MT,SLM 1600,35.912,14.504,+356 2133 0000,,https://gino.example/,' +
    'Italian restaurant,Bar,x,09:00-17:00,09:00-17:00,"09:00-12:00, 14:00-22:00",9:00 AM-11:30 PM,00:00-24:00,x,' +
    '"2026-12-24: 09:00-13:00, 2026-12-25: x",Pasta since 1970.,1970-03-01,,,,';
  const { places, lines } = await read(`${GOOGLE_HEADER}\n${row}\n`);
  const [place] = places;
  assert.equal(lines[0], 'FILE is an export of Google Business Profile.');
  assert.deepEqual(
    [
      place?.source_ref,
      place?.name,
      place?.vertical,
      place?.address,
      place?.city,
      place?.country,
      place?.postcode,
    ],
    ['google/GINO1', 'Da Gino', 'restaurant', '12 Tower Road', 'Sliema', 'MT', 'SLM 1600'],
  );
  assert.equal(
    place?.hours_text,
    'Mo 09:00-17:00; Tu 09:00-17:00; We 09:00-12:00,14:00-22:00; Th 09:00-23:30; Fr 00:00-24:00; Sa off; Su off; ' +
      '2026 Dec 24 09:00-13:00; 2026 Dec 25 off',
  );
  assert.deepEqual([place.phone, place.closed], ['+35621330000', null]);
});

test('a file that is no table is refused with a sentence', async () => {
  for (const content of [
    '',
    'one column\nonly\n',
    '{"type":"FeatureCollection","features":[]}',
    gzipSync(''),
  ]) {
    await assert.rejects(read(content), (error: unknown) => {
      assert.ok(error instanceof ImportFileError, String(error));
      return true;
    });
  }
});
