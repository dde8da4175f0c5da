import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Ctx } from '../core/context.ts';
import type { Db } from '../core/postgres/db.ts';
import type { Ceiling } from '../core/operation.ts';
import type { AddressGroup } from '../core/text/address-group.ts';
import { line, text } from '../core/text/text.ts';
import { HOUR_MS } from '../core/time.ts';
import { visibleMembers } from '../core/text/visible-text.ts';
import { adaptMetadata } from './client-metadata.ts';
import { redirectKind } from './redirect-uri.ts';
import { addClient } from './storage/client-store.ts';

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
        'must be https, http on a loopback address, a scheme that is a domain of yours read backwards (com.example.app:/callback), or the callback of a known host such as cursor: or vscode:; without a fragment or a password',
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

/** Each registration is a row until nobody needs it any more. */
export const REGISTRATIONS: Ceiling = {
  name: 'registrations',
  code: 'rate_limited',
  windowMs: HOUR_MS,
  max: ({ config }) => config.registrationsPerHour,
  words:
    'Too many clients were registered from this address. Keep the client_id that you were given: it can be used again.',
  counts: 'calls',
};

/** Registers a client that nobody vouches for. It opens nothing until a person connects it. */
export async function registerClient(
  tx: Db,
  { deps, now, newId }: Pick<Ctx, 'deps' | 'now' | 'newId'>,
  body: unknown,
  address: AddressGroup,
): Promise<Record<string, unknown> & { client_id: string }> {
  const metadata = readMetadata(body);
  const id = newId('ocl');
  // A secret is made only for a client that asks for one: most of them could not keep it.
  const method = metadata['token_endpoint_auth_method'];
  const secret = method === 'none' ? undefined : randomBytes(32).toString('base64url');
  const issued = { ...metadata, client_id_issued_at: Math.floor(now.getTime() / 1000) };
  await addClient(tx, deps.secrets.oauth, { id, metadata: issued, secret, from: address, now });
  return {
    client_id: id,
    ...issued,
    ...(secret !== undefined && { client_secret: secret, client_secret_expires_at: 0 }),
  };
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
