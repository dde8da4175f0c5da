import type { Ctx } from '../../core/context.ts';
import { AppError } from '../../core/errors.ts';
import { refuseRemoved } from '../../directory/removal.ts';
import { refuseAgainstRule } from '../../venue/venue-rules.ts';
import { contactHoursOf, deadlineOf, findAskablePlace, planChannels } from '../asking/channel-plan.ts';
import { askFrom, tableInstant } from '../asking/timing.ts';
import type { AskablePlace } from '../channels/channel.ts';
import { channelNamed, STAFF_CHANNEL } from '../channels/channels.ts';
import { venueLanguage } from '../language/venue-language.ts';
import { isRehearsal } from '../rehearsal/rehearsal-venue.ts';
import {
  refuseUnaskable,
  refuseWhenClosed,
  refuseWrongTime,
  refuseWrongWait,
  refuseWrongWindow,
} from './table-fields.ts';

/** The caller, where there is one; members who request a table on a page have none. */
type Requester = Pick<Ctx, 'db'> &
  Partial<Pick<Ctx, 'actor'>> & {
    /** True when a request at a rehearsal venue was accepted before. */
    rehearses?: boolean;
  };

/** The place that a table is wanted at. Unknown and removed places are refused. */
export async function requireAskable(
  { db, actor, rehearses = false }: Requester,
  placeId: string,
): Promise<AskablePlace> {
  const askable = await findAskablePlace(db, placeId);
  // Rehearsal venues exist for partners only; a shared account serves the users of an assistant.
  const mayRehearse = rehearses || (actor?.kind === 'partner' && actor.shared !== true);
  if (askable === undefined || (isRehearsal(placeId) && !mayRehearse))
    throw new AppError('place_not_found', 'No place has this place_id.', {
      hint: 'Use a place_id from search_places; it begins with plc_.',
    });
  refuseRemoved(askable.place);
  return askable;
}

export interface WantedTable {
  placeId: string;
  date: string;
  time: string;
  timeUntil?: string | undefined;
  partySize: number;
  /** Until when the guest waits for a table of a full venue. */
  waitUntil?: Date | 'table' | undefined;
}

/** The table with everything that follows from the place: time zone, instant, channel and deadline. */
export async function askableTable(ctx: Requester & Pick<Ctx, 'deps' | 'now'>, wanted: WantedTable) {
  const { deps, now } = ctx;
  const askable = await requireAskable(ctx, wanted.placeId);
  const { timezone } = askable;
  const { date, time, timeUntil } = wanted;
  const tableAt = tableInstant(timezone, date, time);
  const plan = planChannels(deps, askable, tableAt.getTime() - now.getTime());
  refuseUnaskable(plan, askable, { date, time, partySize: wanted.partySize }, deps.config.prefix);
  refuseWrongTime(timezone, date, tableAt, now);
  refuseWrongWindow(time, timeUntil);
  refuseWhenClosed(askable, tableAt, now);
  const { waitUntil: wait, ...requested } = wanted;
  const waitUntil = wait === 'table' ? tableAt : wait;
  if (waitUntil !== undefined) refuseWrongWait(waitUntil, tableAt, now);
  const full = await refuseAgainstRule(ctx.db, { ...requested, tableAt }, now, {
    waits: waitUntil !== undefined,
  });
  const contactHours = contactHoursOf(deps, askable, now);
  const deadline = deadlineOf(deps, askable, now, tableAt);
  const channel = channelNamed(plan.targets[0]?.channel ?? STAFF_CHANNEL);
  // On a full day nobody is asked, so the request need not wait for the venue's contact hours.
  const from = full || channel.kind === 'system' ? now : askFrom(contactHours, now, deadline);
  const table = {
    ...requested,
    waitUntil: waitUntil ?? null,
    timeUntil: timeUntil ?? null,
    timezone,
    tableAt,
    channel: channel.name,
    answerBy: deadline,
  };
  const language = (channel.language ?? venueLanguage)(askable.place);
  return { askable, table, from, full, word: channel.shownAs.name, language };
}
