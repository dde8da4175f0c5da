import { createHash, timingSafeEqual } from 'node:crypto';
import type { Deps } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import { seal, unseal } from '../../core/secret/seal.ts';
import { BookingServer } from './booking-server.ts';

/** Connection to a venue's own booking system, as staff see it: without the password. */
export interface VenueConnector {
  baseUrl: string;
  merchantId: string;
  serviceId: string;
  username: string;
  durationSec: number;
  /** True when the venue agreed to get the desk's contact instead of the guest's; without it the system is not used. */
  acceptsDeskContact: boolean;
  enabled: boolean;
}

export async function findConnector(db: Db, placeId: string): Promise<VenueConnector | undefined> {
  const [row] = await db<VenueConnector[]>`
    select base_url as "baseUrl", merchant_id as "merchantId", service_id as "serviceId", username,
           duration_sec as "durationSec", accepts_desk_contact as "acceptsDeskContact", enabled
    from venue_connector where place_id = ${placeId}`;
  return row;
}

export interface OpenConnector {
  server: BookingServer;
  durationSec: number;
}

export async function openConnector(
  deps: Deps,
  placeId: string,
  db: Db = deps.pool,
): Promise<OpenConnector | undefined> {
  const connector = await findConnector(db, placeId);
  if (connector === undefined || !connector.enabled || !connector.acceptsDeskContact) return undefined;
  const password = await passwordOf(deps, placeId, db);
  if (password === undefined) return undefined;
  const { durationSec, ...access } = connector;
  const server = new BookingServer(deps.egress, { ...access, password }, (leave) =>
    deps.killSwitchGate.letOut('venue_system', db, leave),
  );
  return { server, durationSec };
}

async function passwordOf(deps: Deps, placeId: string, db: Db): Promise<string | undefined> {
  const [row] = await db<{ password: Buffer }[]>`
    select password from venue_connector where place_id = ${placeId}`;
  return row && unseal(deps.secrets.connector, placeId, row.password).toString('utf8');
}

/** True when an Authorization header has the credentials that we share with the system of this place. */
export async function isConnectorCredential(
  deps: Deps,
  placeId: string,
  authorization: string | undefined,
): Promise<boolean> {
  const connector = await findConnector(deps.pool, placeId);
  const password = await passwordOf(deps, placeId, deps.pool);
  if (connector === undefined || !connector.enabled || password === undefined) return false;
  const expected = `Basic ${Buffer.from(`${connector.username}:${password}`).toString('base64')}`;
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(authorization ?? ''), digest(expected));
}

/** Creates or changes a connector. Without a password, the stored one is kept. */
export async function setConnector(
  db: Db,
  { key, now }: { key: Buffer; now: Date },
  placeId: string,
  { password, ...connector }: VenueConnector & { password: string | undefined },
): Promise<'set' | 'password_needed'> {
  const sealed = password === undefined ? null : seal(key, placeId, Buffer.from(password));
  const { baseUrl, merchantId, serviceId, username, durationSec, acceptsDeskContact, enabled } = connector;
  if (sealed === null) {
    const changed = await db`
      update venue_connector set base_url = ${baseUrl}, merchant_id = ${merchantId}, service_id = ${serviceId},
        username = ${username}, duration_sec = ${durationSec}, accepts_desk_contact = ${acceptsDeskContact},
        enabled = ${enabled}, updated_at = ${now}
      where place_id = ${placeId} returning 1`;
    return changed.length === 1 ? 'set' : 'password_needed';
  }
  await db`
    insert into venue_connector (place_id, base_url, merchant_id, service_id, username, password, duration_sec,
                                 accepts_desk_contact, enabled, created_at, updated_at)
    values (${placeId}, ${baseUrl}, ${merchantId}, ${serviceId}, ${username}, ${sealed}, ${durationSec},
            ${acceptsDeskContact}, ${enabled}, ${now}, ${now})
    on conflict (place_id) do update set
      base_url = excluded.base_url, merchant_id = excluded.merchant_id, service_id = excluded.service_id,
      username = excluded.username, password = excluded.password, duration_sec = excluded.duration_sec,
      accepts_desk_contact = excluded.accepts_desk_contact, enabled = excluded.enabled,
      updated_at = excluded.updated_at`;
  return 'set';
}

export async function removeConnector(db: Db, placeId: string): Promise<boolean> {
  return (await db`delete from venue_connector where place_id = ${placeId} returning 1`).length === 1;
}
