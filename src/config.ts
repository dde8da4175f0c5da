import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { loadEnvFile } from 'node:process';
import { z } from 'zod';

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
    demo: value.DEMO === 'on',
    probeWebsites: value.PROBE_WEBSITES === 'on',
    logLevel: value.LOG_LEVEL ?? 'info',
    egressAllow: value.EGRESS_ALLOW,
    allowedHosts: value.ALLOWED_HOSTS.map((name) => name.toLowerCase()),
    allowedOrigins: value.ALLOWED_ORIGINS,
    trustedProxies: value.TRUSTED_PROXIES,
    signupsPerHour: value.SIGNUPS_PER_HOUR,
    registrationsPerHour: value.REGISTRATIONS_PER_HOUR,
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
