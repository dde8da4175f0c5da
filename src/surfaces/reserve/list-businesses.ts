import { z } from 'zod';
import { decodeCursor, encodeCursor } from '../../core/cursor.ts';
import { invalidField } from '../../core/errors.ts';
import { defineOperation, type RateLimit } from '../../core/operation.ts';
import { pageLimit } from '../../core/page-limit.ts';
import { MINUTE_MS } from '../../core/time.ts';
import { currentPosition, isReached, POSITION, transactionOf } from '../../directory/change-sequence.ts';
import { TABLE_KINDS } from '../../directory/booking-route/table-kinds.ts';
import { businessesChanged, listBusinessRows, type BusinessRow } from '../../feed/list-businesses.ts';
import examples from './examples.json' with { type: 'json' };

const LIMIT = 500;
const CURSOR = 'list_businesses';

/** Own limit, because a large directory has thousands of pages, which must not compete with guests' reads. */
const PAGES_A_MINUTE: RateLimit = {
  name: 'businesses-minute',
  windowMs: MINUTE_MS,
  max: () => 600,
  message: 'More than 600 pages of businesses were read within a minute.',
};
const TOKEN = new RegExp(`^chg_(${POSITION})$`);
const cursorShape = z.object({ after: z.string(), token: z.string() });

const business = z.object({
  id: z.string().describe('Send it as restaurant_id. It never changes.'),
  name: z.string(),
  address: z.object({
    line1: z.string(),
    locality: z.string(),
    country: z.string().describe('ISO 3166 alpha-2.'),
    formatted: z.string(),
  }),
  location: z.object({ latitude: z.number(), longitude: z.number() }),
  phone_number: z.string().describe('E.164.'),
  website_url: z.string(),
  platform_url: z.string().describe('Its listing here.'),
});

/** The feed that lists for an assistant the restaurants whose Reserve button leads here. */
export const listBusinesses = defineOperation({
  name: 'list_businesses',
  title: 'List businesses to reserve at',
  containsUntrustedText: true,
  description:
    'Restaurants, cafés and bars of the whole directory that can be asked for a table or have a booking page, page by page, for the search of an assistant. Only those with an address, a telephone number and a website are in it. Keep changes_token of a sync and send it with the next: checksum says whether anything changed since.',
  tag: 'partners',
  effect: 'read',
  access: { who: 'partner' },
  rateLimits: [PAGES_A_MINUTE],
  rest: { method: 'GET', path: '/api/reserve/businesses' },
  tools: [],
  input: z.object({
    next_page_token: z.string().min(1).max(300).optional().describe('The token of the previous page.'),
    page_size: pageLimit('Businesses on a page', { standard: LIMIT, max: LIMIT }),
    changes_token: z
      .string()
      .regex(TOKEN, 'must be a changes_token that we issued')
      .optional()
      .describe('The token of your last sync.'),
  }),
  output: z.object({
    checksum: z
      .boolean()
      .describe('Whether anything changed since changes_token; true without one. false: no page is given.'),
    businesses: z.array(business),
    next_page_token: z.string().nullable().describe('null on the last page.'),
    changes_token: z.string().describe('Send it with your next sync, so that it misses nothing.'),
  }),
  failures: ['bad_cursor', 'rate_limited', 'maintenance'],
  example: examples.list_businesses,
  async run({ db, deps }, { next_page_token: page, page_size: limit = LIMIT, changes_token: since }) {
    const secret = deps.secrets.session;
    const position =
      page === undefined
        ? { after: '', token: `chg_${await currentPosition(db)}` }
        : cursorShape.parse(decodeCursor(secret, CURSOR, page));
    const { token } = position;
    if (
      page === undefined &&
      since !== undefined &&
      !(await businessesChanged(db, transactionIn(since, token)))
    )
      return { checksum: false, businesses: [], next_page_token: null, changes_token: token };
    const candidates = await listBusinessRows(db, position.after, limit + 1, [
      ...TABLE_KINDS,
      ...deps.config.bookings.tableKinds,
    ]);
    const rows = candidates.slice(0, limit);
    const after = candidates.length > limit ? rows.at(-1)?.id : undefined;
    return {
      checksum: true,
      businesses: rows.map((row) => businessOf(row, deps.config.baseUrl)),
      next_page_token: after === undefined ? null : encodeCursor(secret, CURSOR, { after, token }),
      changes_token: token,
    };
  },
});

/** The transaction of a token. A token from the future or of another database would hide every change. */
function transactionIn(token: string, current: string): string {
  const [, since = '0'] = TOKEN.exec(token) ?? [];
  const [, now = '0'] = TOKEN.exec(current) ?? [];
  if (isReached(since, now)) return transactionOf(since);
  throw invalidField('changes_token', 'out_of_range', 'is not from this directory; leave it out');
}

function businessOf(row: BusinessRow, baseUrl: string): z.input<typeof business> {
  const { id, name, address, city, destination, country, lat, lng, phone, website } = row;
  const locality = city ?? destination;
  const parts = address.toLowerCase().includes(locality.toLowerCase()) ? [address] : [address, locality];
  return {
    id,
    name,
    address: { line1: address, locality, country, formatted: [...parts, country].join(', ') },
    location: { latitude: lat, longitude: lng },
    phone_number: phone,
    website_url: website,
    platform_url: `${baseUrl}/p/${id}`,
  };
}
