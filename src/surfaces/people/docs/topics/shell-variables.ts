/** What only the reader can know, and where it comes from. The examples take it from the shell, where it is set once. */
export const SHELL_VARIABLES = {
  EMAIL: 'a mailbox of yours',
  KEY: 'the api_key of POST /api/agent/signup',
  DATE: 'a day within the next 90',
  PLACE_ID: 'the place_id of a place that a search gave; here of one that can be asked for a table',
  PHOTO_ID: 'the photo_id of GET /api/agent/photos/search',
  SUBMISSION_ID: 'the submission_id of POST /api/agent/business',
  LICENSE_ID: 'the license_id of POST /api/agent/photos/license',
  PARTNER_KEY:
    'the key that /partner shows; the api_key of POST /api/partner/signup ends once you sign in there',
  WEBHOOK_URL: 'an https address where you receive webhooks',
  BOOKING_ID: 'the booking_id of request_table',
  OFFER_ID: 'the offer_id of booking_status, once the venue has offered another table',
} as const;

/** The fields of requests that are the reader's own. */
const FIELDS: Readonly<Record<string, string>> = {
  place_id: '$PLACE_ID',
  restaurant_id: '$PLACE_ID',
  submission_id: '$SUBMISSION_ID',
  photo_id: '$PHOTO_ID',
  license_id: '$LICENSE_ID',
  booking_id: '$BOOKING_ID',
  accept_offer: '$OFFER_ID',
  url: '$WEBHOOK_URL',
  date: '$DATE',
  at: '${DATE}T20:00',
};

/** The value of a field in an example: the reader's own where only the reader can know it. */
export function readersOwn(field: string, value: unknown): unknown {
  return value === undefined || value === null ? value : (FIELDS[field] ?? value);
}

/** An example request with everything in it that is the reader's own. */
export function withReadersOwn(example: unknown): unknown {
  if (typeof example !== 'object' || example === null || Array.isArray(example)) return example;
  const fields = Object.entries(example).map(([field, value]) => [field, readersOwn(field, value)] as const);
  return Object.fromEntries(fields);
}

/** What an example makes itself, anew each time: a constant would be pasted by everybody. */
export const OWN_KEY = '$IDEMPOTENCY_KEY';
export const MAKE_OWN_KEY = 'IDEMPOTENCY_KEY=$(openssl rand -hex 16)';

const NAMES = [...Object.keys(SHELL_VARIABLES), OWN_KEY.slice(1)].join('|');
const VARIABLE = new RegExp(String.raw`\$(?:(?:${NAMES})\b|\{(?:${NAMES})\})`, 'g');

/** A text in an address, encoded but for the variables in it. */
export function encodeAround(text: string): string {
  return around(text, encodeURIComponent, (variable) => variable);
}

/** A word for a POSIX shell that means this text: the variables in it are replaced, and nothing else is. */
export function shellWord(text: string): string {
  const plain = text.replaceAll(VARIABLE, '');
  if (plain === text) return singleQuoted(text);
  if (!/["\\$`!]/.test(plain)) return `"${text}"`;
  return around(text, singleQuoted, (variable) => `"${variable}"`);
}

function around(text: string, plain: (part: string) => string, variable: (name: string) => string): string {
  const variables = text.match(VARIABLE) ?? [];
  return text
    .split(VARIABLE)
    .map((part, i) => plain(part) + (variables[i] === undefined ? '' : variable(variables[i])))
    .join('');
}

function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
