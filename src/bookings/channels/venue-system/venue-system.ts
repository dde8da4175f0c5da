import { lookForTable } from '../../booking-server/look-for-table.ts';
import type { Channel } from '../channel.ts';
import { askSystem, pollSystem } from './ask-system.ts';
import { notifySystem } from './notify-system.ts';

/**
 * The venue's own booking system, through the Booking Server API v3: the only channel that confirms without a person.
 */
export const venueSystem: Channel = {
  name: 'venue_system',
  kind: 'system',
  sentence: "The venue's booking system.",
  shownAs: {
    name: 'venue_system',
    sentence: "The venue's booking system is asked.",
    how: "We will send the request to the venue's own booking system.",
  },
  label: "Venue's own system",
  askedText: "The request is in the venue's own booking system.",
  cancelledText: "The venue's own system has no table for this booking any more.",
  contactSql:
    'exists (select from venue_connector c where c.place_id = p.id and c.enabled and c.accepts_desk_contact)',
  contact: ({ lookups }) => (lookups[venueSystem.name] === true ? null : undefined),
  // The system gets the desk's number instead of the guest's.
  suits: ({ deps }) => deps.config.desk.phone !== undefined,
  ask: askSystem,
  poll: pollSystem,
  available: (deps, placeId, { tableAt, partySize }, db) =>
    lookForTable(deps, db, { placeId, tableAt, partySize }),
  tell: notifySystem,
};
