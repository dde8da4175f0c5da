import { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify';
import type { Deps } from '../../../core/context.ts';
import { AppError } from '../../../core/errors.ts';
import { callerGroup, type AddressGroup } from '../../../core/text/address-group.ts';
import { MINUTE_MS } from '../../../core/time.ts';
import type { Entered, Gate } from '../../../core/workers/gate.ts';

declare module '../../../core/context.ts' {
  interface Deps {
    visitors: Visitors;
  }
}

/** Rate limit for pages per network address. Many people may share one, for example all guests of a hotel. */
const PAGES_PER_MINUTE = 600;
/** Pages rendered at once for one address. Its other requests wait, and those of other addresses go first. */
const CONCURRENT_MAX = 2;
const WAITING_MAX = 100;
const ADDRESSES_MAX = 10_000;

interface Visits {
  left: number;
  countedAt: number;
  busy: number;
  waiting: (() => void)[];
}

/** Limits anonymous page requests by network address, so that one address cannot take all of the node's time. */
export class Visitors {
  readonly #gate: Gate;

  constructor(gate: Gate) {
    this.#gate = gate;
  }

  /** Waits for a slot. The returned function releases it, once. Throws 429 over the rate limit. */
  async enter(address: AddressGroup): Promise<() => void> {
    const entered = await this.#gate.enter(address);
    if (typeof entered === 'function') return entered;
    const wait = entered.waitSeconds;
    throw new AppError('rate_limited', 'Too many pages were opened from your network in the last minute.', {
      hint: `Wait ${wait === 1 ? 'a second' : `${wait} seconds`} and open the page again. Programs find the same data at /docs, with a key of their own.`,
      retryAfterSeconds: wait,
    });
  }
}

/** Request slots of all processes of a node. */
export class VisitorGate implements Gate {
  readonly #visits = new Map<string, Visits>();

  async enter(address: string): Promise<Entered> {
    const visits = this.#visitsOf(address, performance.now());
    if (visits.left < 1 || visits.waiting.length >= WAITING_MAX)
      return {
        waitSeconds: Math.max(1, Math.ceil(((1 - visits.left) * MINUTE_MS) / PAGES_PER_MINUTE / 1000)),
      };
    visits.left--;
    if (visits.busy < CONCURRENT_MAX) visits.busy++;
    else await new Promise<void>((resolve) => visits.waiting.push(resolve));
    let released = false;
    return () => {
      if (released) return;
      released = true;
      const next = visits.waiting.shift();
      if (next === undefined) visits.busy--;
      // Let other queued events run first.
      else setImmediate(next);
    };
  }

  #visitsOf(address: string, now: number): Visits {
    const existing = this.#visits.get(address);
    if (existing !== undefined) {
      const gained = ((now - existing.countedAt) * PAGES_PER_MINUTE) / MINUTE_MS;
      existing.left = Math.min(PAGES_PER_MINUTE, existing.left + gained);
      existing.countedAt = now;
      return existing;
    }
    if (this.#visits.size >= ADDRESSES_MAX) this.#evictIdle(now);
    const visits = { left: PAGES_PER_MINUTE, countedAt: now, busy: 0, waiting: [] };
    this.#visits.set(address, visits);
    return visits;
  }

  #evictIdle(now: number): void {
    for (const [address, { busy, countedAt }] of this.#visits)
      if (busy === 0 && now - countedAt >= MINUTE_MS) this.#visits.delete(address);
  }
}

/** Slot release functions of admitted requests. */
const releases = new WeakMap<FastifyRequest, () => void>();

/** Holds a slot for a page request until the page is rendered or the client disconnects. */
export async function admitVisitor(
  { visitors }: Pick<Deps, 'visitors'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const release = await visitors.enter(callerGroup(request));
  releases.set(request, release);
  if (reply.raw.closed || reply.raw.destroyed) release();
  else reply.raw.once('close', release);
}

/**
 * Socket timeout for a client that reads nothing. It is effectively twice as long: Node retries once before it closes.
 */
const UNREAD_TIMEOUT_MS = 15_000;

/** Releases the slot once the page is rendered, however slowly the client reads it. */
export const releaseVisitorSlot: onSendHookHandler = (request, _reply, _page, done) => {
  const release = releases.get(request);
  const { socket } = request.raw;
  // Injected requests have no socket to time out.
  if (release !== undefined && socket instanceof Socket) socket.setTimeout(UNREAD_TIMEOUT_MS);
  release?.();
  done();
};
