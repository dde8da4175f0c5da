import type { z } from 'zod';
import { parseJsonBody } from '../../core/egress/answer-json.ts';
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

/** URL and credentials of a venue's booking system, and its ids of the venue and the service. */
interface BookingServerAccess {
  baseUrl: string;
  username: string;
  password: string;
  merchantId: string;
  serviceId: string;
}

/** Reason why a call has no usable answer. A refused booking is a valid answer, not a fault. */
export type BookingServerFault = 'unreachable' | 'timeout' | 'credentials' | 'status' | 'malformed';

/** The message is our own and safe to show to staff; the response is in the cause. */
export class BookingServerError extends Error {
  readonly fault: BookingServerFault;
  /** True when the server may have performed the request without confirming it. */
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

/** Timeouts. Several calls in a row must fit into ACTION_MAX_MS. */
const CALL_MS = 8_000;
const SHORT_CALL_MS = 4_000;
/** Maximum duration of an availability lookup according to the protocol. */
const AVAILABILITY_MS = 1_500;
const ANSWER_BYTES_MAX = 256 * 1024;

type Method =
  | 'HealthCheck'
  | 'BatchAvailabilityLookup'
  | 'CreateBooking'
  | 'UpdateBooking'
  | 'GetBookingStatus'
  | 'ListBookings';

/** Wraps each call, so that the owner of the client can record or stop it. */
type LetOut = <Result>(leave: (maySend?: () => boolean) => Promise<Result>) => Promise<Result>;

/** A client of the Booking Server API v3, which venues' booking systems implement. */
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

  /** Returns the slots that are free. A slot missing from the answer is not free. */
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
      // Our guests are never charged: a system that requires a payment has to decline.
      payment_information: { prepayment_status: 'PREPAYMENT_NOT_PROVIDED' },
    });
  }

  /** Moves a booking to another time or party size. Sends only the changed fields. */
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

  /** Lists the bookings of a user id, filtered: a system that lists more must not expose other guests' tables. */
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
    const parsed = shape.safeParse(parseJsonBody(answer.body));
    if (!parsed.success)
      throw new BookingServerError('malformed', MALFORMED, { inDoubt: true, cause: parsed.error });
    return parsed.data;
  }

  /** Retries a 404 with a trailing slash, because the protocol's documents and the servers disagree about it. */
  async #send(method: Method, body: object | undefined, timeoutMs: number): Promise<EgressAnswer> {
    const began = performance.now();
    const send = (path: string, timeoutMs: number, maySend?: () => boolean) =>
      this.#request(path, body, { timeoutMs, maySend });
    // A connection test requests nothing from the venue.
    const letOut: LetOut = method === 'HealthCheck' ? (leave) => leave() : this.#letOut;
    const first = await letOut((maySend) => send(method, timeoutMs, maySend));
    if (first.status !== 404) return first;
    const leftMs = Math.max(1, timeoutMs - (performance.now() - began));
    return letOut((maySend) => send(`${method}/`, leftMs, maySend));
  }

  async #request(
    path: string,
    body: object | undefined,
    { timeoutMs, maySend }: Pick<EgressRequest, 'timeoutMs' | 'maySend'>,
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
        maySend,
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

const MALFORMED = "The venue's system sent an invalid answer.";
const WORDS = {
  late: "The venue's system took too long to answer.",
  gone: "The venue's system could not be reached.",
};

/** Error codes of the operating system when there was no connection, so that no request was sent. */
const UNCONNECTED: readonly (string | undefined)[] = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH'];

function neverSent({ code, systemCode }: EgressError): boolean {
  if (code === 'refused') return UNCONNECTED.includes(systemCode);
  return code === 'dns' || code === 'tls' || code === 'blocked_address';
}

/** Status codes that only concern this attempt: an earlier or later one may have succeeded. */
const TEMPORARY: readonly number[] = [408, 409, 425, 429];

function statusError(status: number): BookingServerError {
  if (status === 401 || status === 403)
    return new BookingServerError('credentials', "The venue's system refuses our credentials.", {
      inDoubt: false,
    });
  const refused = status >= 300 && status < 500 && !TEMPORARY.includes(status);
  return new BookingServerError('status', `The venue's system answered ${status}.`, { inDoubt: !refused });
}
