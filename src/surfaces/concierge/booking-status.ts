import { z } from 'zod';
import { bookingStatusSet } from '../../webhooks/booking-event.ts';
import { bookingAnswers, bookingSchema } from '../../bookings/booking-answer.ts';
import { READS_A_MINUTE } from '../../bookings/request/limits.ts';
import { listBookings } from '../../bookings/request/list-bookings.ts';
import { ownBooking } from '../../bookings/request/own-booking.ts';
import { bookingIdField, placeIdField } from '../../bookings/request/table-fields.ts';
import { decodeCursor, encodeCursor } from '../../core/cursor.ts';
import { invalidField } from '../../core/errors.ts';
import { defineOperation } from '../../core/operation.ts';
import { countThatFits, pageLimit } from '../../core/page-limit.ts';
import { isStorableDate } from '../../core/time.ts';
import { guestTool, partnerOf } from './calling-partner.ts';
import { bookingText, timelineText } from '../../bookings/booking-text.ts';
import { joinLines } from '../../core/text/tool-text.ts';
import examples from './examples.json' with { type: 'json' };

const LIMIT_DEFAULT = 20;
const LIMIT_MAX = 50;
/** Maximum size of a page: bookings include their timelines, and hosts truncate large responses. */
const PAGE_BYTES = 40_000;
const CURSOR = 'booking_status';
const cursorShape = z.object({ before: z.string() });

export const bookingStatus = defineOperation({
  name: 'booking_status',
  title: 'Booking status',
  description:
    'Your bookings with their status and timeline. One by booking_id, or a list by status, place and time, newest first.',
  ...guestTool,
  effect: 'read',
  rateLimits: [READS_A_MINUTE],
  input: z.object({
    booking_id: bookingIdField.optional(),
    status: bookingStatusSet.schema.optional().describe('Only bookings with this status.'),
    place_id: placeIdField.optional(),
    since: z.iso
      .datetime({ offset: true })
      .refine((text) => isStorableDate(new Date(text)), 'must be a time of the years 1 to 9999')
      .optional()
      .describe('Only bookings changed since then.'),
    limit: pageLimit('How many', { standard: LIMIT_DEFAULT, max: LIMIT_MAX }),
    cursor: z.string().min(1).max(200).optional().describe('next_cursor of the previous page.'),
  }),
  output: z.object({ bookings: z.array(bookingSchema), count: z.int(), next_cursor: z.string().nullable() }),
  example: examples.booking_status,
  async run(ctx, args) {
    const { db, deps } = ctx;
    const partner = partnerOf(ctx.actor);
    if (args.booking_id !== undefined) {
      const booking = await ownBooking(db, partner, args.booking_id, 'read');
      return { bookings: await bookingAnswers(db, [booking]), count: 1, next_cursor: null };
    }
    // Where many people share one partner account, a list would reveal each person's bookings to the others.
    if (partner.shared === true)
      throw invalidField('booking_id', 'required', 'is required: use the one in the answer of request_table');
    const limit = args.limit ?? LIMIT_DEFAULT;
    const { session: secret } = deps.secrets;
    const list = [CURSOR, partner.id, args.status, args.place_id, args.since].join('/');
    const rows = await listBookings(db, {
      partnerId: partner.id,
      status: args.status,
      placeId: args.place_id,
      since: args.since === undefined ? undefined : new Date(args.since),
      createdFrom: partner.bookingsFrom ?? undefined,
      before:
        args.cursor === undefined
          ? undefined
          : cursorShape.parse(decodeCursor(secret, list, args.cursor)).before,
      limit: limit + 1,
    });
    const answers = await bookingAnswers(db, rows.slice(0, limit));
    const count = countThatFits(
      answers.map((answer) => JSON.stringify(answer)),
      PAGE_BYTES,
    );
    const bookings = answers.slice(0, count);
    const last = bookings.at(-1);
    const more = rows.length > bookings.length && last !== undefined;
    return {
      bookings,
      count: bookings.length,
      next_cursor: more ? encodeCursor(secret, list, { before: last.booking_id }) : null,
    };
  },
  summarize({ bookings, next_cursor }) {
    const [first] = bookings;
    if (first === undefined) return 'No bookings.';
    return joinLines(
      ...bookings.map(bookingText),
      bookings.length === 1 && timelineText(first),
      next_cursor !== null && `More with cursor ${next_cursor}`,
    );
  },
});
