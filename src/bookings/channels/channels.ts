import type { ChannelName } from '../booking.ts';
import type { Channel } from '../channel.ts';
import { desk } from './desk.ts';
import { phone } from './phone.ts';
import { mail, sms } from './tap.ts';
import { venueSystem } from './venue-system.ts';

export const CHANNELS: Readonly<Record<ChannelName, Channel>> = {
  venue_system: venueSystem,
  sms,
  mail,
  phone,
  desk,
};
