import { openSession } from '../../../src/accounts/sign-in/session.ts';
import type { TestService } from '../service/service.ts';
import { FormClient } from './staff.ts';

/** A venue that has claimed its listing and is signed in, as a browser without pictures. */
export async function signInVenue(service: TestService, placeId: string): Promise<FormClient> {
  const { deps } = service.app;
  const now = deps.clock.now();
  await deps.pool`
    insert into venue_claim (place_id, channel, contact, claimed_at)
    values (${placeId}, 'mail', 'owner@venue.example', ${now}) on conflict do nothing`;
  const cookie = await openSession({ deps, db: deps.pool, now }, 'venue', placeId);
  const client = new FormClient(service);
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
  client.cookies.set(name, value);
  return client;
}
