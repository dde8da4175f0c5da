import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Actor, Surface } from '../../core/context.ts';
import type { Pool } from '../../core/postgres/db.ts';
import { AppError } from '../../core/errors.ts';
import type { Listener } from '../../core/postgres/listener.ts';
import { memoizeText } from '../../core/memory/memoize-text.ts';
import { hashToken } from '../../core/secret/token.ts';
import { HOUR_MS } from '../../core/time.ts';

declare module '../../core/context.ts' {
  interface Deps {
    sessions: Sessions;
  }
}

const SESSION_MS = 24 * HOUR_MS;
const SURFACE_BYTE: Record<Surface, number> = { agent: 1, partner: 2, concierge: 3, reserve: 4 };
const RANDOM_BYTES = 12;
const ACCOUNT_BYTES = 8;
const PAYLOAD_BYTES = 1 + 6 + RANDOM_BYTES + ACCOUNT_BYTES;
const MAC_BYTES = 16;
const NO_ACCOUNT = Buffer.alloc(ACCOUNT_BYTES);
const SIGNED_REMEMBERED = 2_000;
/** The characters that the legacy protocol allows in a session id. */
const SESSION_ID = /^[\x21-\x7e]{1,256}$/;

interface SignedSession {
  payload: Buffer;
  name: string;
}

/** Sessions are signed tokens, bound to surface and account, so any node accepts them. Only ended ones are stored. */
export class Sessions {
  readonly #secret: Buffer;
  readonly #pool: Pool;
  readonly #ended: Map<string, number>;

  readonly #signed = memoizeText((token) => this.#readSigned(token), SIGNED_REMEMBERED);

  private constructor(secret: Buffer, pool: Pool) {
    this.#secret = secret;
    this.#pool = pool;
    this.#ended = new Map();
  }

  static async open(pool: Pool, listener: Listener, secret: Buffer): Promise<Sessions> {
    const sessions = new Sessions(secret, pool);
    const onEnded = (payload: string) => {
      const [hash, expiresAt] = payload.split(' ');
      if (hash !== undefined && expiresAt !== undefined) sessions.#ended.set(hash, Number(expiresAt));
    };
    // Listen first, so that nothing that ends between the two statements is missed; reload after a reconnect.
    const reload = () => void sessions.#load().catch(() => undefined);
    await listener.on('session_ended', onEnded, reload);
    await sessions.#load();
    return sessions;
  }

  create(surface: Surface, actor: Actor, now: Date): string {
    const payload = Buffer.alloc(PAYLOAD_BYTES);
    payload.writeUInt8(SURFACE_BYTE[surface], 0);
    payload.writeUIntBE(now.getTime() + SESSION_MS, 1, 6);
    randomBytes(RANDOM_BYTES).copy(payload, 7);
    this.#accountTag(actor).copy(payload, 7 + RANDOM_BYTES);
    return Buffer.concat([payload, this.#mac(payload)]).toString('base64url');
  }

  /** Throws unless the session is ours, of this surface and caller, not expired and not ended. Returns its name. */
  check(token: string, surface: Surface, actor: Actor, now: Date): string {
    if (!SESSION_ID.test(token))
      throw new AppError(
        'bad_request',
        'The Mcp-Session-Id header may only contain visible ASCII characters.',
      );
    const signed = this.#signed(token);
    const payload = signed?.payload;
    const isValid =
      payload !== undefined &&
      payload.readUInt8(0) === SURFACE_BYTE[surface] &&
      payload.readUIntBE(1, 6) > now.getTime() &&
      this.#belongsTo(payload.subarray(7 + RANDOM_BYTES), actor) &&
      !(this.#ended.size > 0 && this.#ended.has(hashToken(token).toString('base64url')));
    if (!isValid)
      throw new AppError('session_not_found', 'This session has ended or never existed.', {
        hint: 'Send initialize again to get a new one.',
      });
    return signed?.name ?? '';
  }

  /** Ends a session on every node. It is remembered until it would have expired by itself. */
  async end(token: string): Promise<void> {
    const expiresMs = Buffer.from(token, 'base64url').readUIntBE(1, 6);
    const hash = hashToken(token).toString('base64url');
    this.#ended.set(hash, expiresMs);
    await this.#pool`
      with ended as (
        insert into ended_session (token_hash, expires_at)
        values (${Buffer.from(hash, 'base64url')}, ${new Date(expiresMs)}) on conflict do nothing)
      select pg_notify('session_ended', ${`${hash} ${expiresMs}`})`;
  }

  async forgetExpired(now: Date): Promise<void> {
    await this.#pool`delete from ended_session where expires_at < ${now}`;
    this.forgetExpiredHere(now);
  }

  forgetExpiredHere(now: Date): void {
    for (const [hash, expiresMs] of this.#ended) if (expiresMs < now.getTime()) this.#ended.delete(hash);
  }

  async #load(): Promise<void> {
    const rows = await this.#pool<{ token_hash: Buffer; expires_at: Date }[]>`
      select token_hash, expires_at from ended_session`;
    for (const row of rows) this.#ended.set(row.token_hash.toString('base64url'), row.expires_at.getTime());
  }

  /**
   * True when the session is the caller's. One that began without a credential may continue with any, because
   * clients send their credential only after their first 401.
   */
  #belongsTo(tag: Buffer, actor: Actor): boolean {
    return tag.equals(NO_ACCOUNT) || timingSafeEqual(tag, this.#accountTag(actor));
  }

  #accountTag(actor: Actor): Buffer {
    if (actor.kind === 'anonymous') return NO_ACCOUNT;
    return createHmac('sha256', this.#secret)
      .update(`account/${actor.id}`)
      .digest()
      .subarray(0, ACCOUNT_BYTES);
  }

  /** Content of a token if we signed it. Memoized, because a client sends the same one with every request. */
  #readSigned(token: string): SignedSession | null {
    const bytes = Buffer.from(token, 'base64url');
    const payload = bytes.subarray(0, PAYLOAD_BYTES);
    const ours =
      bytes.length === PAYLOAD_BYTES + MAC_BYTES &&
      // Decoding ignores stray characters; another spelling of an ended session must not revive it.
      bytes.toString('base64url') === token &&
      timingSafeEqual(bytes.subarray(PAYLOAD_BYTES), this.#mac(payload));
    if (!ours) return null;
    return { payload, name: payload.toString('base64url', 7, 7 + RANDOM_BYTES) };
  }

  #mac(payload: Buffer): Buffer {
    return createHmac('sha256', this.#secret).update(payload).digest().subarray(0, MAC_BYTES);
  }
}
