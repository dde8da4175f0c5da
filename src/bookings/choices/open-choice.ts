import { z } from 'zod';
import type { Ctx } from '../../core/context.ts';
import { AppError, invalidField } from '../../core/errors.ts';
import { isRehearsal } from '../rehearsal/rehearsal-venue.ts';
import { askableTable, type WantedTable } from '../request/askable-table.ts';
import { refuseDuplicate, type NewBooking } from '../request/open-booking.ts';
import { placeIdField } from '../request/table-fields.ts';
import { ALTERNATIVES_MAX, ANSWER_WITHIN_MINUTES, storeChoice } from './choice.ts';

export const alternativesField = z
  .array(placeIdField)
  .min(1)
  .max(ALTERNATIVES_MAX)
  .describe(
    'Other venues for the same table, in order. The next one is asked when the one before says no, its offer is declined, or it is silent for answer_within_minutes. One table at most is confirmed.',
  );
export const answerWithinField = z
  .int()
  .min(ANSWER_WITHIN_MINUTES.min)
  .max(ANSWER_WITHIN_MINUTES.max)
  .describe(
    `With alternatives: after how many minutes of silence the next venue is asked, ${ANSWER_WITHIN_MINUTES.min} to ${ANSWER_WITHIN_MINUTES.max}; ${ANSWER_WITHIN_MINUTES.standard} if omitted.`,
  );

interface WantedChoice {
  alternatives: readonly string[];
  wanted: WantedTable;
  draft: NewBooking;
}

/** Checks each alternative as a request of its own, except for its daily limit, which counts once it is asked. */
export async function checkAlternatives(
  ctx: Ctx,
  { alternatives, wanted, draft }: WantedChoice,
): Promise<void> {
  if (new Set([wanted.placeId, ...alternatives]).size <= alternatives.length)
    throw invalidField(
      'alternatives',
      'bad_format',
      'must name each venue once, and not the one in place_id',
    );
  // Rehearsal venues work without enabled bookings and make no real table.
  if (alternatives.some((id) => isRehearsal(id) !== isRehearsal(wanted.placeId)))
    throw invalidField('alternatives', 'bad_format', 'rehearsal venues cannot be mixed with real ones');
  for (const [at, placeId] of alternatives.entries())
    try {
      const { table } = await askableTable(ctx, { ...wanted, placeId });
      await refuseDuplicate(ctx, { ...draft, ...table }, { checkOnly: true });
    } catch (thrown) {
      throw aboutAlternative(thrown, at, placeId);
    }
}

function aboutAlternative(thrown: unknown, at: number, placeId: string): unknown {
  if (!(thrown instanceof AppError)) return thrown;
  const { code, message, hint, errors, retryAfterSeconds, members, cause } = thrown;
  return new AppError(code, `Alternative ${at + 1}, ${placeId}: ${message}`, {
    cause,
    errors,
    ...(hint !== undefined && { hint }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    members: { ...members, alternative: placeId },
  });
}

/** Stores the choice whose first venue is about to be asked. */
export async function openChoice(
  ctx: Ctx,
  { alternatives, wanted, draft }: WantedChoice,
  answerWithinMinutes: number = ANSWER_WITHIN_MINUTES.standard,
): Promise<NonNullable<NewBooking['choice']>> {
  const placeIds = [wanted.placeId, ...alternatives];
  const { date, time, timeUntil, partySize } = draft;
  const id = ctx.newId('chc');
  const { partnerId } = draft;
  await storeChoice(
    ctx.db,
    { id, partnerId, placeIds, date, time, timeUntil, partySize, answerWithinMinutes },
    ctx.now,
  );
  return { id, position: 1, of: placeIds.length };
}
