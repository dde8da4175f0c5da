import assert from 'node:assert/strict';
import { findAskablePlace } from '../../bookings/asking/channel-plan.ts';
import type { AskablePlace } from '../../bookings/channels/channel.ts';
import type { Actor } from '../../core/context.ts';
import { AppError } from '../../core/errors.ts';
import type { Db } from '../../core/postgres/db.ts';
import { refuseRemoved } from '../../directory/removal.ts';

/** Common properties of the tools with which partners book tables. */
export const bookingTool = { tag: 'bookings', access: { who: 'partner' }, tools: ['concierge'] } as const;

/** The same for tools that guests of large assistants call too. */
export const guestTool = {
  ...bookingTool,
  tools: ['concierge', 'reserve'],
  containsUntrustedText: true,
} as const;

export type CallingPartner = Extract<Actor, { kind: 'partner' }>;

export function partnerOf(actor: Actor): CallingPartner {
  assert.ok(actor.kind === 'partner', 'Only a partner reaches this operation.');
  return actor;
}

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
