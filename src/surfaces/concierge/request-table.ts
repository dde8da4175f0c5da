import { publicName } from '../../accounts/partners/house-partner.ts';
import { z } from 'zod';
import { publicChannelSet } from '../../bookings/channels/channels.ts';
import { wordsForVenue } from '../../bookings/asking/venue-words.ts';
import { NOT_HALTED } from '../../bookings/kill-switch/kill-switch.ts';
import {
  READS_A_MINUTE,
  consumeVenueQuota,
  WRITES_A_DAY,
  WRITES_A_MINUTE,
} from '../../bookings/request/limits.ts';
import { askableTable } from '../../bookings/request/askable-table.ts';
import { openBooking, refuseDuplicate, type NewBooking } from '../../bookings/request/open-booking.ts';
import { isRehearsal } from '../../bookings/rehearsal/rehearsal-venue.ts';
import {
  alternativesField,
  answerWithinField,
  checkAlternatives,
  openChoice,
} from '../../bookings/choices/open-choice.ts';
import { BOOKINGS_ENABLED } from '../../bookings/request/own-booking.ts';
import {
  dateField,
  idempotencyKeyField,
  notesField,
  partySizeField,
  placeIdField,
  timeField,
  timeUntilField,
  waitUntilField,
} from '../../bookings/request/table-fields.ts';
import type { Ctx } from '../../core/context.ts';
import { AppError, invalidField } from '../../core/errors.ts';
import { assertAll } from '../../core/memory/assert-all.ts';
import { neededMember } from '../../core/input/needed-member.ts';
import { defineOperation } from '../../core/operation.ts';
import { line, text } from '../../core/text/text.ts';
import { guestTool, partnerOf } from './calling-partner.ts';
import { bookingStatusSet } from '../../webhooks/booking-event.ts';
import { quoteUntrusted, joinLines } from '../../core/text/tool-text.ts';
import examples from './examples.json' with { type: 'json' };
import { refuseContacts } from '../../core/text/contact/contact-data.ts';
import { isLinked, redeemLinkCode } from '../../members/member-link.ts';
import { findMember } from '../../members/member.ts';

const GUIDANCE = 'Tell the guest the venue has been asked, not that a table is booked.';
const FULL_GUIDANCE =
  'The venue is full that day and is not asked: the guest joins its waiting list. Not booked; a free table is offered by webhook and booking_status.';
const DRY_RUN_GUIDANCE =
  'The venue was not asked: this was a dry run. Repeat it without dry_run to ask the venue.';

const input = z
  .object({
    place_id: placeIdField,
    date: dateField,
    time: timeField,
    party_size: partySizeField,
    guest_name: line(1, 80)
      .optional()
      .describe('Your own guest, by name only. Exactly one of guest_name and member_id.'),
    member_id: z.string().max(40).optional().describe('A member who has linked you; begins with mem_.'),
    link_code: text(1, 40)
      .optional()
      .describe('With member_id, the first time: the code the member gave you.'),
    time_until: timeUntilField.optional(),
    alternatives: alternativesField.optional(),
    answer_within_minutes: answerWithinField.optional(),
    wait_until: waitUntilField.optional(),
    notes: notesField.optional(),
    idempotency_key: idempotencyKeyField.optional(),
    dry_run: z.boolean().optional().describe('true: check everything, and ask nobody.'),
  })
  .check(
    neededMember(
      'guest_name',
      ({ guest_name, member_id }) => (guest_name === undefined) !== (member_id === undefined),
      'exactly one of guest_name and member_id must be sent',
    ),
  );

export const requestTable = defineOperation({
  name: 'request_table',
  title: 'Request a table',
  description:
    'Asks a venue to hold a table for a member or your own guest, by name only. The answer is state requested with booked false: the venue decides, and its answer comes by webhook and booking_status. No contact data, card or fee is needed.',
  ...guestTool,
  effect: 'write',
  acts: ['reaches_out'],
  input,
  output: z.object({
    booking_id: z.string().nullable().describe('null after a dry run.'),
    choice_id: z
      .string()
      .nullable()
      .describe(
        'With alternatives: the choice, which webhooks name too. Each venue has a booking of its own.',
      ),
    state: z.literal('requested').describe('Always: the venue decides later.'),
    booked: z.literal(false).describe('Always false: a request is not a booking.'),
    status: bookingStatusSet
      .always('sent')
      .nullable()
      .describe('The status of the booking; null after a dry run.'),
    channel: publicChannelSet.schema,
    answer_by: z.string(),
    message_to_venue: z.string().describe("The exact message to the venue, in the venue's language."),
    guidance: z.string(),
    revision: z.int().nullable(),
    dry_run: z.boolean(),
  }),
  example: examples.request_table,
  requires: [BOOKINGS_ENABLED, NOT_HALTED],
  rateLimits: [WRITES_A_MINUTE, WRITES_A_DAY],
  dryRun: { rateLimits: [READS_A_MINUTE], example: examples.request_table.dry_run },
  noContactData: ['guest_name', 'notes'],
  async run(ctx, args) {
    const partner = partnerOf(ctx.actor);
    const { alternatives } = args;
    if (alternatives === undefined && args.answer_within_minutes !== undefined)
      throw invalidField('answer_within_minutes', 'bad_format', 'goes with alternatives');
    if (alternatives !== undefined && args.wait_until !== undefined)
      throw invalidField(
        'wait_until',
        'bad_format',
        'does not go with alternatives: ask other venues, or wait',
      );
    const wanted = {
      placeId: args.place_id,
      date: args.date,
      time: args.time,
      timeUntil: args.time_until,
      partySize: args.party_size,
      ...(args.wait_until !== undefined && { waitUntil: new Date(args.wait_until) }),
    };
    const { askable, table, from, full, word, language } = await askableTable(ctx, wanted);
    const guest = await guestOf(ctx, partner.id, args);
    const draft: NewBooking = {
      ...table,
      ...guest,
      partnerId: partner.id,
      askedBy: await publicName(ctx.db, partner.id),
      notes: args.notes || null,
    };
    const dryRun = args.dry_run === true;
    if (alternatives !== undefined) await checkAlternatives(ctx, { alternatives, wanted, draft });
    await assertAll([refuseDuplicate(ctx, draft), ...(dryRun ? [] : [consumeVenueQuota(ctx, draft)])]);
    const answer = {
      state: 'requested' as const,
      booked: false as const,
      channel: word,
      answer_by: (draft.answerBy ?? ctx.now).toISOString(),
      message_to_venue: wordsForVenue(
        { service: ctx.deps.config.serviceName, place: askable.place.name },
        'new',
        { ...draft, held: null, released: [] },
        draft,
        language,
      ),
      guidance: dryRun ? DRY_RUN_GUIDANCE : full ? FULL_GUIDANCE : GUIDANCE,
    };
    if (dryRun)
      return { ...answer, booking_id: null, choice_id: null, status: null, revision: null, dry_run: true };
    const choice =
      alternatives && (await openChoice(ctx, { alternatives, wanted, draft }, args.answer_within_minutes));
    const booking = await openBooking(ctx, { ...draft, choice: choice ?? null }, from);
    ctx.audit(booking.id, { place_id: booking.placeId, party_size: booking.partySize });
    return {
      ...answer,
      booking_id: booking.id,
      choice_id: choice?.id ?? null,
      status: 'sent' as const,
      revision: 1,
      dry_run: false,
    };
  },
  summarize({ booking_id, choice_id, answer_by, channel, guidance, revision, message_to_venue }) {
    const wording = `${channel}, in these words: ${quoteUntrusted(message_to_venue)}`;
    if (booking_id === null)
      return joinLines(
        `${DRY_RUN_GUIDANCE} The venue would have to answer by ${answer_by}.`,
        `It would be asked by ${wording}`,
      );
    return joinLines(
      `Requested: ${booking_id}, revision ${revision}. Ask booking_status for the answer. Not booked: the venue decides, by ${answer_by}. ${guidance}`,
      `By ${wording}`,
      choice_id !== null &&
        `The alternatives follow in order, as ${choice_id}; at most one table is confirmed.`,
    );
  },
});

type TableRequest = z.output<typeof input>;
type Guest = Pick<NewBooking, 'forType' | 'memberId' | 'guestName'>;

/** Determines whom the table is for. Of a member the venue sees only the name that the member chose. */
async function guestOf(ctx: Ctx, partnerId: string, request: TableRequest): Promise<Guest> {
  const { guest_name: guestName, member_id: memberId } = request;
  if (memberId !== undefined && isRehearsal(request.place_id))
    throw invalidField('member_id', 'bad_format', 'rehearsal venues take tables for a guest_name only');
  if (memberId === undefined) return { forType: 'guest', memberId: null, guestName: guestName ?? '' };
  // A member links one partner, not everybody who calls in the name of a shared one.
  if (ctx.actor.kind === 'partner' && ctx.actor.shared === true) throw notLinked();
  // A code works once, and a dry run must not redeem it.
  const code = request.dry_run === true ? undefined : request.link_code;
  if (!(await mayAskFor(ctx, partnerId, memberId, code))) throw notLinked();
  const member = await findMember(ctx.db, memberId);
  if (member === undefined) throw notLinked();
  refuseContacts({ member_id: member.displayName });
  return { forType: 'member', memberId, guestName: member.displayName };
}

async function mayAskFor(ctx: Ctx, partnerId: string, memberId: string, code?: string): Promise<boolean> {
  if (await isLinked(ctx.db, memberId, partnerId)) return true;
  if (code === undefined) return false;
  return redeemLinkCode(ctx.db, { memberId, partnerId, code, now: ctx.now });
}

function notLinked(): AppError {
  return new AppError(
    'member_not_linked',
    'This member is not linked to your account. Nothing was changed.',
    { hint: 'The member creates a code at /member/link and gives it to you; send it once as link_code.' },
  );
}
