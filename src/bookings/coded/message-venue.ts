import type { Ctx } from '../../core/context.ts';
import { AppError } from '../../core/errors.ts';
import { findAskablePlace } from '../asking/channel-plan.ts';
import { REACHED } from '../asking/queue-notification.ts';
import { listAsks } from '../booking-row.ts';
import type { Booking, ChannelName } from '../booking.ts';
import { CHANNELS, isChannelKind, STAFF_CHANNEL } from '../channels/channels.ts';
import { wakeBooking } from '../move-booking.ts';
import { noteEntry } from '../timeline.ts';
import { listCodedMessages, storeCodedMessage, takesMessages, type CodedMessage } from './coded-message.ts';
import { codedSentence } from './coded-words.ts';

const MESSAGES_MAX = 20;

type MessageContext = Pick<Ctx, 'db' | 'now'>;
type NewCodedMessage = Pick<CodedMessage, 'code' | 'minutes' | 'allergens' | 'at'>;

/** Sends a coded message of the partner to the venue. The caller has locked the booking. */
export async function sendToVenue(
  ctx: MessageContext,
  booking: Booking,
  given: NewCodedMessage,
): Promise<Booking> {
  const { db, now } = ctx;
  await refuseMessage(ctx, booking, 'partner');
  // With a revision of its own, each message is delivered, with a link of its own.
  const changed = { ...booking, revision: booking.revision + 1 };
  await db`update booking set revision = ${changed.revision} where id = ${booking.id}`;
  await noteEntry(db, now, changed, {
    event: 'message_sent',
    actor: 'partner',
    text: `A message for the venue: ${codedSentence(given)}`,
  });
  const { id: bookingId, lastSequence: sequence, revision } = changed;
  await storeCodedMessage(db, {
    bookingId,
    sequence,
    sender: 'partner',
    ...given,
    sentAt: now,
    seenAt: null,
  });
  await db`
    insert into venue_ask (booking_id, revision, step, channel, state, claimed_at)
    values (${bookingId}, ${revision}, 'notify_message', ${await channelFor(ctx, booking)}, 'queued', ${now})`;
  await wakeBooking(db, bookingId);
  return changed;
}

export async function refuseMessage(
  { db, now }: MessageContext,
  booking: Booking,
  sender: CodedMessage['sender'],
): Promise<void> {
  if (!takesMessages(booking, now))
    throw new AppError(
      'invalid_move',
      'Messages are possible about a confirmed table, until an hour after its time. Nothing was sent.',
      { hint: 'booking_status shows the current status.' },
    );
  const sent = (await listCodedMessages(db, [booking.id])).filter((one) => one.sender === sender);
  if (sent.length >= MESSAGES_MAX)
    throw new AppError('invalid_move', `This table already has ${MESSAGES_MAX} messages. Nothing was sent.`);
}

/** The channel on which people at the venue read a message: the one that reached them last, else any, else the desk. */
async function channelFor({ db }: MessageContext, { id, placeId }: Booking): Promise<ChannelName> {
  const reached = (await listAsks(db, id)).findLast(
    ({ channel, state }) => isChannelKind(channel, 'message') && REACHED.includes(state),
  );
  if (reached !== undefined) return reached.channel;
  const askable = await findAskablePlace(db, placeId);
  const writable = CHANNELS.find(
    (one) => one.kind === 'message' && askable !== undefined && one.contact(askable) !== undefined,
  );
  return writable?.name ?? STAFF_CHANNEL;
}
