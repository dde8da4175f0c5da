import type { Fact } from '../../../src/directory/booking-route/platforms.ts';

export interface GoldenUrl {
  /** The row of the table, in words. */
  readonly row: string;
  readonly platform: string;
  readonly stored: string;
  /** The link for four people on Friday 2026-11-06 at 19:30. */
  readonly prefilled: string;
  readonly fills: readonly Fact[];
}

const all = ['party_size', 'date', 'time'] as const;

/** One link for every row of the table, in its order. */
export const GOLDEN_URLS: readonly GoldenUrl[] = [
  {
    row: 'OpenTable restref',
    platform: 'opentable',
    stored: 'https://www.opentable.com/restref/client/?rid=1234&restref=1234&lang=en-US',
    prefilled:
      'https://www.opentable.com/restref/client/?rid=1234&restref=1234&lang=en-US&datetime=2026-11-06T19%3A30&covers=4',
    fills: all,
  },
  {
    row: 'OpenTable profile',
    platform: 'opentable',
    stored: 'https://www.opentable.com/restaurant/profile/1234',
    prefilled:
      'https://www.opentable.com/restaurant/profile/1234/reserve?datetime=2026-11-06T19%3A30&covers=4&rid=1234&restref=1234',
    fills: all,
  },
  {
    row: 'OpenTable slug',
    platform: 'opentable',
    stored: 'https://www.opentable.co.uk/r/the-silver-spoon-london',
    prefilled:
      'https://www.opentable.co.uk/r/the-silver-spoon-london?dateTime=2026-11-06T19%3A30%3A00&covers=4',
    fills: all,
  },
  {
    row: 'Resy',
    platform: 'resy',
    stored: 'https://resy.com/cities/new-york-ny/venues/the-silver-spoon',
    prefilled: 'https://resy.com/cities/new-york-ny/venues/the-silver-spoon?date=2026-11-06&seats=4',
    fills: ['party_size', 'date'],
  },
  {
    row: 'Tock',
    platform: 'tock',
    stored: 'https://www.exploretock.com/silverspoon',
    prefilled: 'https://www.exploretock.com/silverspoon/search?date=2026-11-06&size=4&time=19%3A30',
    fills: all,
  },
  {
    row: 'SevenRooms',
    platform: 'sevenrooms',
    stored: 'https://www.sevenrooms.com/reservations/silverspoon',
    prefilled:
      'https://www.sevenrooms.com/reservations/silverspoon?default_date=2026-11-06&default_party_size=4&default_time=19%3A30',
    fills: all,
  },
  {
    row: 'TableCheck',
    platform: 'tablecheck',
    stored: 'https://www.tablecheck.com/en/shops/silver-spoon/reserve',
    prefilled:
      'https://www.tablecheck.com/en/shops/silver-spoon/reserve?start_date=2026-11-06&start_time=19%3A30&num_people=4',
    fills: all,
  },
  {
    row: 'Chope',
    platform: 'chope',
    stored: 'https://book.chope.co/booking?rid=silverspoon1701sg&source=web',
    prefilled:
      'https://book.chope.co/booking?rid=silverspoon1701sg&source=web&date=06%2F11%2F2026&time=1930&adults=4&children=0',
    fills: all,
  },
  {
    row: 'ResDiary',
    platform: 'resdiary',
    stored: 'https://booking.resdiary.com/widget/Standard/SilverSpoon/5432',
    prefilled: 'https://booking.resdiary.com/widget/Standard/SilverSpoon/5432?date=2026-11-06&partySize=4',
    fills: ['party_size', 'date'],
  },
  {
    row: 'DesignMyNight',
    platform: 'designmynight',
    stored: 'https://bookings.designmynight.com/book?venue_id=5abc&type=dinner',
    prefilled:
      'https://bookings.designmynight.com/book?venue_id=5abc&type=dinner&num_people=4&date=2026-11-06&time=19%3A30&source=partner',
    fills: all,
  },
  {
    row: 'Yelp',
    platform: 'yelp',
    stored: 'https://www.yelp.com/reservations/silver-spoon-san-francisco',
    prefilled:
      'https://www.yelp.com/reservations/silver-spoon-san-francisco?date=2026-11-06&covers=4&time=1930',
    fills: all,
  },
  {
    row: 'Zenchef',
    platform: 'zenchef',
    stored: 'https://bookings.zenchef.com/results?rid=350000',
    prefilled: 'https://bookings.zenchef.com/results?rid=350000&day=2026-11-06&pid=1001',
    fills: ['date'],
  },
  {
    row: 'Ikyu',
    platform: 'ikyu',
    stored: 'https://restaurant.ikyu.com/100523/',
    prefilled: 'https://restaurant.ikyu.com/100523/dinner/?pusy=2026&pusm=11&pusd=6&pups=4',
    fills: ['party_size', 'date'],
  },
  {
    row: 'Pocket Concierge',
    platform: 'pocket_concierge',
    stored: 'https://pocket-concierge.jp/en/restaurants/244036',
    prefilled: 'https://pocket-concierge.jp/en/restaurants/244036?seat_date_eq=2026-11-06',
    fills: ['date'],
  },
  {
    row: 'SynXis',
    platform: 'synxis',
    stored: 'https://be.synxis.com/?Hotel=4253&Chain=10634',
    prefilled:
      'https://be.synxis.com/?Hotel=4253&Chain=10634&arrive=2026-11-06&depart=2026-11-07&adult=4&child=0',
    fills: ['party_size', 'date'],
  },
  ...[
    ['TheFork page', 'thefork', 'https://www.thefork.it/restaurant/il-cucchiaio-r12345'],
    [
      'TheFork widget',
      'thefork',
      'https://widget.thefork.com/en/0f8fad5b-d9cb-469f-a165-70867728950e?step=date',
    ],
    ['Quandoo', 'quandoo', 'https://www.quandoo.de/en/place/silberloeffel-12345'],
    [
      'Quandoo widget',
      'quandoo',
      'https://booking-widget.quandoo.com/iframe.html?agentId=2&merchantId=12345',
    ],
    ['Eat App', 'eatapp', 'https://eatapp.co/reserve/silver-spoon-dubai'],
    [
      'CoverManager',
      'covermanager',
      'https://www.covermanager.com/reserve/module_restaurant/restaurante-cuchara/spanish',
    ],
    [
      'NowBookIt',
      'nowbookit',
      'https://booking.nowbookit.com/steps/sitting-details?accountid=1-2&venueid=1234',
    ],
    ['inline', 'inline', 'https://inline.app/booking/-Lnabc:inline-live-1/-Lnxyz?language=en'],
    ['Hungry Hub', 'hungryhub', 'https://web.hungryhub.com/restaurants/silver-spoon?locale=th'],
    ['Superb', 'superb', 'https://silverspoon.superbexperience.com/reserve/guests'],
    [
      'Bookarestaurant',
      'bookarestaurant',
      'https://www.bookarestaurant.com/widget/BookingWidgetView/3466/Silver/3/en-AU',
    ],
  ].map(([row = '', platform = '', link = '']) => ({
    row,
    platform,
    stored: link,
    prefilled: link,
    fills: [],
  })),
];
