import { randomBytes } from 'node:crypto';
import type { OperationDeps } from '../core/context.ts';
import type { Db } from '../core/postgres/db.ts';
import { seal, unseal } from '../core/secret/seal.ts';
import type { DeliveryError } from './delivery-state.ts';
import { HOUR_MS } from '../core/time.ts';

const SECRET_BYTES = 32;
const SECRET_PREFIX = 'whsec_';
/** Length of the part of a secret that is shown later, so that a person can recognise it. */
const SHOWN_LENGTH = SECRET_PREFIX.length + 4;
/** Period after a rotation in which the previous secret also signs. */
const OVERLAP_MS = 24 * HOUR_MS;

export interface WebhookEndpoint {
  partner_id: string;
  url: string;
  sealed_secret: Buffer;
  sealed_previous: Buffer | null;
  previous_until: Date | null;
  disabled_reason: 'disabled_by_receiver' | null;
  created_at: Date;
}

export function findEndpoint(db: Db, partnerId: string): Promise<WebhookEndpoint | undefined> {
  return readEndpoint(db, partnerId, false);
}

/** Reads and locks the endpoint, for changing it or counting its running deliveries; this serializes both. */
export function lockEndpoint(db: Db, partnerId: string): Promise<WebhookEndpoint | undefined> {
  return readEndpoint(db, partnerId, true);
}

async function readEndpoint(db: Db, partnerId: string, lock: boolean): Promise<WebhookEndpoint | undefined> {
  const [endpoint] = await db<WebhookEndpoint[]>`
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

/** Registers the URL. Returns a new secret only for a new partner or URL and on `rotate`. Re-enables the endpoint. */
export async function setEndpoint(
  deps: OperationDeps,
  db: Db,
  { partnerId, url, rotate, now }: Change,
): Promise<{ secret: string | null; createdAt: Date }> {
  const existing = await lockEndpoint(db, partnerId);
  if (existing?.url === url && !rotate) {
    await db`
      update webhook_endpoint set disabled_reason = null, changed_at = ${now} where partner_id = ${partnerId}`;
    return { secret: null, createdAt: existing.created_at };
  }
  const secret = randomBytes(SECRET_BYTES);
  const sealed = seal(deps.secrets.webhooks, ownerOf(partnerId), secret);
  // Another URL is another receiver, which must not get the old secret.
  const previous = existing?.url === url ? existing.sealed_secret : null;
  const previousUntil = previous === null ? null : new Date(now.getTime() + OVERLAP_MS);
  await db`
    insert into webhook_endpoint (partner_id, url, sealed_secret, created_at, changed_at)
    values (${partnerId}, ${url}, ${sealed}, ${now}, ${now})
    on conflict (partner_id) do update set url = ${url}, sealed_secret = ${sealed}, sealed_previous = ${previous},
      previous_until = ${previousUntil}, disabled_reason = null, changed_at = ${now}`;
  return { secret: secretText(secret), createdAt: existing?.created_at ?? now };
}

export async function removeEndpoint(db: Db, partnerId: string, now: Date): Promise<void> {
  await lockEndpoint(db, partnerId);
  await db`delete from webhook_endpoint where partner_id = ${partnerId}`;
  await giveUpWaiting(db, partnerId, 'endpoint_removed', now);
}

/** Disables the endpoint of a receiver that answered 410, until its partner registers it again. */
export async function disableEndpoint(db: Db, partnerId: string, now: Date): Promise<void> {
  await db`
    update webhook_endpoint set disabled_reason = 'disabled_by_receiver', changed_at = ${now}
    where partner_id = ${partnerId}`;
  await giveUpWaiting(db, partnerId, 'endpoint_disabled', now);
}

async function giveUpWaiting(db: Db, partnerId: string, error: DeliveryError, now: Date): Promise<void> {
  await db`
    update webhook_delivery set state = 'given_up', error = ${error}, next_attempt_at = null, leased_until = null,
      held = false, finished_at = ${now}
    where partner_id = ${partnerId} and state = 'pending' and (leased_until is null or leased_until <= ${now})`;
}

export function signingSecrets(deps: OperationDeps, endpoint: WebhookEndpoint, now: Date): Buffer[] {
  const { partner_id: partnerId, sealed_secret, sealed_previous, previous_until } = endpoint;
  const sealed = [sealed_secret];
  if (sealed_previous !== null && previous_until !== null && previous_until > now)
    sealed.push(sealed_previous);
  return sealed.map((one) => unseal(deps.secrets.webhooks, ownerOf(partnerId), one));
}

/** Returns the first characters of the secret, too few to sign with. */
export function secretHint(deps: OperationDeps, endpoint: WebhookEndpoint, now: Date): string {
  const [secret] = signingSecrets(deps, endpoint, now);
  return `${secretText(secret ?? Buffer.alloc(0)).slice(0, SHOWN_LENGTH)}…`;
}

function secretText(secret: Buffer): string {
  return SECRET_PREFIX + secret.toString('base64');
}

function ownerOf(partnerId: string): string {
  return `webhook:${partnerId}`;
}
