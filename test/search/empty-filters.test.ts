import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addNamedPlace } from '../directory/named-place.ts';
import { explainEmpty } from '../../src/search/empty-hint.ts';
import { searchPlaces } from '../../src/search/search-places.ts';
import { callTool } from '../harness/clients/call-tool.ts';
import { PARTNER_MCP } from '../harness/people/partner.ts';
import { SubmittingAgent } from '../harness/people/submissions.ts';
import { startTestService } from '../harness/service/service.ts';

const service = await startTestService();
const agent = await SubmittingAgent.signUp(service);
const at = { lat: -8.7, lng: 115.2 };
await addNamedPlace(service, { name: 'Warung Senja', slug: 'bali', areas: ['Jimbaran'], ...at });
await addNamedPlace(service, {
  name: 'Museum Senja',
  slug: 'bali',
  vertical: 'attraction',
  category: 'museum',
  ...at,
});

interface Empty {
  places: unknown[];
  hint?: string;
  understood?: { left_nothing?: string[] };
}

async function onA(query: string): Promise<Empty> {
  return (await agent.get<Empty & Record<string, unknown>>(`/api/agent/search?city=bali&${query}`)).body;
}

const onB = (input: Record<string, unknown>) =>
  callTool<Empty>(service, PARTNER_MCP, 'search_places', { destination: 'bali', ...input });

function assertNamed({ places, hint = '', understood }: Empty, names: string[], words: RegExp): void {
  assert.deepEqual(places, []);
  assert.deepEqual(understood?.left_nothing, names, hint);
  assert.match(hint, words);
}

test('an empty answer names the category that leaves nothing, and says what is found without it', async () => {
  const words = /category “sushi” leaves nothing; without it, 2 places match\./;
  assertNamed(await onA('category=sushi'), ['category'], words);
  assertNamed(await onB({ category: 'sushi' }), ['category'], words);
});

test('an empty answer names the wish that leaves nothing', async () => {
  const words = /wishes “wheelchair” leaves nothing; without it, 1 place matches\./;
  assertNamed(await onA('wishes=wheelchair&category=museum'), ['wishes'], words);
  assertNamed(await onB({ wishes: ['wheelchair'], category: 'museum' }), ['wishes'], words);
});

test('an empty answer names the radius that is too small, and the distance of the nearest match', async () => {
  const words =
    /radius_m “50” leaves nothing; the nearest match is 11\d\d m away, so send radius_m 11\d\d or more\./;
  assertNamed(await onA('near=-8.69,115.2&radius_m=50'), ['radius_m'], words);
  assertNamed(await onB({ near: { lat: -8.69, lng: 115.2, radius_m: 50 } }), ['radius_m'], words);
  assertNamed(
    await onA('near=60,10&radius_m=50'),
    ['near'],
    /near leaves nothing at any radius; without it, 2 places/,
  );
});

test('an empty answer names every other filter that leaves nothing', async () => {
  assertNamed(
    await onA('open_now=true'),
    ['open_now'],
    /open_now leaves nothing; without it, 2 places match/,
  );
  assertNamed(await onA('bbox=0,0,1,1'), ['bbox'], /bbox leaves nothing; without it, 2 places match/);
  assertNamed(await onB({ min_rating: 4 }), ['min_rating'], /min_rating “4” leaves nothing/);
  assertNamed(await onB({ price: '$' }), ['price'], /price “\$” leaves nothing/);
  assertNamed(await onB({ cuisine: 'thai' }), ['cuisine'], /cuisine “thai” leaves nothing/);
  assertNamed(
    await onA('category=museum&area=Jimbaran'),
    ['category', 'area'],
    /category.*without it, 1 place matches.*area/,
  );
  assertNamed(await onA('q=Warung&category=museum'), ['category', 'q'], /category “museum”.*q “Warung”/);
  const open = await callTool<Empty>(service, PARTNER_MCP, 'open_places', { destination: 'bali' });
  assert.match(open.hint ?? '', /at leaves nothing; without it, 2 places match/);
});

test('where no filter alone is responsible, all of them are named', async () => {
  const { hint, understood } = await onA('category=sushi&open_now=true&wishes=wheelchair');
  assert.match(hint ?? '', /Leave out several of: category, wishes, open_now\./);
  assert.equal(understood?.left_nothing, undefined);
});

test('a destination whose places are not counted yet is not called empty', () => {
  const { deps } = service.app;
  const bali = deps.destinations.current.destinations.find(({ slug }) => slug === 'bali');
  assert.ok(bali);
  const search = { destination: { ...bali, places: 0 }, category: 'sushi', limit: 10 };
  const names = { text: 'q', openAt: 'open_now' } as const;
  const { hint } = explainEmpty(deps, search, searchPlaces(deps, search), names);
  assert.match(hint, /category “sushi” leaves nothing; without it, 2 places match\./);
});
