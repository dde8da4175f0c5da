import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { loadEnvFile } from 'node:process';
import { z } from 'zod';
import { E164 } from './core/e164.ts';

declare module './core/context.ts' {
  interface Deps {
    config: Config;
  }
}

/** A malformed setting ends the start; the message lists every fault, not only the first. */
export class ConfigError extends Error {
  readonly faults: string[];

  constructor(faults: string[]) {
    super(
      `The configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`,
    );
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

const origin = z
  .string()
  .refine(
    (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
    'must be an http or https URL',
  )
  .refine(
    (text) => !URL.canParse(text) || new URL(text).origin + '/' === new URL(text).href,
    'must be only scheme, host and port, without a path',
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

const list = (isItem: (text: string) => boolean, form: string) =>
  z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    )
    .refine((parts) => parts.every(isItem), `must be a comma-separated list of ${form}`);

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

/** One entry per setting; .env.example documents the same names, and a test compares the two. */
const settings = z.object({
  PORT: wholeNumber(0, 65_535).default(3000),
  HOST: z.string().refine(isHost, 'must be a host name or an address').default('127.0.0.1'),
  BASE_URL: origin.optional(),
  PARTNER_URL: origin.optional(),
  DATA_DIR: z.string().min(1).default('./data'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres:// or postgresql://')
    .refine((text) => URL.canParse(text), 'must be a URL')
    .optional(),
  DATABASE_POOL: wholeNumber(2, 200).default(10),
  JOBS_AT_ONCE: wholeNumber(1, 100).default(4),
  SERVICE_PREFIX: z
    .string()
    .regex(/^[a-z][a-z0-9]{1,15}$/, 'must be 2 to 16 lower-case letters and digits, a letter first')
    .default('svc'),
  SERVICE_NAME: z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(60, 'must be at most 60 characters')
    .default('Waypost'),
  PROVIDER_NAME: z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(60, 'must be at most 60 characters')
    .default('the web-mapping provider'),
  PROVIDER_URL: webAddress.optional(),
  CONTACT_EMAIL: z.email('must be an email address').default('hello@waypost.example'),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\/[^/]/, 'must begin with smtp:// or smtps://')
    .refine((text) => URL.canParse(text), 'must be a URL')
    .optional(),
  MAIL_FROM: z
    .string()
    .regex(
      /^([^<>\r\n]*<[^<>\s@]+@[^<>\s@]+>|[^<>\s@]+@[^<>\s@]+)$/,
      'must be an email address, or a name and <address>',
    )
    .optional(),
  TWILIO_URL: origin.default('https://api.twilio.com'),
  TWILIO_ACCOUNT: z
    .string()
    .regex(/^[A-Za-z0-9]{2,64}$/, 'must be the id of an account')
    .optional(),
  TWILIO_TOKEN: z.string().min(8, 'must be at least 8 characters').optional(),
  TWILIO_FROM: z.string().regex(E164, 'must be a number in E.164 form, such as +62361123456').optional(),
  DESK_PHONE: z.string().regex(E164, 'must be a number in E.164 form, such as +62361123456').optional(),
  DESK_MAIL_DOMAIN: z.string().regex(HOST_NAME, 'must be a host name').optional(),
  DEMO: z.enum(['on', 'off'], 'must be on or off').default('on'),
  PROBE_WEBSITES: z.enum(['on', 'off'], 'must be on or off').default('on'),
  LOG_LEVEL: z
    .enum(
      ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
      'must be trace, debug, info, warn, error, fatal or silent',
    )
    .optional(),
  EGRESS_ALLOW: list(isHostAndPort, 'host:port pairs').default([]),
  ALLOWED_HOSTS: list((text) => text === '*' || HOST_NAME.test(text), 'host names').default([]),
  ALLOWED_ORIGINS: z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    )
    .pipe(z.array(origin))
    .default([]),
  TRUSTED_PROXIES: list(isAddressRange, 'addresses or ranges such as 10.0.0.0/8').default([]),
  SIGNUPS_PER_HOUR: wholeNumber(1, 1_000_000).default(60),
  REGISTRATIONS_PER_HOUR: wholeNumber(1, 1_000_000).default(10),
  PARTNER_SIGNUPS_PER_HOUR: wholeNumber(1, 1_000_000).default(10),
  PARTNER_RESIGNUP_SHOWS_KEY: z.enum(['0', '1'], 'must be 0 or 1').default('0'),
  PARTNER_PLAN_PRICE_CENTS: wholeNumber(0, 100_000_000).optional(),
  BOOKING_FEE_PER_COVER_CENTS: wholeNumber(0, 1_000_000).default(0),
  BOOKING_WRITES_PER_MINUTE: wholeNumber(1, 1_000_000).default(30),
  BOOKING_WRITES_PER_DAY: wholeNumber(1, 10_000_000).default(500),
  BOOKING_READS_PER_MINUTE: wholeNumber(1, 1_000_000).default(60),
  VENUE_ASKS_PER_DAY: wholeNumber(1, 1_000_000).default(20),
  VENUE_OPEN_ASKS: wholeNumber(1, 1_000_000).default(3),
  VENUE_ANSWER_MINUTES: wholeNumber(15, 1440).default(240),
  VENUE_REMINDER_MINUTES: wholeNumber(1, 1440).default(45),
  VENUE_MAIL_MINUTES: wholeNumber(1, 1440).default(60),
  VENUE_DESK_MINUTES: wholeNumber(1, 1440).default(90),
  VENUE_WAKING_HOURS: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d$/, 'must be hours such as 09:00-21:30')
    .default('09:00-21:30')
    .transform((text) => {
      const [from = 0, until = 0] = text
        .split('-')
        .map((time) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3)));
      return { from, until };
    }),
  WEBHOOK_CHANGES_PER_HOUR: wholeNumber(1, 1_000_000).default(10),
  PHOTO_S3_URL: origin.optional(),
  PHOTO_S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
    .optional(),
  PHOTO_S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]{2,40}$/, 'must be the name of a region')
    .default('us-east-1'),
  PHOTO_S3_KEY: z.string().min(3, 'must be at least 3 characters').optional(),
  PHOTO_S3_SECRET: z.string().min(6, 'must be at least 6 characters').optional(),
  STRIPE_SECRET_KEY: z.string().min(8, 'must be at least 8 characters').optional(),
  STRIPE_WEBHOOK_SECRET: z.string().min(8, 'must be at least 8 characters').optional(),
  STRIPE_API_URL: origin.optional(),
  PLATFORM_SHARE_PERCENT: wholeNumber(0, 100).default(20),
  LLM_URL: webAddress.optional(),
  LLM_MODEL: z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(120, 'must be at most 120 characters')
    .optional(),
  LLM_KEY: z.string().min(8, 'must be at least 8 characters').optional(),
  LLM_TIMEOUT_MS: wholeNumber(100, 20_000).default(4_000),
  METRICS_TOKEN: z.string().min(16, 'must be at least 16 characters').optional(),
  STAFF_EMAIL: z.email('must be an email address').optional(),
  STAFF_PASSWORD: z
    .string()
    .min(12, 'must be at least 12 characters')
    .max(200, 'must be at most 200 characters')
    .optional(),
  STAFF_TOTP_SECRET: z
    .string()
    .regex(/^[A-Z2-7]{26,128}$/, 'must be a base32 secret of at least 26 characters')
    .optional(),
});

export const SETTING_NAMES = Object.keys(settings.shape);

export type Config = ReturnType<typeof parseConfig>;

/** Reads settings from an environment. An empty value counts as absent, as in a copied example file. */
export function parseConfig(env: Readonly<Record<string, string | undefined>>) {
  const given = Object.fromEntries(SETTING_NAMES.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
  const parsed = settings.safeParse(given);
  const faults = parsed.success
    ? []
    : parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
  if ((given['STAFF_EMAIL'] === undefined) !== (given['STAFF_PASSWORD'] === undefined)) {
    faults.push('STAFF_EMAIL and STAFF_PASSWORD must be set together');
  }
  if ((given['LLM_URL'] === undefined) !== (given['LLM_MODEL'] === undefined))
    faults.push('LLM_URL and LLM_MODEL must be set together');
  const phone = ['TWILIO_ACCOUNT', 'TWILIO_TOKEN', 'TWILIO_FROM'].filter((name) => given[name] !== undefined);
  if (phone.length % 3 !== 0)
    faults.push('TWILIO_ACCOUNT, TWILIO_TOKEN and TWILIO_FROM must be set together');
  const store = ['URL', 'BUCKET', 'KEY', 'SECRET'].filter((name) => given[`PHOTO_S3_${name}`] !== undefined);
  if (store.length !== 0 && store.length !== 4)
    faults.push('PHOTO_S3_URL, PHOTO_S3_BUCKET, PHOTO_S3_KEY and PHOTO_S3_SECRET must be set together');
  if ((given['STRIPE_SECRET_KEY'] === undefined) !== (given['STRIPE_WEBHOOK_SECRET'] === undefined))
    faults.push('STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET must be set together');
  if (/^0+$/.test(given['PORT'] ?? '') && given['BASE_URL'] === undefined)
    faults.push('BASE_URL must be set when PORT is 0');
  if (!parsed.success || faults.length > 0) throw new ConfigError(faults);

  const value = parsed.data;
  const host =
    value.HOST === '0.0.0.0' || value.HOST === '::' || value.HOST === '127.0.0.1' ? 'localhost' : value.HOST;
  const baseUrl = value.BASE_URL ?? `http://${host.includes(':') ? `[${host}]` : host}:${value.PORT}`;
  return Object.freeze({
    port: value.PORT,
    host: value.HOST,
    baseUrl,
    partnerUrl: value.PARTNER_URL ?? baseUrl,
    dataDir: resolve(value.DATA_DIR),
    databaseUrl: value.DATABASE_URL,
    databasePool: value.DATABASE_POOL,
    jobsAtOnce: value.JOBS_AT_ONCE,
    prefix: value.SERVICE_PREFIX,
    serviceName: value.SERVICE_NAME,
    providerName: value.PROVIDER_NAME,
    providerUrl: value.PROVIDER_URL ?? `${baseUrl}/docs#attribution`,
    contactEmail: value.CONTACT_EMAIL,
    smtp:
      value.SMTP_URL === undefined
        ? undefined
        : { url: value.SMTP_URL, from: value.MAIL_FROM ?? value.CONTACT_EMAIL },
    twilio:
      value.TWILIO_ACCOUNT === undefined ||
      value.TWILIO_TOKEN === undefined ||
      value.TWILIO_FROM === undefined
        ? undefined
        : {
            url: value.TWILIO_URL,
            account: value.TWILIO_ACCOUNT,
            token: value.TWILIO_TOKEN,
            from: value.TWILIO_FROM,
          },
    /** What venues' booking systems are told instead of a guest's own contact. */
    desk: {
      phone: value.DESK_PHONE ?? value.TWILIO_FROM,
      mailDomain: value.DESK_MAIL_DOMAIN ?? `desk.${new URL(baseUrl).hostname}`,
    },
    demo: value.DEMO === 'on',
    probeWebsites: value.PROBE_WEBSITES === 'on',
    logLevel: value.LOG_LEVEL ?? 'info',
    egressAllow: value.EGRESS_ALLOW,
    allowedHosts: value.ALLOWED_HOSTS.map((name) => name.toLowerCase()),
    allowedOrigins: value.ALLOWED_ORIGINS,
    trustedProxies: value.TRUSTED_PROXIES,
    signupsPerHour: value.SIGNUPS_PER_HOUR,
    registrationsPerHour: value.REGISTRATIONS_PER_HOUR,
    partnerSignupsPerHour: value.PARTNER_SIGNUPS_PER_HOUR,
    partnerResignupShowsKey: value.PARTNER_RESIGNUP_SHOWS_KEY === '1',
    partnerPlanPriceCents: value.PARTNER_PLAN_PRICE_CENTS,
    bookingFeePerCoverCents: value.BOOKING_FEE_PER_COVER_CENTS,
    bookings: {
      writesPerMinute: value.BOOKING_WRITES_PER_MINUTE,
      writesPerDay: value.BOOKING_WRITES_PER_DAY,
      readsPerMinute: value.BOOKING_READS_PER_MINUTE,
      venueAsksPerDay: value.VENUE_ASKS_PER_DAY,
      openAsksPerVenue: value.VENUE_OPEN_ASKS,
      answerMs: value.VENUE_ANSWER_MINUTES * 60_000,
      patience: {
        reminderMs: value.VENUE_REMINDER_MINUTES * 60_000,
        mailMs: value.VENUE_MAIL_MINUTES * 60_000,
        deskMs: value.VENUE_DESK_MINUTES * 60_000,
      },
      /** When venues may be disturbed, in minutes of their own day. */
      waking: value.VENUE_WAKING_HOURS,
    },
    webhookChangesPerHour: value.WEBHOOK_CHANGES_PER_HOUR,
    photoS3:
      value.PHOTO_S3_URL === undefined ||
      value.PHOTO_S3_BUCKET === undefined ||
      value.PHOTO_S3_KEY === undefined ||
      value.PHOTO_S3_SECRET === undefined
        ? undefined
        : {
            url: value.PHOTO_S3_URL,
            bucket: value.PHOTO_S3_BUCKET,
            region: value.PHOTO_S3_REGION,
            accessKey: value.PHOTO_S3_KEY,
            secretKey: value.PHOTO_S3_SECRET,
          },
    stripe:
      value.STRIPE_SECRET_KEY === undefined || value.STRIPE_WEBHOOK_SECRET === undefined
        ? undefined
        : {
            secretKey: value.STRIPE_SECRET_KEY,
            webhookSecret: value.STRIPE_WEBHOOK_SECRET,
            apiUrl: value.STRIPE_API_URL,
          },
    /** What the platform keeps of a licence; the rest is the photographer's. */
    platformSharePercent: value.PLATFORM_SHARE_PERCENT,
    llm:
      value.LLM_URL !== undefined && value.LLM_MODEL !== undefined
        ? { url: value.LLM_URL, model: value.LLM_MODEL, key: value.LLM_KEY, timeoutMs: value.LLM_TIMEOUT_MS }
        : undefined,
    metricsToken: value.METRICS_TOKEN,
    firstStaff:
      value.STAFF_EMAIL !== undefined && value.STAFF_PASSWORD !== undefined
        ? {
            email: value.STAFF_EMAIL.toLowerCase(),
            password: value.STAFF_PASSWORD,
            ...(value.STAFF_TOTP_SECRET !== undefined && { totpSecret: value.STAFF_TOTP_SECRET }),
          }
        : undefined,
  });
}

/** The settings of this process: its environment, with a file named .env beside it for what the environment leaves out. */
export function loadConfig(): Config {
  if (existsSync('.env')) loadEnvFile('.env');
  // Whoever watches a terminal wants to see what is wrong, not every request.
  const logLevel = process.stderr.isTTY ? 'warn' : undefined;
  return parseConfig({ LOG_LEVEL: logLevel, ...process.env });
}
