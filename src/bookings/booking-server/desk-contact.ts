import { createHmac } from 'node:crypto';
import type { Deps } from '../../core/context.ts';
import type { Booking } from '../booking.ts';
import type { UserInformation } from './booking-server-shapes.ts';

type Named = Pick<Booking, 'id' | 'partnerId' | 'guestName'>;

/** The guest's name with the desk's contact. The user id differs for every booking, so guests cannot be linked. */
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
function splitName(name: string): { given_name: string; family_name: string } {
  const words = name.trim().split(/\s+/);
  if (words.length === 1) return { given_name: words.join(''), family_name: '-' };
  return { given_name: words.slice(0, -1).join(' '), family_name: words.at(-1) ?? '-' };
}
