import { randomBytes } from 'node:crypto';
import type { OperationDeps } from '../core/context.ts';
import type { Db } from '../core/postgres/db.ts';
import { seal, unseal } from '../core/secret/seal.ts';
import type { DeliveryError } from './delivery-state.ts';
import { HOUR_MS } from '../core/time.ts';

const SECRET_BYTES = 32;
const SECRET_PREFIX = 'whsec_';
/** How much of a secret is shown later, so that a person can tell which one it is. */
const SHOWN_LENGTH = SECRET_PREFIX.length + 4;
/** How long the secret before a rotation goes on signing beside the new one. */
const OVERLAP_MS = 24 * HOUR_MS;

export interface Endpoint {
  partner_id: string;
  url: string;
  sealed_secret: Buffer;
  sealed_previous: Buffer | null;
  previous_until: Date | null;
  disabled_reason: 'disabled_by_receiver' | null;
  created_at: Date;
}

export function findEndpoint(db: Db, partnerId: string): Promise<Endpoint | undefined> {
  return readEndpoint(db, partnerId, false);
}

/** The same for whoever changes it, or counts what is under way to it: all of them take turns here. */
export function lockEndpoint(db: Db, partnerId: string): Promise<Endpoint | undefined> {
  return readEndpoint(db, partnerId, true);
}

async function readEndpoint(db: Db, partnerId: string, lock: boolean): Promise<Endpoint | undefined> {
  const [endpoint] = await db<Endpoint[]>`
    select partner_id, url, sealed_secret, sealed_previous, previous_until, disabled_reason, created_at
    from webhook_endpoint where partner_id = ${partnerId} ${lock ? db`for update` : db``}`;
  return endpoint;
}

interface Change {
  partnerId: string;
  url: string;
  rotate: boolean;
  now: Date;
}

/**
 * Registers an address, or changes it. A secret is made for a partner that has none, for an address that is not the one
 * before, and when asked for; it is returned this once. An endpoint that its receiver had closed is open again.
 */
export async function setEndpoint(
  deps: OperationDeps,
  db: Db,
  { partnerId, url, rotate, now }: Change,
): Promise<{ secret: string | null; createdAt: Date }> {
  const held = await lockEndpoint(db, partnerId);
  if (held?.url === url && !rotate) {
    await db`
      update webhook_endpoint set disabled_reason = null, changed_at = ${now} where partner_id = ${partnerId}`;
    return { secret: null, createdAt: held.created_at };
  }
  const secret = randomBytes(SECRET_BYTES);
  const sealed = sealFor(deps, partnerId, secret);
  // Another address is another receiver: the old secret has no business there.
  const previous = held?.url === url ? held.sealed_secret : null;
  const previousUntil = previous === null ? null : new Date(now.getTime() + OVERLAP_MS);
  await db`
    insert into webhook_endpoint (partner_id, url, sealed_secret, created_at, changed_at)
    values (${partnerId}, ${url}, ${sealed}, ${now}, ${now})
    on conflict (partner_id) do update set url = ${url}, sealed_secret = ${sealed}, sealed_previous = ${previous},
      previous_until = ${previousUntil}, disabled_reason = null, changed_at = ${now}`;
  return { secret: secretText(secret), createdAt: held?.created_at ?? now };
}

/** Forgets an address. What has not been delivered there never will be. */
export async function removeEndpoint(db: Db, partnerId: string, now: Date): Promise<void> {
  await lockEndpoint(db, partnerId);
  await db`delete from webhook_endpoint where partner_id = ${partnerId}`;
  await giveUpWaiting(db, partnerId, 'endpoint_removed', now);
}

/** Heeds a receiver that wants no more, until its partner registers it again. */
export async function disableEndpoint(db: Db, partnerId: string, now: Date): Promise<void> {
  await db`
    update webhook_endpoint set disabled_reason = 'disabled_by_receiver', changed_at = ${now}
    where partner_id = ${partnerId}`;
  await giveUpWaiting(db, partnerId, 'endpoint_disabled', now);
}

/** An attempt that is under way is left to end as it will. */
async function giveUpWaiting(db: Db, partnerId: string, error: DeliveryError, now: Date): Promise<void> {
  await db`
    update webhook_delivery set state = 'given_up', error = ${error}, next_attempt_at = null, leased_until = null,
      held = false, finished_at = ${now}
    where partner_id = ${partnerId} and state = 'pending' and (leased_until is null or leased_until <= ${now})`;
}

/** The secrets that sign now, the newest first. */
export function signingSecrets(deps: OperationDeps, endpoint: Endpoint, now: Date): Buffer[] {
  const { partner_id: partnerId, sealed_secret, sealed_previous, previous_until } = endpoint;
  const sealed = [sealed_secret];
  if (sealed_previous !== null && previous_until !== null && previous_until > now)
    sealed.push(sealed_previous);
  return sealed.map((one) => unseal(deps.secrets.webhooks, ownerOf(partnerId), one));
}

/** The beginning of the secret, which opens nothing. */
export function secretHint(deps: OperationDeps, endpoint: Endpoint, now: Date): string {
  const [secret] = signingSecrets(deps, endpoint, now);
  return `${secretText(secret ?? Buffer.alloc(0)).slice(0, SHOWN_LENGTH)}…`;
}

function secretText(secret: Buffer): string {
  return SECRET_PREFIX + secret.toString('base64');
}

function sealFor({ secrets }: OperationDeps, partnerId: string, secret: Buffer): Buffer {
  return seal(secrets.webhooks, ownerOf(partnerId), secret);
}

function ownerOf(partnerId: string): string {
  return `webhook:${partnerId}`;
}
