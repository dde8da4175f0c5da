import { hash } from 'node:crypto';
import { z } from 'zod';
import type { Ctx } from '../core/context.ts';
import { AppError } from '../core/errors.ts';
import type { Db } from '../core/postgres/db.ts';
import { newToken } from '../core/secret/token.ts';
import type { AddressGroup } from '../core/text/address-group.ts';
import { line, text } from '../core/text/text.ts';
import { HOUR_MS } from '../core/time.ts';
import { takeFromWindow } from '../metering/rate-window.ts';
import { visibleMembers } from '../core/text/visible-text.ts';
import { adaptMetadata } from './client-metadata.ts';
import { redirectKind } from './redirect-uri.ts';
import { addClient, findSameClient } from './storage/client-store.ts';

const webAddress = text(1, 2000).refine(
  (value) => /^https?:\/\//i.test(value) && URL.canParse(value),
  'must be a web address',
);

/** Stored members of a registration; other members of RFC 7591 are ignored, as it permits. */
const metadataSchema = z.object({
  redirect_uris: z
    .array(
      text(1, 2000).refine(
        (uri) => redirectKind(uri) !== 'refused',
        'must be https, http on a loopback address, a scheme that is your domain in reverse (com.example.app:/callback), or the callback of a known host such as cursor: or vscode:; without a fragment or a password',
      ),
    )
    .min(1, 'must contain at least one address')
    .max(20, 'must contain at most 20 addresses'),
  client_name: line(0, 200).optional(),
  client_uri: webAddress.optional(),
  logo_uri: webAddress.optional(),
  tos_uri: webAddress.optional(),
  policy_uri: webAddress.optional(),
  grant_types: z.array(z.string()).optional(),
  response_types: z.array(z.string()).optional(),
  token_endpoint_auth_method: z.string().optional(),
  software_id: text(0, 200).optional(),
  software_version: text(0, 200).optional(),
});

export class RegistrationError extends Error {
  readonly error: 'invalid_redirect_uri' | 'invalid_client_metadata';

  constructor(error: RegistrationError['error'], message: string) {
    super(message);
    this.name = 'RegistrationError';
    this.error = error;
  }
}

/** Web hosts that register a client for every connector from few addresses get SHARED_HOST_FACTOR times the limit. */
const SHARED_HOSTS = ['chatgpt.com', 'claude.ai', 'claude.com', 'cursor.com', 'vscode.dev'];
const SHARED_HOST_FACTOR = 30;

interface Registered {
  client: Record<string, unknown> & { client_id: string };
  /** False when the same client was registered before. */
  created: boolean;
}

/** Registers an unverified client. Identical public clients share an id (RFC 7591, 3.2.1) and one row. */
export async function registerClient(
  tx: Db,
  { deps, now, newId }: Pick<Ctx, 'deps' | 'now' | 'newId'>,
  body: unknown,
  address: AddressGroup,
): Promise<Registered> {
  const metadata = readMetadata(body);
  // A secret is created only for a client that requests one: most of them could not keep it.
  const isPublic = metadata['token_endpoint_auth_method'] === 'none';
  const fingerprint = isPublic ? fingerprintOf(metadata) : undefined;
  const existing = fingerprint && (await findSameClient(tx, fingerprint, now));
  if (existing !== undefined) return { client: existing, created: false };
  const id = newId('ocl');
  const secret = isPublic ? undefined : newToken();
  const issued = { ...metadata, client_id_issued_at: Math.floor(now.getTime() / 1000) };
  const added = await addClient(tx, deps.secrets.oauth, {
    id,
    metadata: issued,
    secret,
    fingerprint,
    from: address,
    now,
  });
  // Of two simultaneous identical registrations, one finds the client of the other and is not charged.
  if (!added && fingerprint !== undefined) {
    const same = await findSameClient(tx, fingerprint, now);
    if (same !== undefined) return { client: same, created: false };
  }
  await chargeRegistration(tx, deps.config.registrationsPerHour, metadata, address, now);
  const withSecret = secret === undefined ? {} : { client_secret: secret, client_secret_expires_at: 0 };
  return { client: { client_id: id, ...issued, ...withSecret }, created: true };
}

function fingerprintOf(metadata: Record<string, unknown>): Buffer {
  const members = Object.entries(metadata).sort(([one], [other]) => (one < other ? -1 : 1));
  return hash('sha256', JSON.stringify(members), 'buffer');
}

/** Charges the rate limit, because each registration is a row until it is no longer needed. */
async function chargeRegistration(
  tx: Db,
  perHour: number,
  { redirect_uris: uris }: Record<string, unknown>,
  address: AddressGroup,
  now: Date,
): Promise<void> {
  const hosts = (uris as string[]).map((uri) => (uri.startsWith('https:') ? new URL(uri).hostname : ''));
  const [shared] = SHARED_HOSTS.filter((host) =>
    hosts.every((one) => one === host || one.endsWith(`.${host}`)),
  );
  const limit =
    shared === undefined
      ? { name: `registrations/address:${address}`, max: perHour }
      : { name: `registrations/${shared}/address:${address}`, max: perHour * SHARED_HOST_FACTOR };
  const { allowed, resetsInSeconds } = await takeFromWindow(tx, { ...limit, windowMs: HOUR_MS }, now);
  if (allowed) return;
  throw new AppError(
    'rate_limited',
    'Too many different clients were registered from this address. Reuse the client_id that you were given.',
    { retryAfterSeconds: resetsInSeconds },
  );
}

function readMetadata(body: unknown): Record<string, unknown> {
  const parsed = metadataSchema.safeParse(visibleMembers(body));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const [field = ''] = issue?.path ?? [];
    throw new RegistrationError(
      field === 'redirect_uris' ? 'invalid_redirect_uri' : 'invalid_client_metadata',
      `${field === '' ? 'The body' : String(field)} ${issue?.message ?? 'cannot be read'}`,
    );
  }
  const metadata: Record<string, unknown> = { ...parsed.data };
  adaptMetadata(metadata);
  const method = parsed.data.token_endpoint_auth_method ?? 'none';
  // Many clients send the specification's default without meaning it; the response states what they get instead.
  metadata['token_endpoint_auth_method'] = method === 'client_secret_basic' ? 'client_secret_post' : method;
  if (!['none', 'client_secret_post'].includes(String(metadata['token_endpoint_auth_method'])))
    throw new RegistrationError(
      'invalid_client_metadata',
      'token_endpoint_auth_method must be none or client_secret_post',
    );
  return metadata;
}
