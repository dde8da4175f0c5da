import type { Deps } from '../core/context.ts';
import { E164 } from '../core/text/e164.ts';
import type { Payloads } from '../jobs/task.ts';
import type { MessageSender } from './message-sender.ts';
import { TextSender } from './text-sender.ts';

type MessageSenders = Pick<Deps, 'mail' | 'twilio' | 'config'>;

/** A transport of messages. */
interface MessageTransport {
  label: string;
  /** The transport's sender; undefined when none is configured, and staff pass the message on. */
  sender(senders: MessageSenders): MessageSender | undefined;
  /** The task that delivers messages about bookings. */
  bookingTask: keyof Payloads;
  isAddress(to: string): boolean;
  /** Error message for an invalid address. */
  addressFault: string;
  /** Masks an address so that its owner recognises it and nobody else learns it. */
  mask(to: string): string;
  /** Maximum number of codes per day to one contact, so that strangers cannot flood it by pressing a button. */
  codesPerDay: { perAddress: number; total: number };
}

/** All transports of messages, by the name that is stored with each message and contact. */
export const MESSAGE_CHANNELS = {
  mail: {
    label: 'Mail',
    sender: ({ mail }) => mail,
    bookingTask: 'deliver_venue_mail',
    isAddress: (to) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(to),
    addressFault: 'Give a complete address.',
    mask(to) {
      const [name = '', host = ''] = to.split('@');
      return `${name.slice(0, 1)}•••@${host}`;
    },
    codesPerDay: { perAddress: 6, total: 30 },
  },
  sms: {
    label: 'SMS',
    sender: ({ twilio, config }) => twilio && new TextSender(twilio, config.baseUrl),
    bookingTask: 'deliver_venue_text',
    isAddress: (to) => E164.test(to),
    addressFault: 'Give the number with its country code: +62…',
    mask: (to) => `${to.slice(0, 3)}•••${to.slice(-3)}`,
    codesPerDay: { perAddress: 3, total: 12 },
  },
} as const satisfies Readonly<Record<string, MessageTransport>>;

export type MessageChannel = keyof typeof MESSAGE_CHANNELS;

export const MESSAGE_CHANNEL_NAMES = Object.keys(MESSAGE_CHANNELS) as MessageChannel[];

/** Transport whose carrier reports later that it could not deliver a message. */
export const TEXT_CHANNEL: MessageChannel = 'sms';

export function channelsWithSender(senders: MessageSenders): MessageChannel[] {
  return MESSAGE_CHANNEL_NAMES.filter((name) => MESSAGE_CHANNELS[name].sender(senders) !== undefined);
}
