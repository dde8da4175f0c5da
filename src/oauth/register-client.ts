import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Deps } from '../core/context.ts';
import { AppError } from '../core/errors.ts';
import { line, text } from '../core/text/text.ts';
import { visibleMembers } from '../core/text/visible-text.ts';
import { takeFromWindow } from '../metering/rate-window.ts';
import { adaptMetadata, redirectKind } from './client-metadata.ts';
import { addClient } from './storage/client-store.ts';

const HOUR_MS = 3_600_000;

const webAddress = text(1, 2000).refine(
  (value) => /^https?:\/\//i.test(value) && URL.canParse(value),
  'must be a web address',
);

/** What is kept of a registration; everything else that RFC 7591 knows is passed over, as it may be. */
const metadataSchema = z.object({
  redirect_uris: z
    .array(
      text(1, 2000).refine(
        (uri) => redirectKind(uri) !== 'refused',
        'must be https, a loopback address or the scheme of an app, without a fragment',
      ),
    )
    .min(1, 'must name at least one address')
    .max(20, 'must name at most 20 addresses'),
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

/** A refusal in the words of RFC 7591. */
export class RegistrationError extends Error {
  readonly error: 'invalid_redirect_uri' | 'invalid_client_metadata';

  constructor(error: RegistrationError['error'], message: string) {
    super(message);
    this.name = 'RegistrationError';
    this.error = error;
  }
}

/** Registers a client that nobody vouches for. It opens nothing until a person connects it. */
export async function registerClient(
  deps: Deps,
  body: unknown,
  address: string,
): Promise<Record<string, unknown>> {
  await takeRegistration(deps, address);
  const metadata = readMetadata(body);
  const now = deps.clock.now();
  const id = deps.newId('ocl');
  // A secret is made only for a client that asks for one: most of them could not keep it.
  const method = metadata['token_endpoint_auth_method'];
  const secret = method === 'none' ? undefined : randomBytes(32).toString('base64url');
  const issued = { ...metadata, client_id_issued_at: Math.floor(now.getTime() / 1000) };
  await deps.pool.begin((sql) =>
    addClient(sql, deps.secrets.oauth, { id, metadata: issued, secret, from: address, now }),
  );
  return {
    client_id: id,
    ...issued,
    ...(secret !== undefined && { client_secret: secret, client_secret_expires_at: 0 }),
  };
}

async function takeRegistration(deps: Deps, address: string): Promise<void> {
  const max = deps.config.registrationsPerHour;
  const limit = { name: `oauth_register/${address}`, max, windowMs: HOUR_MS };
  const taken = await takeFromWindow(deps.pool, limit, deps.clock.now());
  if (taken.allowed) return;
  throw new AppError('rate_limited', 'Too many clients were registered from this address.', {
    hint: 'Keep the client_id that you were given: it can be used again.',
    retryAfterSeconds: taken.resetsInSeconds,
    violatedPolicies: ['registrations'],
  });
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
  // Many clients name the default of the specification without meaning it; they are told what they get instead.
  metadata['token_endpoint_auth_method'] = method === 'client_secret_basic' ? 'client_secret_post' : method;
  if (!['none', 'client_secret_post'].includes(String(metadata['token_endpoint_auth_method'])))
    throw new RegistrationError(
      'invalid_client_metadata',
      'token_endpoint_auth_method must be none or client_secret_post',
    );
  return metadata;
}
