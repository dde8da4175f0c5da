import type { Scope } from '../../core/context.ts';

/** Description of every scope of every endpoint, for people who have not read the documentation. */
export const SCOPE_DESCRIPTIONS: Readonly<Record<Scope, string>> = {
  read: 'Search the directory, read places and photo offers, and see your account, your submissions and your photo wallet. This uses the daily reads of your account.',
  write:
    'Submit businesses and promotions in your name. A person checks each of them before anybody sees it. Get links to the photos that you have licensed, and links where you can pay.',
  'partner.read':
    'Search the directory and read places as your partner account. This uses the calls that your plan includes, then the paid calls that you agreed to.',
  bookings:
    'Ask venues for tables, change and cancel them, and see all bookings of your partner account, with the names of guests.',
};

/** The same, keyed by the names that clients use, which carry the prefix of the installation: `svc.read`. */
export function scopesByName(prefix: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(SCOPE_DESCRIPTIONS).map(([scope, words]) => [`${prefix}.${scope}`, words]),
  );
}
