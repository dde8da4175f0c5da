import type { Ctx } from '../../core/context.ts';
import { closedSet } from '../../core/input/closed-set.ts';
import { errorSentences } from '../../core/errors.ts';
import { hasOnlyLocalNumber, type ChannelPlan } from '../asking/channel-plan.ts';
import type { AskablePlace } from '../channels/channel.ts';
import { isRehearsal } from '../rehearsal/rehearsal-venue.ts';
import { readKillSwitch } from '../kill-switch/kill-switch.ts';

/** Reasons why a venue cannot be asked for any table at the moment. */
export const permanentRefusalSet = closedSet(
  'StandingRefusal',
  errorSentences([
    'demonstration_place',
    'place_closed',
    'venue_opted_out',
    'not_bookable_here',
    'use_link',
    'venue_phone_no_country_code',
    'bookings_not_enabled',
    'bookings_halted',
  ]),
);

type StandingRefusal = (typeof permanentRefusalSet.values)[number];

/** Returns the reason for which request_table would refuse any table; null when it depends on the table. */
export async function permanentRefusal(
  { db, actor }: Pick<Ctx, 'db' | 'actor'>,
  askable: AskablePlace,
  plan: ChannelPlan,
): Promise<StandingRefusal | null> {
  if (plan.refusal !== null) return plan.refusal;
  if (hasOnlyLocalNumber(askable)) return 'venue_phone_no_country_code';
  if (!isRehearsal(askable.place.id) && (actor.kind !== 'partner' || !actor.bookingsEnabled))
    return 'bookings_not_enabled';
  return (await readKillSwitch(db)).on ? 'bookings_halted' : null;
}
