import { closedSet } from '../../core/input/closed-set.ts';
import type { ChannelName } from '../booking.ts';
import type { Channel, ChannelKind } from './channel.ts';
import { desk } from './desk.ts';
import { mail } from './mail.ts';
import { phone } from './phone/phone.ts';
import { rehearsal } from './rehearsal.ts';
import { sms } from './sms.ts';
import { venueSystem } from './venue-system/venue-system.ts';

/** All channels, in the order in which a venue is contacted. A channel with stored bookings must stay in the list. */
export const CHANNELS: readonly Channel[] = [venueSystem, sms, mail, phone, rehearsal, desk];

/** The channel of the desk, which takes over when the others fail. */
export const STAFF_CHANNEL: ChannelName = desk.name;

const byName = new Map(CHANNELS.map((channel) => [channel.name, channel]));

export function channelNamed(name: ChannelName): Channel {
  const channel = byName.get(name);
  if (channel === undefined) throw new Error(`There is no channel ${name}.`);
  return channel;
}

export function isChannelKind(name: ChannelName, kind: ChannelKind): boolean {
  return byName.get(name)?.kind === kind;
}

/** Returns the names of the channels of a kind, for queries. */
export function channelsOfKind(kind: ChannelKind): ChannelName[] {
  return CHANNELS.filter((channel) => channel.kind === kind).map(({ name }) => name);
}

/** Names of channels as timelines contain them. */
export const channelNameSet = closedSet(
  'ChannelName',
  Object.fromEntries(CHANNELS.map(({ name, sentence }) => [name, sentence])),
);

/** Channels as shown to callers. */
export const publicChannelSet = closedSet(
  'Channel',
  Object.fromEntries(CHANNELS.map(({ shownAs }) => [shownAs.name, shownAs.sentence])),
);
