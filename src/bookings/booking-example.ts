import { entryAnswer, headOf, type BookingAnswer } from './booking-answer.ts';
import { hashEntry, type TimelineEntry, type SealedEntry, requestReceived } from './timeline.ts';

const ID = 'bkg_01kdtqb00071qz6sbs7e2vkqza';

const CONFIRMED: readonly TimelineEntry[] = [
  requestReceived(new Date('2026-11-15T08:00:00.000Z')),
  {
    sequence: 2,
    at: new Date('2026-11-15T08:00:02.417Z'),
    event: 'asking',
    from: 'sent',
    to: 'asking',
    actor: 'service',
    channel: 'sms',
    revision: 1,
    text: 'A text message was sent to the venue.',
  },
  {
    sequence: 3,
    at: new Date('2026-11-15T08:12:00.000Z'),
    event: 'confirmed',
    from: 'asking',
    to: 'confirmed',
    actor: 'venue',
    channel: 'sms',
    revision: 1,
    text: 'The venue confirmed the table.',
  },
];

const CANCELLED: TimelineEntry = {
  sequence: 4,
  at: new Date('2026-11-16T09:30:00.000Z'),
  event: 'cancelled',
  from: 'confirmed',
  to: 'cancelled',
  actor: 'partner',
  channel: null,
  revision: 1,
  text: 'The request was cancelled.',
};

/** Builds the timeline part of an answer, with the real hashes of these entries. */
function timelineFields(entries: readonly TimelineEntry[]) {
  const sealed: SealedEntry[] = [];
  for (const entry of entries)
    sealed.push({ ...entry, bookingId: ID, hash: hashEntry(ID, entry, sealed.at(-1)?.hash) });
  const timeline = sealed.map(entryAnswer);
  const { sequence, at } = timeline.at(-1) ?? { sequence: 0, at: '' };
  return { updated_at: at, last_sequence: sequence, timeline, timeline_head: headOf(timeline) };
}

/** The booking in all examples. Its timeline can be verified like any other, as docs/guides/webhooks.md does. */
export const BOOKING_EXAMPLE: BookingAnswer = {
  booking_id: ID,
  status: 'confirmed',
  booked: true,
  place: {
    place_id: 'plc_01kdtqb00071qz6sbs7e2vkqza',
    name: 'Warung Senja',
    address: 'Jalan Pantai 7',
    timezone: 'Asia/Makassar',
  },
  date: '2026-11-20',
  time: '19:30',
  party_size: 4,
  for: { type: 'guest', name: 'Guest Example', member_id: null },
  notes: 'A quiet table, please.',
  channel: 'tap',
  answer_by: null,
  revision: 1,
  offer: null,
  offers: [],
  confirmation: { ref: null, by: 'venue', at: '2026-11-15T08:12:00.000Z' },
  held: null,
  reverted: false,
  reason: null,
  link: null,
  created_at: '2026-11-15T08:00:00.000Z',
  ...timelineFields(CONFIRMED),
};

export const CANCELLED_EXAMPLE: BookingAnswer = {
  ...BOOKING_EXAMPLE,
  status: 'cancelled',
  booked: false,
  confirmation: null,
  reason: 'The guest is ill.',
  ...timelineFields([...CONFIRMED, CANCELLED]),
};
