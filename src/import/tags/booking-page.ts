/** Hosts of booking platforms, and the paths under which a venue's own booking page lies. */
const PLATFORMS: readonly (readonly [host: RegExp, path: RegExp])[] = [
  [/(^|\.)opentable(\.[a-z]{2,3}){1,2}$/, /^\/(restref\/client|restaurant\/profile\/|r\/|[a-z0-9-]+$)/],
  [/(^|\.)resy\.com$/, /^\/cities\/[^/]+\/./],
  [/(^|\.)exploretock\.com$/, /^\/./],
  [/(^|\.)sevenrooms\.com$/, /^\/(reservations|explore)\/./],
  [/(^|\.)tablecheck\.com$/, /^\/([a-z-]+\/)?(shops\/)?./],
  [/^(book|booking)\.chope\.co$/, /^\/booking/],
  [/(^|\.)resdiary\.com$/, /^\/(widget|restaurant)\/./i],
  [/^bookings\.designmynight\.com$/, /^\/book/],
  [/(^|\.)yelp(\.[a-z]{2,3}){1,2}$/, /^\/reservations\/./],
  [/^bookings\.zenchef\.com$/, /^\/./],
  [/^restaurant\.ikyu\.com$/, /^\/\d+/],
  [/(^|\.)pocket-concierge\.jp$/, /\/restaurants\/./],
  [/^be\.synxis\.com$/, /^\//],
  [/^widget\.thefork\.com$/, /^\/./],
  [
    /(^|\.)(thefork|lafourchette|theforkmanager)(\.[a-z]{2,3}){1,2}$/,
    /^\/(restaurant|restaurante|ristorante)\/./,
  ],
  [/(^|\.)quandoo(\.[a-z]{2,3}){1,2}$/, /\/(place|restaurant)\/.|iframe\.html/],
  [/(^|\.)eatapp\.co$/, /^\/reserve\/./],
  [/(^|\.)covermanager\.com$/, /^\/(reserve|reservation)\/./],
  [/^booking\.nowbookit\.com$/, /^\/./],
  [/(^|\.)inline\.app$/, /^\/booking\/./],
  [/(^|\.)hungryhub\.com$/, /\/restaurants\/./],
];

/** Whether an address is a venue's page on a booking platform, and not the platform's front page. */
export function isBookingPage(address: string): boolean {
  const url = URL.parse(address);
  if (url === null) return false;
  return PLATFORMS.some(([host, path]) => host.test(url.hostname) && path.test(url.pathname));
}
