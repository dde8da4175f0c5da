import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Json = Record<string, unknown>;

export interface Slot {
  start_sec: string;
  duration_sec: string;
  resources: { party_size: number };
}

export interface KeptTable {
  booking_id: string;
  status: string;
  slot: Slot;
  user_information: Json;
}

/**
 * What real systems do to a call. slow: done, and the answer does not come in time. late: done some time after we hung up.
 * lost: done, and the connection breaks. unheard: not done, and the connection breaks. doubled: done twice, then lost.
 * error, errorAfter: 500 before or after it is done. busy: 429, not done. garbage: done, and the answer is none.
 * otherTime, otherSize: it gives another table than was asked for.
 */
export const MISHAPS = [
  'lost',
  'error',
  'unheard',
  'errorAfter',
  'garbage',
  'doubled',
  'slow',
  'late',
  'busy',
  'otherTime',
  'otherSize',
] as const;
export type Mishap = (typeof MISHAPS)[number];

export const METHODS = ['CreateBooking', 'UpdateBooking', 'GetBookingStatus', 'ListBookings'] as const;
export type Method = (typeof METHODS)[number];

const HALF_HOUR = 1800;
const CONDITIONS = { up: undefined, down: 'error', mute: 'lost' } as const;

/** A venue's own booking system, by the Booking Server API v3, over plain http on loopback, whose moods a test sets. */
export class FickleVenue {
  url = '';
  pair = '';
  readonly tables = new Map<string, KeptTable>();
  readonly calls: { method: string; body: Json }[] = [];
  #answered = new Map<string, unknown>();
  #mishaps: { method: string; mishap: Mishap }[] = [];
  #late: (() => void)[] = [];
  #made = 0;
  /** The status of a new table. */
  decides: 'CONFIRMED' | 'PENDING_MERCHANT_CONFIRMATION' = 'CONFIRMED';
  /** Whether tables are free: all, none, or half an hour later only; broken: refused for no reason. */
  free: 'all' | 'none' | 'nearby' | 'broken' = 'all';
  /** down: 500 to everything, nothing is done. mute: everything is done, and every connection breaks. */
  condition: 'up' | 'down' | 'mute' = 'up';
  /** Whether it takes no confirmed table back. */
  keeps = false;
  /** Tables of which it has said, when it was asked last, that it will not take them back. */
  readonly refusedBack = new Set<string>();
  readonly #refusedSlots = new Set<string>();

  reset(): void {
    this.tables.clear();
    this.calls.length = 0;
    this.#answered.clear();
    this.refusedBack.clear();
    this.#refusedSlots.clear();
    this.keeps = false;
    this.behave();
  }

  /** It answers properly from now on, and has tables again. */
  behave(): void {
    this.#mishaps = [];
    this.catchUp();
    this.condition = 'up';
    this.decides = 'CONFIRMED';
    this.free = 'all';
    this.#refusedSlots.clear();
  }

  spoil(method: string, mishap: Mishap): void {
    this.#mishaps.push({ method, mishap });
  }

  /** Does what it was asked for long ago. */
  catchUp(): void {
    for (const act of this.#late.splice(0)) act();
  }

  get isSlow(): boolean {
    return this.#mishaps.some(({ mishap }) => mishap === 'slow' || mishap === 'late');
  }

  live(): KeptTable[] {
    return [...this.tables.values()].filter(
      ({ status }) => status === 'CONFIRMED' || status === 'PENDING_MERCHANT_CONFIRMATION',
    );
  }

  /** Somebody at the venue decides about what waits for it. */
  decide(status: 'CONFIRMED' | 'DECLINED_BY_MERCHANT'): void {
    for (const table of this.live())
      if (table.status === 'PENDING_MERCHANT_CONFIRMATION') table.status = status;
  }

  /** Somebody at the venue takes the guest out of the book, or this one table. */
  clearTables(only?: string): void {
    for (const table of this.live())
      if (only === undefined || table.booking_id === only) table.status = 'CANCELED';
  }

  /** Somebody at the venue sees to it that the book says what was agreed: one table, if it has any. */
  agreeOn(startSec: number, partySize: number): void {
    const [first, ...more] = this.live();
    for (const table of more) table.status = 'CANCELED';
    if (first === undefined) return;
    first.status = 'CONFIRMED';
    first.slot = { ...first.slot, start_sec: String(startSec), resources: { party_size: partySize } };
  }

  async listen(): Promise<() => void> {
    const server = createServer((request, response) => {
      this.#handle(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.pair = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.url = `http://${this.pair}`;
    return () => {
      server.closeAllConnections();
      server.close();
    };
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const method = /^\/v3\/(\w+)$/.exec(request.url ?? '')?.[1] ?? '';
      const body = JSON.parse(Buffer.concat(chunks).toString() || '{}') as Json;
      this.calls.push({ method, body });
      const at = this.#mishaps.findIndex((one) => one.method === method);
      const [spoiled] = at < 0 ? [] : this.#mishaps.splice(at, 1);
      this.#answer(method, body, spoiled?.mishap ?? CONDITIONS[this.condition], response);
    });
  }

  #answer(method: string, body: Json, mishap: Mishap | undefined, response: ServerResponse): void {
    const act = (skew?: 'otherTime' | 'otherSize') => JSON.stringify(this.#answerOf(method, body, skew));
    if (isGivenBack(body)) this.refusedBack.delete(refOf(body));
    switch (mishap) {
      case 'late':
        this.#late.push(() => act());
        return;
      case 'slow':
        act();
        return;
      case 'doubled':
        act();
        this.#answered.clear();
        act();
        response.destroy();
        return;
      case 'lost':
        act();
        response.destroy();
        return;
      case 'unheard':
        response.destroy();
        return;
      case 'garbage':
        act();
        response.writeHead(200).end('<html>It works!</html>');
        return;
      case 'busy':
        response.writeHead(429).end();
        return;
      case 'errorAfter':
        act();
        response.writeHead(500).end();
        return;
      case 'error':
        response.writeHead(500).end();
        return;
      case 'otherTime':
      case 'otherSize':
      case undefined:
        response.writeHead(200, { 'content-type': 'application/json' }).end(act(mishap));
        if (this.keeps && isGivenBack(body)) this.refusedBack.add(refOf(body));
    }
  }

  #answerOf(method: string, body: Json, skew?: 'otherTime' | 'otherSize'): unknown {
    switch (method) {
      case 'CreateBooking':
        return this.#create(body, skew);
      case 'UpdateBooking':
        return this.#update(body['booking'] as Json, skew);
      case 'GetBookingStatus': {
        const booking_id = body['booking_id'] as string;
        const booking_status = this.tables.get(booking_id)?.status ?? 'BOOKING_STATUS_UNSPECIFIED';
        return { booking_id, booking_status, prepayment_status: 'PREPAYMENT_NOT_PROVIDED' };
      }
      case 'ListBookings':
        return {
          bookings: [...this.tables.values()].filter(
            ({ user_information: user }) => user['user_id'] === body['user_id'],
          ),
        };
      default:
        return { slot_time_availability: this.#availability(body['slot_time'] as { start_sec: string }[]) };
    }
  }

  #availability(slots: readonly { start_sec: string }[]) {
    return slots.map((slot_time) => ({ slot_time, available: this.#isFree(slot_time.start_sec) }));
  }

  #isFree(start: string): boolean {
    if (this.free === 'nearby') return this.#refusedSlots.has(String(Number(start) - HALF_HOUR));
    return this.free === 'all';
  }

  #refusal(start: string): Json | undefined {
    if (this.free === 'broken') return { booking_failure: { cause: 'CAUSE_UNSPECIFIED' } };
    if (this.#isFree(start)) return undefined;
    this.#refusedSlots.add(start);
    return { booking_failure: { cause: 'SLOT_UNAVAILABLE' } };
  }

  #create(body: Json, skew?: 'otherTime' | 'otherSize'): unknown {
    const token = body['idempotency_token'] as string;
    const known = this.#answered.get(token);
    if (known !== undefined) return known;
    const slot = body['slot'] as Slot;
    const refusal = this.#refusal(slot.start_sec);
    if (refusal !== undefined) return refusal;
    const kept: KeptTable = {
      booking_id: `table-${++this.#made}`,
      status: this.decides,
      slot: skewed(slot, skew),
      user_information: body['user_information'] as Json,
    };
    this.tables.set(kept.booking_id, kept);
    const answer = { booking: { ...kept } };
    this.#answered.set(token, answer);
    return answer;
  }

  #update(change: Json, skew?: 'otherTime' | 'otherSize'): unknown {
    const kept = this.tables.get(change['booking_id'] as string);
    if (kept === undefined) return { booking_failure: { cause: 'CAUSE_UNSPECIFIED' } };
    if (kept.status === 'CANCELED') return { booking_failure: { cause: 'BOOKING_ALREADY_CANCELLED' } };
    const slot = change['slot'] as Slot | undefined;
    if (slot !== undefined) {
      const refusal = slot.start_sec === kept.slot.start_sec ? undefined : this.#refusal(slot.start_sec);
      if (refusal !== undefined) return refusal;
      kept.slot = skewed({ ...kept.slot, ...slot }, skew);
    } else if (this.keeps && kept.status === 'CONFIRMED') {
      return { booking_failure: { cause: 'OUTSIDE_CANCELLATION_WINDOW' } };
    } else kept.status = 'CANCELED';
    return { booking: kept };
  }
}

function skewed(slot: Slot, skew: 'otherTime' | 'otherSize' | undefined): Slot {
  const { start_sec, resources } = slot;
  if (skew === 'otherTime') return { ...slot, start_sec: String(Number(start_sec) + HALF_HOUR) };
  if (skew === 'otherSize') return { ...slot, resources: { party_size: resources.party_size + 1 } };
  return slot;
}

function refOf(body: Json): string {
  return (body['booking'] as { booking_id: string }).booking_id;
}

function isGivenBack(body: Json): boolean {
  return (body['booking'] as Json | undefined)?.['status'] === 'CANCELED';
}
