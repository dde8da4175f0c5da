import { toolCall } from '../client.ts';
import type { Random } from '../random.ts';
import type { World } from '../world.ts';

/** Travellers open pages, and programs list, search and read places: nobody repeats what was not answered. */
export async function readSome({ client, places, reader }: World, random: Random): Promise<void> {
  const placeId = random.pick(places.mail) ?? '';
  const page = { headers: { accept: 'text/html' } };
  const key = { headers: { authorization: `Bearer ${reader.apiKey}` } };
  const search = toolCall('search_places', { destination: 'bali', query: 'Warung' });
  await client.read('destinations', '/api/agent/destinations?country=ID');
  await client.read('page of a place', `/p/${placeId}`, page);
  await client.read('search', '/api/partner/mcp', search);
  // The others need not happen as often.
  const [name, path, init] = random.pick([
    ['home page', '/', page],
    ['search on the home page', '/?q=Warung', page],
    ['page of a destination', '/d/bali?q=Warung', page],
    ['search with a key', '/api/agent/search?q=Warung&city=bali', key],
    ['place with a key', `/api/agent/business/${placeId}`, key],
    ['feed', '/api/partner/mcp', toolCall('directory_feed', { destination: 'bali' })],
  ] as const) ?? ['home page', '/', page];
  await client.read(name, path, init);
}
