import { createHmac } from 'node:crypto';
import type { Deps } from '../../core/context.ts';
import type { Booking } from '../booking.ts';
import type { UserInformation } from './booking-server-shapes.ts';

type Named = Pick<Booking, 'id' | 'partnerId' | 'guestName'>;

/**
 * Returns the guest data for a venue's system: the guest's name with the desk's contact, since we do not have the
 * guest's. The user id is different for every booking, so that a venue's system cannot link the tables of one guest.
 */
export function deskContact(
  deps: Pick<Deps, 'config' | 'secrets'>,
  booking: Named,
): UserInformation | undefined {
  const { phone, mailDomain } = deps.config.desk;
  if (phone === undefined) return undefined;
  return {
    user_id: userIdOf(deps, booking),
    ...splitName(booking.guestName),
    telephone: phone,
    email: `bkg+${booking.id}@${mailDomain}`,
  };
}

export function userIdOf(
  { secrets }: Pick<Deps, 'secrets'>,
  { id, partnerId }: Omit<Named, 'guestName'>,
): string {
  return createHmac('sha256', secrets.connector)
    .update(JSON.stringify([partnerId, id]))
    .digest('hex');
}

/** Uses the last word as the family name. The protocol requires one, so a single word gets a dash. */
export function splitName(name: string): { given_name: string; family_name: string } {
  const words = name.trim().split(/\s+/);
  if (words.length === 1) return { given_name: words.join(''), family_name: '-' };
  return { given_name: words.slice(0, -1).join(' '), family_name: words.at(-1) ?? '-' };
}
