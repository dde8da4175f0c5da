import { z } from 'zod';
import {
  planChannels,
  contactHoursOf,
  deadlineOf,
  type ChannelPlan,
} from '../../bookings/asking/channel-plan.ts';
import { askFrom, tableInstant } from '../../bookings/asking/timing.ts';
import type { AskablePlace, Channel } from '../../bookings/channels/channel.ts';
import { CHANNELS, channelNamed, isChannelKind } from '../../bookings/channels/channels.ts';
import { localDate } from '../../bookings/booking-range.ts';
import { holdKillSwitch } from '../../bookings/kill-switch/kill-switch.ts';
import { READS_A_MINUTE, venueAsksLeft } from '../../bookings/request/limits.ts';
import { permanentRefusalSet, permanentRefusal } from '../../bookings/request/permanent-refusal.ts';
import {
  dateField,
  howBooked,
  noTables,
  openAtTable,
  openInsteadOf,
  partySizeField,
  placeIdField,
  refuseWrongTime,
  timeField,
} from '../../bookings/request/table-fields.ts';
import { listRules, rulesAgainst, venueRuleText } from '../../venue/venue-rules.ts';
import { readTerms, tableTermsSchema, termsAnswer } from '../../bookings/terms/table-terms.ts';
import { termSentences } from '../../bookings/terms/term-words.ts';
import type { Ctx, StepContext } from '../../core/context.ts';
import { errorSentences } from '../../core/errors.ts';
import { closedSet } from '../../core/input/closed-set.ts';
import { defineOperation } from '../../core/operation.ts';
import { routeOf } from '../../directory/place/place-answer.ts';
import { prefilledSchema } from '../../directory/place/place-fields.ts';
import { requireAskable } from '../../bookings/request/askable-table.ts';
import { guestTool } from './calling-partner.ts';
import { labelled, joinFacts, joinLines } from '../../core/text/tool-text.ts';
import examples from './examples.json' with { type: 'json' };

const refusalSet = closedSet('TableRefusal', {
  ...permanentRefusalSet.sentences,
  ...errorSentences(['closed_at_that_time', 'against_venue_rule', 'venue_daily_cap']),
});
type RefusalWord = (typeof refusalSet.values)[number];

const HOW: Readonly<Record<ChannelPlan['shownChannel'], string>> = {
  ...Object.fromEntries(CHANNELS.map(({ shownAs: { name, how } }) => [name, how])),
  link: "The guest books on the venue's own page; we do not ask this venue.",
  none: 'Nobody is asked.',
};

const contactMethodSet = closedSet('AskedBy', HOW);

const availabilitySourceSet = closedSet('AvailabilitySource', {
  hours: 'From opening hours only; the venue alone knows whether a table is free.',
  venue_system: "The venue's own booking system said so.",
});

export const checkAvailability = defineOperation({
  name: 'check_availability',
  title: 'Check availability',
  description:
    "Whether a place is open at a time, and how the venue would be asked for a table. Contacts only the venue's booking system, if it has one, and books nothing.",
  ...guestTool,
  effect: 'read',
  acts: ['reaches_out'],
  rateLimits: [READS_A_MINUTE],
  input: z.object({ place_id: placeIdField, date: dateField, time: timeField, party_size: partySizeField }),
  output: z.object({
    place_id: z.string(),
    open: z.boolean().nullable().describe('Open then? null: the hours are not verified.'),
    local_time: z.string(),
    timezone: z.string(),
    within_hours_reason: z.string(),
    channel: contactMethodSet.schema.describe('How the venue will be asked.'),
    how: z.string(),
    can_request: z.boolean(),
    refusal: refusalSet.schema.nullable().describe('Why request_table would refuse.'),
    available: z.boolean().nullable().describe("Known only from the venue's own system; null: unknown."),
    source: availabilitySourceSet.schema,
    answer_by: z.string().nullable(),
    quiet_until: z
      .string()
      .nullable()
      .describe("Outside the venue's contact hours: it is asked from then on."),
    venue_rules: z
      .array(z.string())
      .describe('What the venue asks of every request; each is checked before it is asked.'),
    table_terms: tableTermsSchema,
    venue_asks_left_today: z.int(),
    link: z
      .object({ url: z.string().nullable(), prefilled: prefilledSchema, guidance: z.string() })
      .nullable(),
    booked: z.literal(false),
  }),
  example: examples.check_availability,
  async run(ctx, { place_id, date, time, party_size: partySize }) {
    const { deps, now } = ctx;
    const askable = await requireAskable(ctx, place_id);
    const { place, timezone } = askable;
    const tableAt = tableInstant(timezone, date, time);
    refuseWrongTime(timezone, date, tableAt, now);
    const plan = planChannels(deps, askable, tableAt.getTime() - now.getTime());
    const open = place.closed_at === null ? openAtTable(askable, tableAt, now) : false;
    const left = await venueAsksLeft(ctx, place_id);
    const table = { placeId: place_id, date, time, partySize, tableAt };
    const [against] = await rulesAgainst(ctx.db, table, now);
    const rules = await listRules(ctx.db, place_id, localDate(timezone, now));
    const terms = termsAnswer(await readTerms(ctx.db, place_id));
    const refusal = await refusalOf(ctx, { plan, askable, open, left, against: against !== undefined });
    const { url, prefilled, guidance } = routeOf(
      place,
      { date, time, party_size: partySize },
      deps.config.prefix,
    );
    const answer = {
      place_id,
      open,
      local_time: `${date}T${time}`,
      timezone,
      within_hours_reason: reasonOf(open, place.closed_at !== null, openInsteadOf(askable, tableAt, now)),
      channel: plan.shownChannel,
      how:
        plan.refusal === 'not_bookable_here'
          ? `${noTables(place)} ${howBooked(place, url)}`
          : (HOW[plan.shownChannel] ?? ''),
      can_request: refusal === null,
      refusal,
      available: null,
      source: 'hours' as const,
      ...timesOf(ctx, askable, plan, tableAt),
      venue_rules: rules.map(venueRuleText),
      table_terms: terms,
      venue_asks_left_today: left,
      link: plan.shownChannel === 'link' ? { url, prefilled, guidance } : null,
      booked: false as const,
    };
    const [first] = plan.targets;
    const channel = first && channelNamed(first.channel);
    if (refusal === null && channel?.available !== undefined)
      ctx.afterCommit(async (outside) => {
        const isFree = await querySystem(outside, channel, askable, { date, time, partySize, tableAt });
        return { ...answer, available: isFree, source: isFree === null ? 'hours' : 'venue_system' };
      });
    return answer;
  },
  summarize(checked) {
    const { place_id, local_time, timezone, channel, how, can_request, refusal, available, link } = checked;
    const free =
      available === null ? '' : available ? ' Its system has a table.' : ' Its system has no table.';
    return joinLines(
      `${place_id}, ${local_time} ${timezone}: ${checked.within_hours_reason}${free}`,
      can_request
        ? `A table can be requested (${channel}): ${how}`
        : `A table cannot be requested: ${refusal ?? ''}. ${how}`,
      joinFacts(
        labelled('The venue answers by', checked.answer_by),
        labelled('It is asked from', checked.quiet_until),
        `asks left today: ${checked.venue_asks_left_today}`,
      ),
      ...checked.venue_rules,
      ...termSentences(checked.table_terms),
      link !== null && `${link.guidance} booking.url: ${link.url ?? 'none'}`,
      'Nothing is booked.',
    );
  },
});

interface Possible {
  plan: ChannelPlan;
  askable: AskablePlace;
  open: boolean | null;
  left: number;
  against: boolean;
}

async function refusalOf(
  ctx: Ctx,
  { plan, askable, open, left, against }: Possible,
): Promise<RefusalWord | null> {
  const permanent = await permanentRefusal(ctx, askable, plan);
  if (permanent !== null) return permanent;
  if (open === false) return 'closed_at_that_time';
  if (against) return 'against_venue_rule';
  return left === 0 ? 'venue_daily_cap' : null;
}

/** The kill switch stops even queries to the venue's system. */
async function querySystem(
  { deps, inTransaction }: StepContext,
  channel: Channel,
  { place }: AskablePlace,
  table: { date: string; time: string; partySize: number; tableAt: Date },
): Promise<boolean | null> {
  return inTransaction(async (tx) => {
    if (await holdKillSwitch(tx)) return null;
    return channel.available?.(deps, place.id, table, tx) ?? null;
  });
}

function reasonOf(open: boolean | null, closedForGood: boolean, instead = ''): string {
  if (closedForGood) return 'The place appears to have closed for good.';
  if (open === null) return 'Its hours are not verified.';
  return open
    ? 'Its verified hours say that it is open then.'
    : `Its verified hours say that it is closed then. ${instead}`;
}

function timesOf({ deps, now }: Ctx, askable: AskablePlace, plan: ChannelPlan, tableAt: Date) {
  if (plan.refusal !== null) return { answer_by: null, quiet_until: null };
  const contactHours = contactHoursOf(deps, askable, now);
  const deadline = deadlineOf(deps, askable, now, tableAt);
  const from =
    plan.targets[0] && isChannelKind(plan.targets[0].channel, 'system')
      ? now
      : askFrom(contactHours, now, deadline);
  return { answer_by: deadline.toISOString(), quiet_until: from > now ? from.toISOString() : null };
}
