import type { Deps } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import { postMessage } from '../../messages/post-message.ts';
import type { VenueAsk } from '../channel.ts';
import { dayWords, tableWords } from '../table-words.ts';

type Posted = { outcome: 'posted'; messageId: string } | { outcome: 'failed'; detail: string };

const SUBJECTS: Record<VenueAsk['purpose'], (table: string) => string> = {
  new: (table) => `Do you have ${table}?`,
  change: (table) => `Could it be ${table} instead?`,
  reminder: (table) => `Still asking: do you have ${table}?`,
  accept: (table) => `We take ${table}`,
  accepted: (table) => `Thank you, we take ${table}`,
  cancelled: (table) => `No longer wanted: ${table}`,
  kept: (table) => `It stays as it was: ${table}`,
};

/** Puts a message to a venue into the outbox, with the link to its tap page where something is to be answered. */
export async function postToVenue(
  deps: Deps,
  db: Db,
  channel: 'mail' | 'sms',
  ask: VenueAsk,
): Promise<Posted> {
  if (ask.to === null) return { outcome: 'failed', detail: 'We hold no contact of the venue for this.' };
  const { also = [] } = ask;
  const link = `${deps.config.baseUrl}/v/${ask.token ?? ''}`;
  const answer =
    ask.token === null ? [] : [`${also.length === 0 ? 'Answer' : 'Answer each'} with one tap: ${link}`];
  const messageId = await postMessage(
    db,
    { newId: deps.newId, now: deps.clock.now() },
    {
      channel,
      to: ask.to,
      subject:
        also.length === 0
          ? SUBJECTS[ask.purpose](tableWords(ask.table))
          : `Do you have ${also.length + 1} tables on ${dayWords(ask.table.date)}?`,
      text: [ask.text, ...also.map(({ text }) => text), ...answer].join('\n\n'),
      purpose: `booking_${ask.purpose}`,
      subject_id: ask.booking.id,
      stopsWhenHalted: true,
      onFinish: 'venue_message_finished',
    },
  );
  return { outcome: 'posted', messageId };
}
