import { z } from 'zod';
import { bookingAnswer, bookingSchema } from '../../bookings/booking-answer.ts';
import { bookingText } from '../../bookings/booking-text.ts';
import { sendToVenue } from '../../bookings/coded/message-venue.ts';
import { NOT_HALTED } from '../../bookings/kill-switch/kill-switch.ts';
import { changeBooking } from '../../bookings/request/change-booking.ts';
import { WRITES_A_DAY, WRITES_A_MINUTE } from '../../bookings/request/limits.ts';
import { BOOKINGS_ENABLED, ownBooking } from '../../bookings/request/own-booking.ts';
import { bookingIdField, idempotencyKeyField } from '../../bookings/request/table-fields.ts';
import { allergenSet, guestCodeSet } from '../../webhooks/coded-message-sets.ts';
import { neededMember } from '../../core/input/needed-member.ts';
import { defineOperation } from '../../core/operation.ts';
import { bookingTool, partnerOf } from './calling-partner.ts';
import examples from './examples.json' with { type: 'json' };

export const messageVenue = defineOperation({
  name: 'message_venue',
  title: 'Send the venue a coded message',
  description:
    'Sends one of a fixed list of messages about a confirmed table: late, allergies, step-free access, a child seat, coming. The venue acknowledges it with a tap: seen_at, and the webhook booking.message. one_more and one_fewer request a change, which the venue answers; the table stays until then.',
  ...bookingTool,
  tools: [],
  furtherTools: ['concierge'],
  containsUntrustedText: true,
  effect: 'write',
  acts: ['reaches_out'],
  rest: { method: 'POST', path: '/api/partner/bookings/message' },
  input: z
    .object({
      booking_id: bookingIdField,
      code: guestCodeSet.schema,
      minutes: z.int().min(5).max(90).optional().describe('With late: by how many minutes.'),
      allergens: z.array(allergenSet.schema).min(1).max(14).optional().describe('With allergies.'),
      idempotency_key: idempotencyKeyField.optional(),
    })
    .check(
      neededMember(
        'minutes',
        ({ code, minutes }) => (code === 'late') === (minutes !== undefined),
        'is needed with late, and only with it',
      ),
      neededMember(
        'allergens',
        ({ code, allergens }) => (code === 'allergies') === (allergens !== undefined),
        'is needed with allergies, and only with it',
      ),
    ),
  output: bookingSchema,
  example: examples.message_venue,
  requires: [BOOKINGS_ENABLED, NOT_HALTED],
  rateLimits: [WRITES_A_MINUTE, WRITES_A_DAY],
  async run(ctx, { booking_id: id, code, minutes = null, allergens }) {
    const booking = await ownBooking(ctx.db, partnerOf(ctx.actor), id, 'change');
    const changed =
      code === 'one_more' || code === 'one_fewer'
        ? await changeBooking(ctx, booking, { partySize: booking.partySize + (code === 'one_more' ? 1 : -1) })
        : await sendToVenue(ctx, booking, {
            code,
            minutes,
            allergens: allergens === undefined ? null : [...new Set(allergens)],
            at: null,
          });
    ctx.audit(booking.id, { code, revision: changed.revision });
    return bookingAnswer(ctx.db, changed);
  },
  summarize: bookingText,
});
