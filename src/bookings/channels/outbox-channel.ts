import type { Deps } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import { MESSAGE_CHANNELS, TEXT_CHANNEL, type MessageChannel } from '../../messages/message-channels.ts';
import type { MessagePart } from '../../messages/message-parts.ts';
import { postMessage } from '../../messages/post-message.ts';
import { subjectForVenue } from '../asking/venue-words.ts';
import { mainWord } from '../answering/reply/reply-words.ts';
import { venueLanguage, type VenueLanguage } from '../language/venue-language.ts';
import type { Channel, VenueAsk } from './channel.ts';

type PostOutcome = { outcome: 'posted'; messageId: string } | { outcome: 'failed'; detail: string };

type OwnProperties = Pick<Channel, 'sentence' | 'label' | 'askedText' | 'provider' | 'waitMs'>;

/** Public channel of every message with a link to the tap page. */
const TAP: Channel['shownAs'] = {
  name: 'tap',
  sentence: 'The venue gets a text message or a mail and answers with a tap.',
  how: 'We will write to the venue; it answers with a tap.',
};

/** Builds a channel that sends through the outbox, for messages that the venue answers with a tap. */
export function outboxChannel(name: MessageChannel, properties: OwnProperties): Channel {
  return {
    ...properties,
    name,
    kind: 'message',
    shownAs: TAP,
    contact({ contacts }) {
      const to = contacts.messageContacts.find(({ channel }) => channel === name)?.to;
      return to !== undefined && MESSAGE_CHANNELS[name].isAddress(to) ? to : undefined;
    },
    suits: ({ askable, soon }) => !soon && askable.place.booking_method !== 'phone',
    ask: (deps, ask, db) => postToVenue(deps, db, name, ask),
    tell: (deps, ask, db) => postToVenue(deps, db, name, ask),
  };
}

/** Queues a message to a venue, with the link to its tap page where an answer is expected. */
async function postToVenue(deps: Deps, db: Db, channel: MessageChannel, ask: VenueAsk): Promise<PostOutcome> {
  if (ask.to === null)
    return { outcome: 'failed', detail: 'We have no contact of the venue for this channel.' };
  const { also = [] } = ask;
  const link = `${deps.config.baseUrl}/v/${ask.token ?? ''}`;
  const language = venueLanguage(ask.place);
  const answer =
    ask.token === null
      ? []
      : [answerLine(deps, channel, language, { link, several: also.length > 0, purpose: ask.purpose })];
  const { deskPhone, contactEmail } = deps.config;
  const contact = [deskPhone, contactEmail].filter((one) => one !== undefined).join(', ');
  const person = language.text('message.person', { contact });
  const messageId = await postMessage(
    db,
    { newId: deps.newId, now: deps.clock.now() },
    {
      channel,
      to: ask.to,
      subject: subjectForVenue(ask, language),
      text: [...(await partsOf(db, [ask, ...also])), partForAll([...answer, person].join('\n'))],
      purpose: `booking_${ask.purpose}`,
      subject_id: ask.booking.id,
      stopsWhenHalted: true,
      onFinish: 'venue_message_finished',
    },
  );
  return { outcome: 'posted', messageId };
}

/** Says how to answer: by the link, and where replies are read, by a word. */
function answerLine(
  { config }: Deps,
  channel: MessageChannel,
  { text, code }: VenueLanguage,
  { link, several, purpose }: { link: string; several: boolean; purpose: VenueAsk['purpose'] },
): string {
  if (several) return text('message.answerEach', { link });
  // Words answer requests only.
  if (purpose === 'message') return text('message.answerHere', { link });
  const isRead = channel === TEXT_CHANNEL ? config.textReplies : config.mailReplies !== undefined;
  if (!isRead) return text('message.answerHere', { link });
  const [yes, no, stop] = (['yes', 'no', 'stop'] as const).map((meaning) => mainWord(code, meaning));
  return text('message.answerByText', { link, yes: yes ?? '', no: no ?? '', stop: stop ?? '' });
}

/**
 * Builds the message's parts without guests who were erased after the text was written. performStep blocks further
 * erasures meanwhile.
 */
async function partsOf(db: Db, asks: readonly VenueAsk[]): Promise<MessagePart[]> {
  const ids = asks.map(({ booking }) => booking.id);
  const erased = await db<{ id: string }[]>`
    select id from booking where id = any(${ids}::text[]) and erased_at is not null`;
  return asks.map(({ booking: { id }, text, nameless }) => ({
    about: id,
    text: erased.some((one) => one.id === id) ? nameless : text,
    nameless,
  }));
}

function partForAll(text: string): MessagePart {
  return { about: null, text, nameless: text };
}
