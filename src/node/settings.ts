import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { BUDGET_MIN } from '../core/postgres/connection-budget.ts';
import { serverUrls } from '../core/postgres/servers.ts';
import { E164 } from '../core/text/e164.ts';

const origin = z
  .string()
  .refine(
    (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
    'must be an http or https URL',
  )
  .refine(
    (text) => !URL.canParse(text) || new URL(text).origin + '/' === new URL(text).href,
    'must be only a scheme, host and port, without a path',
  )
  .transform((text) => new URL(text).origin);

const webAddress = z
  .string()
  .refine((text) => /^https?:\/\//i.test(text) && URL.canParse(text), 'must be an http or https URL');

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be ${min} to ${max}`);

const matching = (pattern: RegExp, fault: string) => z.string().regex(pattern, fault);

const urlOf = (schemes: RegExp, fault: string) =>
  matching(schemes, fault).refine((text) => URL.canParse(text), 'must be a URL');

const atLeast = (min: number) => z.string().min(min, `must be at least ${min} characters`);

const words = (max: number) =>
  z.string().trim().min(1, 'must not be empty').max(max, `must be at most ${max} characters`);

/** Served unchanged: one line of visible ASCII characters and spaces. */
const visibleLine = matching(/^[\x21-\x7e][\x20-\x7e]{0,499}$/, 'must be one line of at most 500 characters');

const onOff = z.enum(['on', 'off'], 'must be on or off');

const phoneNumber = matching(E164, 'must be a number in E.164 form, such as +62361123456');

const commaSeparated = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
);

const list = (isItem: (text: string) => boolean, form: string) =>
  commaSeparated.refine((parts) => parts.every(isItem), `must be a comma-separated list of ${form}`);

const HOST_NAME = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i;

function isHost(text: string): boolean {
  return isIP(text) !== 0 || HOST_NAME.test(text);
}

function isHostAndPort(text: string): boolean {
  const [, host = '', port] = /^(.+):(\d{1,5})$/.exec(text) ?? [];
  return isHost(host.replace(/^\[(.*)\]$/, '$1')) && Number(port) <= 65_535;
}

function isAddressRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

function isEscaped(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

const databaseUrl = matching(/^postgres(ql)?:\/\//, 'must begin with postgres:// or postgresql://')
  .refine((text) => serverUrls(text).every((url) => URL.canParse(url)), 'must be a URL')
  .refine(
    (text) => /[?&]target_session_attrs=(?!read-write\b|primary\b)/.exec(text) === null,
    'must have target_session_attrs=read-write, or none: nodes always use the server that accepts writes',
  )
  .refine(isEscaped, 'must have every % of the password written as %25');

const WORKERS_MAX = 64;

/** One entry per setting. .env.example documents the same names, and a test compares the two. */
export const settings = z.object({
  PORT: wholeNumber(0, 65_535).default(3000),
  HOST: z.string().refine(isHost, 'must be a host name or an address').default('127.0.0.1'),
  BASE_URL: origin.optional(),
  PARTNER_URL: origin.optional(),
  DATA_DIR: z.string().min(1).default('./data'),
  DATABASE_URL: databaseUrl.optional(),
  DATABASE_DIRECT_URL: databaseUrl.optional(),
  DATABASE_CONNECTIONS: wholeNumber(BUDGET_MIN, 500).default(20),
  WORKERS: z
    .union(
      [
        z.literal('auto').transform(() => Math.min(WORKERS_MAX, availableParallelism())),
        wholeNumber(1, WORKERS_MAX),
      ],
      `must be 1 to ${WORKERS_MAX}, or auto`,
    )
    .default(1),
  DRAIN_MS: wholeNumber(0, 600_000).default(5_000),
  SERVICE_PREFIX: matching(
    /^[a-z][a-z0-9]{1,15}$/,
    'must be 2 to 16 lower-case letters and digits, a letter first',
  ).default('svc'),
  SERVICE_NAME: words(60).default('Waypost'),
  PROVIDER_NAME: words(60).default('the web-mapping provider'),
  PROVIDER_URL: webAddress.optional(),
  CONTACT_EMAIL: z.email('must be an email address').default('hello@waypost.example'),
  OPERATOR_NAME: words(120).optional(),
  OPERATOR_ADDRESS: words(300).optional(),
  PRIVACY_URL: webAddress.optional(),
  TERMS_URL: webAddress.optional(),
  SUPPORT_URL: webAddress.optional(),
  OPENAI_APPS_CHALLENGE: visibleLine.optional(),
  MCP_REGISTRY_AUTH: visibleLine.optional(),
  SMTP_URL: urlOf(/^smtps?:\/\/[^/]/, 'must begin with smtp:// or smtps://').optional(),
  MAIL_FROM: matching(
    /^([^<>\r\n]*<[^<>\s@]+@[^<>\s@]+>|[^<>\s@]+@[^<>\s@]+)$/,
    'must be an email address, or a name and <address>',
  ).optional(),
  // A tag of 48 characters is added to the name, which may have 64.
  MAIL_REPLIES_TO: matching(
    /^[\w.-]{1,16}@[\w-]+(\.[\w-]+)+$/,
    'must be an email address with at most 16 characters before the @',
  ).optional(),
  MAIL_REPLIES_SECRET: atLeast(16).optional(),
  TWILIO_ACCOUNT: matching(/^[A-Za-z0-9]{2,64}$/, 'must be the id of an account').optional(),
  TWILIO_TOKEN: atLeast(8).optional(),
  TWILIO_FROM: phoneNumber.optional(),
  TWILIO_REPLIES: onOff.default('off'),
  DESK_PHONE: phoneNumber.optional(),
  DEMO: onOff.default('on'),
  PROBE_WEBSITES: onOff.default('on'),
  LOG_LEVEL: z
    .enum(
      ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
      'must be trace, debug, info, warn, error, fatal or silent',
    )
    .optional(),
  EGRESS_ALLOW: list(isHostAndPort, 'host:port pairs').default([]),
  ALLOWED_HOSTS: list((text) => text === '*' || HOST_NAME.test(text), 'host names').default([]),
  ALLOWED_ORIGINS: commaSeparated.pipe(z.array(origin)).default([]),
  TRUSTED_PROXIES: list(isAddressRange, 'addresses or ranges such as 10.0.0.0/8').default([]),
  PARTNER_RESIGNUP_SHOWS_KEY: z.enum(['0', '1'], 'must be 0 or 1').default('0'),
  PARTNER_PLAN_PRICE_CENTS: wholeNumber(0, 100_000_000).optional(),
  BOOKING_FEE_PER_COVER_CENTS: wholeNumber(0, 1_000_000).default(0),
  BOOKING_WRITES_PER_MINUTE: wholeNumber(1, 1_000_000).default(30),
  BOOKING_WRITES_PER_DAY: wholeNumber(1, 10_000_000).default(500),
  BOOKING_READS_PER_MINUTE: wholeNumber(1, 1_000_000).default(60),
  VENUE_OPEN_ASKS: wholeNumber(1, 1_000_000).default(3),
  TABLE_KINDS: list((text) => /^[a-z0-9_]+$/.test(text), 'kinds such as hotel, brewery').default([]),
  RESERVE: onOff.default('off'),
  RESERVE_PARTNER_KEY: atLeast(20).optional(),
  MAP_TILES: matching(/\.pmtiles$/, 'must be the path of a .pmtiles file').optional(),
  PHOTO_DIR: z.string().min(1).optional(),
  PHOTO_S3_URL: origin.optional(),
  PHOTO_S3_BUCKET: matching(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket').optional(),
  PHOTO_S3_KEY: atLeast(3).optional(),
  PHOTO_S3_SECRET: atLeast(6).optional(),
  STRIPE_SECRET_KEY: atLeast(8).optional(),
  STRIPE_WEBHOOK_SECRET: atLeast(8).optional(),
  TEST_PAYMENTS: onOff.default('off'),
  PLATFORM_SHARE_PERCENT: wholeNumber(0, 100).default(20),
  LLM_URL: webAddress.optional(),
  LLM_MODEL: words(120).optional(),
  LLM_KEY: atLeast(8).optional(),
  METRICS_TOKEN: atLeast(16).optional(),
  STAFF_EMAIL: z.email('must be an email address').optional(),
  STAFF_PASSWORD: atLeast(12).max(200, 'must be at most 200 characters').optional(),
});

export const SETTING_NAMES = Object.keys(settings.shape);

/** Settings whose values are shown to nobody. */
export const SECRET_SETTINGS: readonly string[] = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'SMTP_URL',
  'MAIL_REPLIES_SECRET',
  'OPENAI_APPS_CHALLENGE',
  'MCP_REGISTRY_AUTH',
  'TWILIO_ACCOUNT',
  'TWILIO_TOKEN',
  'RESERVE_PARTNER_KEY',
  'PHOTO_S3_KEY',
  'PHOTO_S3_SECRET',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'LLM_KEY',
  'METRICS_TOKEN',
  'STAFF_EMAIL',
  'STAFF_PASSWORD',
] satisfies (keyof typeof settings.shape)[];

const TOGETHER = [
  ['STAFF_EMAIL', 'STAFF_PASSWORD'],
  ['LLM_URL', 'LLM_MODEL'],
  ['MAIL_REPLIES_TO', 'MAIL_REPLIES_SECRET'],
  ['TWILIO_ACCOUNT', 'TWILIO_TOKEN', 'TWILIO_FROM'],
  ['PHOTO_S3_URL', 'PHOTO_S3_BUCKET', 'PHOTO_S3_KEY', 'PHOTO_S3_SECRET'],
  ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
] as const;

/** Returns the faults of settings that are each valid but do not fit together. */
export function faultsTogether(values: Readonly<Record<string, string | undefined>>): string[] {
  const faults = TOGETHER.filter((names) => {
    const set = names.filter((name) => values[name] !== undefined);
    return set.length !== 0 && set.length !== names.length;
  }).map((names) => `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''} must be set together`);
  if (/^0+$/.test(values['PORT'] ?? '') && values['BASE_URL'] === undefined)
    faults.push('BASE_URL must be set when PORT is 0');
  if (values['DATABASE_DIRECT_URL'] !== undefined && values['DATABASE_URL'] === undefined)
    faults.push('DATABASE_DIRECT_URL must be set together with DATABASE_URL, which leads to the pooler');
  if (values['RESERVE_PARTNER_KEY'] !== undefined && values['RESERVE'] !== 'on')
    faults.push('RESERVE must be on when RESERVE_PARTNER_KEY is set');
  if (values['TEST_PAYMENTS'] === 'on' && values['STRIPE_SECRET_KEY'] !== undefined)
    faults.push('TEST_PAYMENTS must be off when STRIPE_SECRET_KEY is set, because payments are then real');
  return faults;
}
