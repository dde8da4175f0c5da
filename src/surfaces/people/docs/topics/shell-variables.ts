/**
 * Values that only the reader knows, and their origin. The examples read them from shell variables, which are set once.
 */
export const SHELL_VARIABLES = {
  EMAIL: 'your mailbox',
  KEY: 'the api_key of POST /api/agent/signup',
  DATE: 'a day within the next 90',
  PLACE_ID: 'the place_id of a search result; here of a place that takes table requests',
  PHOTO_ID: 'the photo_id of GET /api/agent/photos/search',
  SUBMISSION_ID: 'the submission_id of POST /api/agent/business',
  LICENSE_ID: 'the license_id of POST /api/agent/photos/license',
  PARTNER_KEY:
    'the key that /partner shows; the api_key of POST /api/partner/signup stops working once you sign in there',
  WEBHOOK_URL: 'an https address where you receive webhooks',
  BOOKING_ID: 'the booking_id of request_table',
  OFFER_ID: 'the offer_id of booking_status, once the venue has offered another table',
} as const;

/** Request fields that are replaced by a variable. */
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

/** Returns the example value of a field: a variable where only the reader knows the value. */
export function exampleVariable(field: string, value: unknown): unknown {
  return value === undefined || value === null ? value : (FIELDS[field] ?? value);
}

/** Replaces all such fields of an example request. */
export function withVariables(example: unknown): unknown {
  if (typeof example !== 'object' || example === null || Array.isArray(example)) return example;
  const fields = Object.entries(example).map(
    ([field, value]) => [field, exampleVariable(field, value)] as const,
  );
  return Object.fromEntries(fields);
}

/** Idempotency key, generated per call: everybody would paste a constant. */
export const IDEMPOTENCY_VARIABLE = '$IDEMPOTENCY_KEY';
export const SET_IDEMPOTENCY_VARIABLE = 'IDEMPOTENCY_KEY=$(openssl rand -hex 16)';

const NAMES = [...Object.keys(SHELL_VARIABLES), IDEMPOTENCY_VARIABLE.slice(1)].join('|');
const VARIABLE = new RegExp(String.raw`\$(?:(?:${NAMES})\b|\{(?:${NAMES})\})`, 'g');

/** URL-encodes a text, except for the variables in it. */
export function encodeExceptVariables(text: string): string {
  return mapParts(text, encodeURIComponent, (variable) => variable);
}

/** Quotes a text for a POSIX shell so that only our variables are expanded. */
export function shellWord(text: string): string {
  const plain = text.replaceAll(VARIABLE, '');
  if (plain === text) return singleQuoted(text);
  if (!/["\\$`!]/.test(plain)) return `"${text}"`;
  return mapParts(text, singleQuoted, (variable) => `"${variable}"`);
}

function mapParts(text: string, plain: (part: string) => string, variable: (name: string) => string): string {
  const variables = text.match(VARIABLE) ?? [];
  return text
    .split(VARIABLE)
    .map((part, i) => plain(part) + (variables[i] === undefined ? '' : variable(variables[i])))
    .join('');
}

function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
