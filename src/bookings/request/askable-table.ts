import type { Ctx } from '../../core/context.ts';
import { AppError } from '../../core/errors.ts';
import type { Db } from '../../core/postgres/db.ts';
import { refuseRemoved } from '../../directory/removal.ts';
import { contactHoursOf, findAskablePlace, planChannels } from '../asking/channel-plan.ts';
import { answerBy, askFrom, tableInstant } from '../asking/timing.ts';
import type { AskablePlace } from '../channels/channel.ts';
import { channelNamed, STAFF_CHANNEL } from '../channels/channels.ts';
import { venueLanguage } from '../language/venue-language.ts';
import { refuseUnaskable, refuseWhenClosed, refuseWrongTime } from './table-fields.ts';

/** The place that a table is wanted at. Unknown and removed places are refused. */
export async function requireAskable(db: Db, placeId: string): Promise<AskablePlace> {
  const askable = await findAskablePlace(db, placeId);
  if (askable === undefined)
    throw new AppError('place_not_found', 'No place has this place_id.', {
      hint: 'Use a place_id from search_places; it begins with plc_.',
    });
  refuseRemoved(askable.place);
  return askable;
}

interface WantedTable {
  placeId: string;
  date: string;
  time: string;
  partySize: number;
}

/** The table with everything that follows from the place: time zone, instant, channel and deadline. */
export async function askableTable({ db, deps, now }: Pick<Ctx, 'db' | 'deps' | 'now'>, wanted: WantedTable) {
  const askable = await requireAskable(db, wanted.placeId);
  const { timezone } = askable;
  const { date, time } = wanted;
  const tableAt = tableInstant(timezone, date, time);
  const plan = planChannels(deps, askable, tableAt.getTime() - now.getTime());
  refuseUnaskable(plan, askable, wanted, deps.config.prefix);
  refuseWrongTime(timezone, date, tableAt, now);
  refuseWhenClosed(askable, tableAt, now);
  const contactHours = contactHoursOf(deps, askable, now);
  const deadline = answerBy(contactHours, now, tableAt, deps.config.bookings.answerMs);
  const channel = channelNamed(plan.targets[0]?.channel ?? STAFF_CHANNEL);
  const from = channel.kind === 'system' ? now : askFrom(contactHours, now, deadline);
  const table = { ...wanted, timezone, tableAt, channel: channel.name, answerBy: deadline };
  const language = (channel.language ?? venueLanguage)(askable.place);
  return { askable, table, from, word: channel.shownAs.name, language };
}
