/** How far the time of a signature may be off. */
const TOLERANCE_MS = 300_000;
/** A request carries a few signatures at most; more are somebody's attempt to keep us busy. */
const SIGNATURES_MAX = 10;

export type BookingStatus =
  'sent' | 'asking' | 'offered' | 'confirmed' | 'declined' | 'no_answer' | 'cancelled';

/** A move of a booking. */
export interface BookingMove {
  booking_id: string;
  status: BookingStatus;
  previous_status: BookingStatus | null;
  /** True in `confirmed` and nowhere else. */
  booked: boolean;
  place_id: string;
  /** YYYY-MM-DD and HH:mm, local to the place. */
  date: string;
  time: string;
  /** The end of the window, until the venue has named one time. */
  time_until: string | null;
  party_size: number;
  revision: number;
  actor: 'partner' | 'venue' | 'venue_system' | 'desk' | 'service';
  reason: string | null;
  offer: {
    offer_id: string;
    date: string;
    time: string;
    party_size: number;
    note: string | null;
    expires_at: string;
  } | null;
  confirmation: { ref: string | null; at: string } | null;
  /** The venue's own page, where its system wants money that the service never pays. */
  link: { url: string; prefilled: { party_size: boolean; date: boolean; time: boolean } } | null;
  /** The choice of several venues that the booking belongs to; the position counts from 1. */
  choice: { choice_id: string; position: number; venues: number } | null;
  /** Set while the venue is full and the guest waits for a free table; ahead: how many joined before. */
  waiting: { since: string; until: string; ahead: number } | null;
  answer_by: string | null;
  timeline_head: { sequence: number; hash: string };
}

/** Coded messages about a confirmed table: a new one of the venue, or yours that it has seen. */
export interface BookingMessages {
  booking_id: string;
  status: BookingStatus;
  place_id: string;
  messages: {
    sender: 'partner' | 'venue';
    code: string;
    minutes: number | null;
    allergens: string[] | null;
    /** HH:mm, local to the place. */
    at: string | null;
    sent_at: string;
    seen_at: string | null;
  }[];
  timeline_head: { sequence: number; hash: string };
}

interface Told<Type extends string, Data> {
  /** The same at every attempt. */
  id: string;
  type: Type;
  timestamp: string;
  data: Data;
  attribution: string;
}

/** An event of a partner's webhook: a move of a booking, a coded message about it, or a test of the address. */
export type WebhookEvent =
  | (Told<`booking.${BookingStatus}`, BookingMove> & { event: BookingStatus; sequence: number })
  | (Told<'booking.message', BookingMessages> & { event: 'message'; sequence: number })
  | (Told<'webhook.test', Record<string, never>> & { event: 'test'; sequence: number });

/** A person's decision about a submission. */
export interface SubmissionDecision {
  type: 'business' | 'promo';
  submission_id: string | null;
  promo_id: string | null;
  external_ref: string | null;
  promo_ref: string | null;
  status: string;
  reason: { code: string; text: string; fix: string } | null;
  revision: number;
  place_id: string | null;
  live: boolean;
  live_blocked_by: string | null;
  reviewed_at: string | null;
}

/** An event of an agent's callback: the decision about a submission. */
export type CallbackEvent = Told<'submission.approved' | 'submission.rejected', SubmissionDecision>;

/** A request as it arrived. The body is what came over the wire, before any parser has touched it. */
export interface SignedRequest {
  body: string | Uint8Array;
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** A public key as the service publishes it. */
export interface SigningKey {
  kid: string;
  x: string;
  not_before: string;
  not_after: string | null;
}

export interface VerifyOptions {
  /** How far the time of the signature may be off; five minutes unless said otherwise. */
  toleranceMs?: number;
  /** For tests: the time that it is compared with. */
  now?: Date;
}

/** The request is not one that the service signed lately. Answer it with 400. */
export class SignatureError extends Error {
  override name = 'SignatureError';
  readonly reason: 'missing_header' | 'bad_time' | 'no_match' | 'bad_body';

  constructor(reason: SignatureError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * Verifies a webhook of a partner with its secret (`whsec_…`), or with several while one replaces another, and gives
 * what it tells.
 */
export async function verifyWebhook(
  request: SignedRequest,
  secrets: string | readonly string[],
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  const shared = (typeof secrets === 'string' ? [secrets] : secrets).map(secretBytes);
  if (shared.length === 0) throw new TypeError('Without a secret nothing can be verified.');
  const signed = readSigned(request, options);
  const keys = await Promise.all(
    shared.map((secret) =>
      crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']),
    ),
  );
  return eventOf(request, await fits(signed, 'v1', keys, 'HMAC')) as WebhookEvent;
}

/** Verifies a callback about a submission with the published keys of the service, and gives what it tells. */
export async function verifyCallback(
  request: SignedRequest,
  published: readonly SigningKey[],
  options: VerifyOptions = {},
): Promise<CallbackEvent> {
  const signed = readSigned(request, options);
  const toleranceMs = options.toleranceMs ?? TOLERANCE_MS;
  const current = published.filter(
    ({ not_before: from, not_after: to }) =>
      Date.parse(from) - toleranceMs <= signed.timeMs &&
      (to === null || signed.timeMs <= Date.parse(to) + toleranceMs),
  );
  const keys = await Promise.all(
    current.map(({ x }) =>
      crypto.subtle.importKey('jwk', { kty: 'OKP', crv: 'Ed25519', x }, { name: 'Ed25519' }, false, [
        'verify',
      ]),
    ),
  );
  return eventOf(request, await fits(signed, 'v1a', keys, 'Ed25519')) as CallbackEvent;
}

/** Fetches the keys that verify callbacks, from `callback_keys_url` of the account. Keep them for an hour. */
export async function fetchSigningKeys(url: string, signal?: AbortSignal): Promise<SigningKey[]> {
  const answer = await fetch(url, { headers: { accept: 'application/json' }, ...(signal && { signal }) });
  if (!answer.ok) throw new Error(`The keys could not be read: status ${answer.status}.`);
  return ((await answer.json()) as { keys: SigningKey[] }).keys;
}

interface Signed {
  text: Uint8Array<ArrayBuffer>;
  timeMs: number;
  /** By their kind, as Standard Webhooks writes them. */
  signatures: string[];
}

function readSigned({ body, headers }: SignedRequest, { toleranceMs, now }: VerifyOptions): Signed {
  const [id, time, given] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  );
  if (id === undefined || time === undefined || given === undefined)
    throw new SignatureError('missing_header', 'The request carries no signature.');
  const timeMs = /^\d{1,12}$/.test(time) ? Number(time) * 1_000 : NaN;
  const off = Math.abs((now?.getTime() ?? Date.now()) - timeMs);
  if (!(off <= (toleranceMs ?? TOLERANCE_MS)))
    throw new SignatureError('bad_time', 'The time of the signature is too far from now.');
  const head = new TextEncoder().encode(`${id}.${time}.`);
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const text = new Uint8Array(head.length + bytes.length);
  text.set(head);
  text.set(bytes, head.length);
  return { text, timeMs, signatures: given.split(' ').slice(0, SIGNATURES_MAX) };
}

/** Whether a signature of this kind fits one of the keys. The platform compares in constant time. */
async function fits(
  { text, signatures }: Signed,
  kind: string,
  keys: readonly CryptoKey[],
  algorithm: string,
): Promise<boolean> {
  const given = signatures
    .filter((one) => one.startsWith(`${kind},`))
    .map((one) => bytesOf(one.slice(kind.length + 1)));
  for (const key of keys)
    for (const signature of given)
      if (signature !== undefined && (await crypto.subtle.verify({ name: algorithm }, key, signature, text)))
        return true;
  return false;
}

/** Parses the body after its signature was verified. */
function eventOf({ body }: SignedRequest, ours: boolean): unknown {
  if (!ours) throw new SignatureError('no_match', 'No signature fits this body.');
  try {
    return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body));
  } catch {
    throw new SignatureError('bad_body', 'The body is not JSON.');
  }
}

function headerOf(headers: SignedRequest['headers'], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof found === 'string' ? found : found?.join(' ');
}

/** The key is not the text of the secret, but the bytes that follow its prefix. */
function secretBytes(secret: string): Uint8Array<ArrayBuffer> {
  const bytes = bytesOf(secret.replace(/^whsec_/, ''));
  if (bytes === undefined || bytes.length === 0)
    throw new TypeError('The secret must be whsec_ and base64, as set_webhook showed it.');
  return bytes;
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
