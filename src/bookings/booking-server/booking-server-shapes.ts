import { z } from 'zod';

/** 64-bit integers are encoded as strings; some servers send a number anyway, so both are accepted. */
export const int64 = z
  .union([z.string().regex(/^-?\d{1,19}$/), z.int()])
  .transform((value) => String(value))
  .transform(Number);

const resources = z.object({ party_size: z.int().optional() });

/** A slot in the venue's system. Additional fields of a server are ignored. */
const slotShape = z.object({
  merchant_id: z.string().optional(),
  service_id: z.string().optional(),
  start_sec: int64.optional(),
  duration_sec: int64.optional(),
  resources: resources.optional(),
});

const STATUSES = [
  'BOOKING_STATUS_UNSPECIFIED',
  'CONFIRMED',
  'PENDING_MERCHANT_CONFIRMATION',
  'CANCELED',
  'NO_SHOW',
  'NO_SHOW_PENALIZED',
  'FAILED',
  'DECLINED_BY_MERCHANT',
] as const;

export type BookingServerStatus = (typeof STATUSES)[number];

/** Unknown values count as unspecified, as the protocol requires for enumerations that may grow. */
const status = z.enum(STATUSES).catch('BOOKING_STATUS_UNSPECIFIED');

/** An identifier without spaces: models read it, and it is sent back to the venue's system unchanged. */
const bookingId = z.string().regex(/^[!-~]{1,200}$/);

const bookingShape = z.object({
  booking_id: bookingId,
  slot: slotShape.optional(),
  user_information: z.object({ user_id: z.string().optional() }).optional(),
  status: status.default('BOOKING_STATUS_UNSPECIFIED'),
  payment_information: z
    .object({
      prepayment_status: z.string().optional(),
      deposit: z.unknown().optional(),
      no_show_fee: z.unknown().optional(),
    })
    .optional(),
});

export type ServerBooking = z.output<typeof bookingShape>;

const failureShape = z.object({ cause: z.string().default('CAUSE_UNSPECIFIED') });

/** An answer contains either the booking or the reason for its failure, with status 200 in both cases. */
export const bookedShape = z
  .object({ booking: bookingShape.optional(), booking_failure: failureShape.optional() })
  .refine(({ booking, booking_failure }) => booking !== undefined || booking_failure !== undefined);

export const availabilityShape = z.object({
  slot_time_availability: z.array(
    z.object({
      slot_time: z.object({ start_sec: int64, resource_ids: resources.optional() }),
      available: z.boolean().default(false),
    }),
  ),
});

export const statusShape = z.object({ booking_id: z.string().optional(), booking_status: status });

export const bookingsShape = z.object({ bookings: z.array(bookingShape).default([]) });

export interface TableSlot {
  /** Seconds since 1970. */
  startSec: number;
  durationSec: number;
  partySize: number;
}

/** The guest's data for the venue's system: the name, and our desk's contact. */
export interface UserInformation {
  user_id: string;
  given_name: string;
  family_name: string;
  telephone: string;
  email: string;
}

export type Booked = { booking: ServerBooking } | { failure: string };
