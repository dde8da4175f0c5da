import { toolCall } from '../client.ts';
import type { Random } from '../random.ts';
import type { World } from '../world.ts';

/** A traveller opens a page, and programs list destinations and search: nobody repeats what was not answered. */
export async function readSome({ client, places }: World, random: Random): Promise<void> {
  await client.read('destinations', '/api/agent/destinations?country=ID');
  await client.read('page of a place', `/p/${random.pick(places.mail) ?? ''}`, {
    headers: { accept: 'text/html' },
  });
  const search = toolCall('search_places', { destination: 'bali', query: 'Warung' });
  await client.read('search', '/api/partner/mcp', search);
}
