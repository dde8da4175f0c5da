import { closedSet } from '../../core/input/closed-set.ts';

/** Public names of the booking platforms whose pages are recognised. */
export const platformSet = closedSet('BookingPlatform', {
  opentable: 'OpenTable.',
  resy: 'Resy.',
  tock: 'Tock.',
  sevenrooms: 'SevenRooms.',
  tablecheck: 'TableCheck.',
  chope: 'Chope.',
  resdiary: 'ResDiary.',
  designmynight: 'DesignMyNight.',
  yelp: 'Yelp.',
  zenchef: 'Zenchef.',
  ikyu: 'Ikyu.',
  pocket_concierge: 'Pocket Concierge.',
  synxis: 'SynXis, for rooms.',
  thefork: 'TheFork.',
  quandoo: 'Quandoo.',
  eatapp: 'Eat App.',
  covermanager: 'CoverManager.',
  nowbookit: 'Now Book It.',
  inline: 'Inline.',
  hungryhub: 'Hungry Hub.',
  superb: 'Superb.',
  bookarestaurant: 'Book a Restaurant.',
});
export type PlatformName = (typeof platformSet.values)[number];
