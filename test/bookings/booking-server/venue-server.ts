import type { IncomingMessage, ServerResponse } from 'node:http';
import { startHttpsServer } from '../../harness/service/https-server.ts';

export interface Call {
  method: string;
  path: string;
  authorization: string | undefined;
  body: Record<string, unknown>;
}

interface Kept {
  booking_id: string;
  status: string;
  slot: Record<string, unknown>;
  user_information: Record<string, unknown>;
}

/**
 * What real systems do to a call. error: 500, nothing done. down: 503, nothing done. lost: done, and the connection breaks.
 * garbage: done, and the answer is none. doubled: done twice, as behind a proxy that repeats, and then lost.
 */
export type Mishap = 'error' | 'down' | 'lost' | 'garbage' | 'doubled';

/**
 * A venue's booking system as the Booking Server API v3 describes it: a real https server that keeps bookings, with
 * levers for everything that such systems do besides saying yes.
 */
export class VenueServer {
  url = '';
  pair = '';
  readonly calls: Call[] = [];
  readonly bookings = new Map<string, Kept>();
  /** Answers of CreateBooking by idempotency token, as the protocol asks for. */
  readonly #answered = new Map<string, unknown>();
  /** The status of a new booking. */
  status = 'CONFIRMED';
  /** The cause with which CreateBooking refuses; undefined accepts. */
  refuse: string | undefined;
  refuseUpdate: string | undefined;
  /** Starts that are free, in seconds. */
  free: number[] = [];
  payment: Record<string, unknown> | undefined;
  /** Stores another time or party size than was requested. */
  other: { startSec?: number; partySize?: number } | undefined;
  /** Whether addresses want a slash at the end. */
  slash = false;
  /** Takes over a whole answer; true when it did. `act` does what was asked and gives the answer that is due. */
  instead: (method: string, response: ServerResponse, act: () => string) => boolean = () => false;

  readonly #spoiled: { method: string; mishap: Mishap; left: number }[] = [];

  /** Lets calls of a method go wrong, so many times; all of them, unless said otherwise. */
  spoil(method: string, mishap: Mishap, times = Infinity): void {
    this.#spoiled.push({ method, mishap, left: times });
  }

  /** Puts all levers back. */
  behave(): void {
    this.#spoiled.length = 0;
    Object.assign(this, { status: 'CONFIRMED', refuse: undefined, refuseUpdate: undefined, free: [] });
    Object.assign(this, { payment: undefined, other: undefined, slash: false, instead: () => false });
  }

  calledFor(method: string): Call[] {
    return this.calls.filter(({ path }) => path.includes(method));
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const { url: path = '', method = '', headers } = request;
      const body = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
      this.calls.push({ method, path, authorization: headers.authorization, body });
      this.#answer(path, body, response);
    });
  }

  #answer(path: string, body: Record<string, unknown>, response: ServerResponse): void {
    const [, name = '', slash = ''] = /^\/v3\/(\w+)(\/?)$/.exec(path) ?? [];
    if (name === '' || (slash === '/') !== this.slash) return void response.writeHead(404).end();
    const act = () => JSON.stringify(this.#answerOf(name, body));
    if (this.instead(name, response, act)) return;
    const spoiled = this.#spoiled.find(({ method, left }) => method === name && left > 0);
    if (spoiled !== undefined) {
      spoiled.left--;
      this.#goWrong(spoiled.mishap, response, act);
      return;
    }
    const answer = act() as string | undefined;
    if (answer === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
  }

  #goWrong(mishap: Mishap, response: ServerResponse, act: () => string): void {
    switch (mishap) {
      case 'error':
      case 'down':
        response.writeHead(mishap === 'error' ? 500 : 503).end();
        return;
      case 'garbage':
        act();
        response.writeHead(200).end('<html>It works!</html>');
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
    }
  }

  #answerOf(name: string, body: Record<string, unknown>): unknown {
    switch (name) {
      case 'HealthCheck':
        return {};
      case 'BatchAvailabilityLookup':
        return this.#availability(body);
      case 'CreateBooking':
        return this.create(body);
      case 'UpdateBooking':
        return this.#update(body['booking'] as Record<string, unknown>);
      case 'GetBookingStatus': {
        const { booking_id } = body as { booking_id: string };
        const booking_status = this.bookings.get(booking_id)?.status ?? 'BOOKING_STATUS_UNSPECIFIED';
        return { booking_id, booking_status, prepayment_status: 'PREPAYMENT_NOT_PROVIDED' };
      }
      case 'ListBookings':
        return {
          bookings: [...this.bookings.values()].filter(
            ({ user_information: user }) => user['user_id'] === body['user_id'],
          ),
        };
      default:
        return undefined;
    }
  }

  #availability(body: Record<string, unknown>) {
    const slots = body['slot_time'] as { start_sec: string }[];
    return {
      slot_time_availability: slots.map((slot_time) => ({
        slot_time,
        available: this.free.includes(Number(slot_time.start_sec)),
      })),
    };
  }

  create(body: Record<string, unknown>): unknown {
    const token = body['idempotency_token'] as string;
    const known = this.#answered.get(token);
    if (known !== undefined) return known;
    if (this.refuse !== undefined) return { booking_failure: { cause: this.refuse } };
    const kept: Kept = {
      booking_id: `venue-${this.bookings.size + 1}`,
      status: this.status,
      slot: this.#slotFor(body['slot'] as Record<string, unknown>),
      user_information: body['user_information'] as Record<string, unknown>,
    };
    this.bookings.set(kept.booking_id, kept);
    const answer = { booking: { ...kept, ...(this.payment && { payment_information: this.payment }) } };
    this.#answered.set(token, answer);
    return answer;
  }

  #slotFor(slot: Record<string, unknown>): Record<string, unknown> {
    const { startSec, partySize } = this.other ?? {};
    return {
      ...slot,
      ...(startSec !== undefined && { start_sec: String(startSec) }),
      ...(partySize !== undefined && { resources: { party_size: partySize } }),
    };
  }

  #update(change: Record<string, unknown>): unknown {
    const kept = this.bookings.get(change['booking_id'] as string);
    if (kept === undefined) return { booking_failure: { cause: 'CAUSE_UNSPECIFIED' } };
    if (this.refuseUpdate !== undefined) return { booking_failure: { cause: this.refuseUpdate } };
    if (kept.status === 'CANCELED') return { booking_failure: { cause: 'BOOKING_ALREADY_CANCELLED' } };
    if (typeof change['status'] === 'string') kept.status = change['status'];
    if (change['slot'] !== undefined)
      kept.slot = { ...kept.slot, ...this.#slotFor(change['slot'] as Record<string, unknown>) };
    return { booking: kept };
  }
}

export async function startVenueServer(): Promise<VenueServer> {
  const venue = new VenueServer();
  const { url, pair } = await startHttpsServer((request, response) => {
    venue.handle(request, response);
  });
  venue.url = url;
  venue.pair = pair;
  return venue;
}
