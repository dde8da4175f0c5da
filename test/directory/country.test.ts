import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { COUNTRY_NAMES_FILE, countryName, readCountry } from '../../src/directory/country/country.ts';
import { cldrNames, makeCountryNames } from '../../src/directory/country/make-country-names.ts';
import { callTool } from '../harness/clients/call-tool.ts';
import { PARTNER_MCP } from '../harness/people/partner.ts';
import { signUpAgent } from '../harness/service/service.ts';
import { sharedService } from '../harness/service/shared-service.ts';

test('the names of countries are what their sources give: npm run countries writes them anew', () => {
  assert.equal(readFileSync(COUNTRY_NAMES_FILE, 'utf8'), makeCountryNames());
});

test('every English name of a country that Unicode CLDR knows is that country', () => {
  const names = cldrNames();
  assert.ok(names.size >= 249);
  for (const [code, all] of names)
    for (const name of all)
      for (const written of [name, name.toUpperCase(), ` ${name} `, name.replaceAll('’', "'")])
        assert.equal(readCountry(written), code, written);
});

test('a country is called as a traveller would say it', () => {
  const named = new Intl.DisplayNames(['en'], { type: 'region' });
  for (const code of ['VN', 'TR', 'CI', 'ID', 'US', 'MM']) assert.equal(countryName(code), named.of(code));
  assert.equal(countryName('HK'), 'Hong Kong');
});

const APOSTROPHES = "' ’ ‘ ‛ ′ ´ ` ʼ ʻ ˈ ＇ ꞌ".split(' ');

test('other spellings are the same country, and a name of two countries is none', () => {
  for (const mark of [...APOSTROPHES, '', ' '])
    for (const first of ['Côte', 'Cote', 'COTE'])
      assert.equal(readCountry(`${first} d${mark}Ivoire`), 'CI', `${first} d${mark}Ivoire`);
  for (const [name, code] of [
    ['Viet Nam', 'VN'],
    ['Principauté de Monaco', 'MC'],
    ['Republic of Italy', 'IT'],
    ['viet-nam', 'VN'],
    ['VNM', 'VN'],
    ['The Bahamas', 'BS'],
    ['Trinidad and Tobago', 'TT'],
    ['Saint Lucia', 'LC'],
    ['UK', 'GB'],
    ['U.S.A.', 'US'],
    ['Turkey', 'TR'],
    ['Burma', 'MM'],
    ['id', 'ID'],
  ] as const)
    assert.equal(readCountry(name), code, name);
  for (const name of ['Congo', 'Korea', 'Atlantis', '', 'x', 'ZZ'])
    assert.equal(readCountry(name), undefined);
});

test('a country is taken by any of its names wherever one is taken', async () => {
  const service = await sharedService({ demoPlaces: 300 });
  const { apiKey } = await signUpAgent(service);
  const authorization = `Bearer ${apiKey}`;
  const get = async (path: string) =>
    (await (await service.request(path, { headers: { authorization } })).json()) as {
      destinations?: { country: string }[];
      places?: { country: string }[];
      query?: { country: string };
    };
  const destinations = async (query: string) =>
    (await get(`/api/agent/destinations?${query}`)).destinations?.map(({ country }) => country) ?? [];
  const vietnamese = await destinations('country=VN');
  assert.ok(vietnamese.length > 0);
  for (const query of ['country=Viet%20Nam', 'country=vietnam', 'query=Viet%20Nam'])
    assert.deepEqual(await destinations(query), vietnamese, query);
  const { destinations: told } = await callTool<{ destinations: unknown[] }>(
    service,
    PARTNER_MCP,
    'list_destinations',
    { country: 'Viet Nam' },
  );
  assert.equal(told.length, vietnamese.length);
  for (const query of ['country=Viet%20Nam', 'city=Viet%20Nam', 'location=Vietnam']) {
    const { places = [], query: understood } = await get(`/api/agent/search?${query}`);
    assert.ok(places.length > 0 && places.every(({ country }) => country === 'VN'), query);
    assert.equal(understood?.country, 'VN');
  }
  const response = await service.request('/api/agent/business', {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({
      relationship: 'owner',
      name: 'Maquis',
      country: 'Côte dʼIvoire',
      city: 'Abidjan',
    }),
  });
  assert.equal(response.status, 201);
  const { submission_id } = (await response.json()) as { submission_id: string };
  const [row] = await service.database.pool<{ country: string }[]>`
    select content->>'country' as country from submission_revision where submission_id = ${submission_id}`;
  assert.equal(row?.country, 'CI');
});
