import type { z } from 'zod';
import { jsonOf } from '../../core/egress/answer-json.ts';
import { EgressError } from '../../core/egress/egress-error.ts';
import type { EgressPolicy } from '../../core/egress/egress-target.ts';
import { safeRequest, type EgressAnswer, type EgressRequest } from '../../core/egress/egress.ts';
import {
  availabilityShape,
  bookedShape,
  bookingsShape,
  statusShape,
  type Booked,
  type BookingServerStatus,
  type ServerBooking,
  type TableSlot,
  type UserInformation,
} from './booking-server-shapes.ts';

/** Where a venue's booking system is, and what it calls the venue and its tables. */
export interface BookingServerAccess {
  baseUrl: string;
  username: string;
  password: string;
  merchantId: string;
  serviceId: string;
}

/** Why a call gave no answer that can be used. Refusals of a booking are answers, and none of these. */
export type BookingServerFault = 'unreachable' | 'timeout' | 'credentials' | 'status' | 'malformed';

/** The message is ours and safe to show to staff; what the other side said is the cause. */
export class BookingServerError extends Error {
  readonly fault: BookingServerFault;
  /** Whether the other side may have done what it was asked for, although it has not said so. */
  readonly inDoubt: boolean;

  constructor(
    fault: BookingServerFault,
    message: string,
    { inDoubt, cause }: { inDoubt: boolean; cause?: unknown },
  ) {
    super(message, { cause });
    this.name = 'BookingServerError';
    this.fault = fault;
    this.inDoubt = inDoubt;
  }
}

/** Several calls in a row must end within what an outbound action may take. */
const CALL_MS = 8_000;
const SHORT_CALL_MS = 4_000;
/** The protocol grants a look at free tables no more than this. */
const AVAILABILITY_MS = 1_500;
const ANSWER_BYTES_MAX = 256 * 1024;

type Method =
  | 'HealthCheck'
  | 'BatchAvailabilityLookup'
  | 'CreateBooking'
  | 'UpdateBooking'
  | 'GetBookingStatus'
  | 'ListBookings';

/** How each call leaves: whoever opens the client may note it. */
type LetOut = <Result>(leave: (mayLeave?: () => boolean) => Promise<Result>) => Promise<Result>;

/** A client of the Booking Server API v3, as venues' booking systems speak it. */
export class BookingServer {
  readonly #egress: EgressPolicy;
  readonly #access: BookingServerAccess;
  readonly #letOut: LetOut;

  constructor(egress: EgressPolicy, access: BookingServerAccess, letOut: LetOut = (leave) => leave()) {
    this.#egress = egress;
    this.#access = access;
    this.#letOut = letOut;
  }

  async checkHealth(): Promise<void> {
    const answer = await this.#send('HealthCheck', undefined, CALL_MS);
    if (answer.status !== 200) throw statusError(answer.status);
  }

  /** Which of these slots are free. One that the answer leaves out is not. */
  async findAvailable(slots: readonly TableSlot[]): Promise<TableSlot[]> {
    const { merchantId } = this.#access;
    const body = { merchant_id: merchantId, slot_time: slots.map((slot) => this.#slotTime(slot)) };
    const answer = await this.#call('BatchAvailabilityLookup', body, availabilityShape, AVAILABILITY_MS);
    const free = new Set(
      answer.slot_time_availability
        .filter(({ available }) => available)
        .map(
          ({ slot_time: { start_sec, resource_ids } }) => `${start_sec}/${resource_ids?.party_size ?? ''}`,
        ),
    );
    return slots.filter(({ startSec, partySize }) =>
      [partySize, ''].some((size) => free.has(`${startSec}/${size}`)),
    );
  }

  createBooking(slot: TableSlot, user: UserInformation, idempotencyToken: string): Promise<Booked> {
    return this.#book('CreateBooking', {
      idempotency_token: idempotencyToken,
      slot: this.#slot(slot),
      user_information: user,
      // No guest of ours is ever charged: a system that wants money has to say no.
      payment_information: { prepayment_status: 'PREPAYMENT_NOT_PROVIDED' },
    });
  }

  /** Moves a table to another time or size. Only what changes is sent. */
  moveBooking(bookingId: string, slot: TableSlot): Promise<Booked> {
    return this.#book('UpdateBooking', { booking: { booking_id: bookingId, slot: this.#slot(slot) } });
  }

  cancelBooking(bookingId: string): Promise<Booked> {
    const booking = { booking_id: bookingId, status: 'CANCELED' };
    return this.#book('UpdateBooking', { booking }, SHORT_CALL_MS);
  }

  async bookingStatus(bookingId: string): Promise<BookingServerStatus> {
    const answer = await this.#call('GetBookingStatus', { booking_id: bookingId }, statusShape);
    return answer.booking_status;
  }

  /** What stands under a user id. A system that lists more than it was asked for must not lead us to others' tables. */
  async listBookings(userId: string): Promise<ServerBooking[]> {
    const answer = await this.#call('ListBookings', { user_id: userId }, bookingsShape, SHORT_CALL_MS);
    return answer.bookings.filter(({ user_information: user }) => (user?.user_id ?? userId) === userId);
  }

  async #book(method: 'CreateBooking' | 'UpdateBooking', body: object, timeoutMs?: number): Promise<Booked> {
    const { booking, booking_failure } = await this.#call(method, body, bookedShape, timeoutMs);
    if (booking_failure !== undefined) return { failure: booking_failure.cause };
    if (booking === undefined) throw new BookingServerError('malformed', MALFORMED, { inDoubt: true });
    return { booking };
  }

  async #call<Shape extends z.ZodType>(
    method: Method,
    body: object,
    shape: Shape,
    timeoutMs = CALL_MS,
  ): Promise<z.output<Shape>> {
    const answer = await this.#send(method, body, timeoutMs);
    if (answer.status !== 200) throw statusError(answer.status);
    const parsed = shape.safeParse(jsonOf(answer.body));
    if (!parsed.success)
      throw new BookingServerError('malformed', MALFORMED, { inDoubt: true, cause: parsed.error });
    return parsed.data;
  }

  /** The protocol's own documents disagree about a slash at the end, and so do servers: a 404 is asked again with it. */
  async #send(method: Method, body: object | undefined, timeoutMs: number): Promise<EgressAnswer> {
    const began = performance.now();
    const send = (path: string, timeoutMs: number, mayLeave?: () => boolean) =>
      this.#request(path, body, { timeoutMs, mayLeave });
    // A person who tries the connection asks for nothing.
    const letOut: LetOut = method === 'HealthCheck' ? (leave) => leave() : this.#letOut;
    const first = await letOut((mayLeave) => send(method, timeoutMs, mayLeave));
    if (first.status !== 404) return first;
    const leftMs = Math.max(1, timeoutMs - (performance.now() - began));
    return letOut((mayLeave) => send(`${method}/`, leftMs, mayLeave));
  }

  async #request(
    path: string,
    body: object | undefined,
    { timeoutMs, mayLeave }: Pick<EgressRequest, 'timeoutMs' | 'mayLeave'>,
  ): Promise<EgressAnswer> {
    const { baseUrl, username, password } = this.#access;
    const credentials = Buffer.from(`${username}:${password}`).toString('base64');
    try {
      return await safeRequest(this.#egress, `${baseUrl.replace(/\/+$/, '')}/v3/${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          accept: 'application/json',
          authorization: `Basic ${credentials}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(timeoutMs !== undefined && { timeoutMs }),
        mayLeave,
        maxBytes: ANSWER_BYTES_MAX,
        keepBody: true,
      });
    } catch (thrown) {
      if (!(thrown instanceof EgressError)) throw thrown;
      const late = thrown.code === 'timeout';
      throw new BookingServerError(late ? 'timeout' : 'unreachable', WORDS[late ? 'late' : 'gone'], {
        inDoubt: !neverSent(thrown),
        cause: thrown,
      });
    }
  }

  #slot({ startSec, durationSec, partySize }: TableSlot) {
    const { merchantId, serviceId } = this.#access;
    return {
      merchant_id: merchantId,
      service_id: serviceId,
      start_sec: String(startSec),
      duration_sec: String(durationSec),
      resources: { party_size: partySize },
    };
  }

  #slotTime({ startSec, durationSec, partySize }: TableSlot) {
    return {
      service_id: this.#access.serviceId,
      start_sec: String(startSec),
      duration_sec: String(durationSec),
      resource_ids: { party_size: partySize },
    };
  }
}

const MALFORMED = "The venue's system answered with something that is no answer.";
const WORDS = {
  late: "The venue's system took too long to answer.",
  gone: "The venue's system could not be reached.",
};

/** What the operating system says when no connection came about, so that nothing can have been asked. */
const UNCONNECTED: readonly (string | undefined)[] = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH'];

function neverSent({ code, systemCode }: EgressError): boolean {
  if (code === 'refused') return UNCONNECTED.includes(systemCode);
  return code === 'dns' || code === 'tls' || code === 'blocked_address';
}

/** Refusals that speak of this one attempt: an earlier or a later one may have come through. */
const PASSING: readonly number[] = [408, 409, 425, 429];

function statusError(status: number): BookingServerError {
  if (status === 401 || status === 403)
    return new BookingServerError('credentials', "The venue's system refuses our credentials.", {
      inDoubt: false,
    });
  const refused = status >= 300 && status < 500 && !PASSING.includes(status);
  return new BookingServerError('status', `The venue's system answered ${status}.`, { inDoubt: !refused });
}
