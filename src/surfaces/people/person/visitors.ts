import { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify';
import type { Deps } from '../../../core/context.ts';
import { AppError } from '../../../core/errors.ts';
import { callerGroup, type AddressGroup } from '../../../core/text/address-group.ts';
import type { Entered, Gate } from '../../../core/workers/gate.ts';

declare module '../../../core/context.ts' {
  interface Deps {
    visitors: Visitors;
  }
}

/** Pages in a minute for whoever shares an address: a hotel's guests do, and so does a crawler with its other half. */
const PAGES_PER_MINUTE = 600;
/** Pages that are made at the same time for one address; further ones wait for their turn, and others come between. */
const AT_ONCE = 2;
const WAITING_MAX = 100;
/** A reader who takes nothing for so long, twice over, is gone: Node asks once more before it hangs up. */
const UNREAD_MS = 15_000;
const ADDRESSES_MAX = 10_000;
const MINUTE_MS = 60_000;

interface Visits {
  left: number;
  countedAt: number;
  busy: number;
  waiting: (() => void)[];
}

/** Who opens pages without being signed in, by address, on this node: one address never takes all of its time. */
export class Visitors {
  readonly #gate: Gate;

  constructor(gate: Gate) {
    this.#gate = gate;
  }

  /** Lets a visitor in, when it is their turn. What is returned ends the visit, once; over the ceiling it is 429. */
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

/** The visits of all processes of a node. */
export class VisitorGate implements Gate {
  readonly #visits = new Map<string, Visits>();

  async enter(address: string): Promise<Entered> {
    const visits = this.#of(address, performance.now());
    if (visits.left < 1 || visits.waiting.length >= WAITING_MAX)
      return {
        waitSeconds: Math.max(1, Math.ceil(((1 - visits.left) * MINUTE_MS) / PAGES_PER_MINUTE / 1000)),
      };
    visits.left--;
    if (visits.busy < AT_ONCE) visits.busy++;
    else await new Promise<void>((resolve) => visits.waiting.push(resolve));
    let gone = false;
    return () => {
      if (gone) return;
      gone = true;
      const next = visits.waiting.shift();
      if (next === undefined) visits.busy--;
      // Whatever else is waiting comes first.
      else setImmediate(next);
    };
  }

  #of(address: string, now: number): Visits {
    const known = this.#visits.get(address);
    if (known !== undefined) {
      const gained = ((now - known.countedAt) * PAGES_PER_MINUTE) / MINUTE_MS;
      known.left = Math.min(PAGES_PER_MINUTE, known.left + gained);
      known.countedAt = now;
      return known;
    }
    if (this.#visits.size >= ADDRESSES_MAX) this.#forget(now);
    const visits = { left: PAGES_PER_MINUTE, countedAt: now, busy: 0, waiting: [] };
    this.#visits.set(address, visits);
    return visits;
  }

  #forget(now: number): void {
    for (const [address, { busy, countedAt }] of this.#visits)
      if (busy === 0 && now - countedAt >= MINUTE_MS) this.#visits.delete(address);
  }
}

/** What ends the visits of those who are in. */
const leaving = new WeakMap<FastifyRequest, () => void>();

/** Lets the visitor of a page in, until it is made or they hung up. */
export async function admitVisitor(
  { visitors }: Pick<Deps, 'visitors'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const leave = await visitors.enter(callerGroup(request));
  leaving.set(request, leave);
  if (reply.raw.closed || reply.raw.destroyed) leave();
  else reply.raw.once('close', leave);
}

/** The page of a visitor is made: the next at their address has a turn, however slowly it is read. */
export const pageMade: onSendHookHandler = (request, _reply, _page, done) => {
  const leave = leaving.get(request);
  const { socket } = request.raw;
  // A request that was put in from within has no line that could be cut.
  if (leave !== undefined && socket instanceof Socket) socket.setTimeout(UNREAD_MS);
  leave?.();
  done();
};
