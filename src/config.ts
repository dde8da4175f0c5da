import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { loadEnvFile } from 'node:process';
import { poolSizes, poolSizesOfMain } from './core/postgres/connection-budget.ts';
import { faultsTogether, SETTING_NAMES, settings } from './node/settings.ts';
import { TUNING, type Tuning } from './node/tuning.ts';

declare module './core/context.ts' {
  interface Deps {
    config: Config;
  }
}

/** Thrown for malformed settings. The message lists every fault, not only the first. */
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

export type Config = ReturnType<typeof parseConfig>;

/** Reads the settings from an environment. An empty value counts as absent, as in a copied example file. */
export function parseConfig(
  env: Readonly<Record<string, string | undefined>>,
  otherTuning: Partial<Tuning> = {},
) {
  const tuning = { ...TUNING, ...otherTuning };
  const values = Object.fromEntries(SETTING_NAMES.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
  const parsed = settings.safeParse(values);
  const faults = parsed.success
    ? []
    : parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
  faults.push(...faultsTogether(values));
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
    /** The server itself, where `databaseUrl` leads to a pooler that gives each transaction another session. */
    databaseDirectUrl: value.DATABASE_DIRECT_URL,
    connections: value.DATABASE_CONNECTIONS,
    /** Sizes of the pools of a process that does everything, or of the main process beside serving ones. */
    pools: (value.WORKERS === 1 ? poolSizes : poolSizesOfMain)(value.DATABASE_CONNECTIONS),
    jobsAtOnce: tuning.jobsAtOnce,
    /** Number of serving processes; with one, it does everything else too. */
    workers: value.WORKERS,
    drainMs: value.DRAIN_MS,
    leaseMs: tuning.leaseMs,
    prefix: value.SERVICE_PREFIX,
    serviceName: value.SERVICE_NAME,
    providerName: value.PROVIDER_NAME,
    providerUrl: value.PROVIDER_URL ?? `${baseUrl}/docs/rules#attribution`,
    contactEmail: value.CONTACT_EMAIL,
    /** The operator of the installation, as named by its legal pages and by directories. */
    operator: {
      name: value.OPERATOR_NAME ?? `the operator of ${value.SERVICE_NAME}`,
      address: value.OPERATOR_ADDRESS,
    },
    /** URLs of the operator's own pages, used instead of the built-in ones. */
    ownPages: { privacy: value.PRIVACY_URL, terms: value.TERMS_URL, support: value.SUPPORT_URL },
    /** Tokens served to directories as proof of domain ownership. */
    domainProofs: { openaiApps: value.OPENAI_APPS_CHALLENGE, mcpRegistry: value.MCP_REGISTRY_AUTH },
    /** Namespace of the endpoints in the MCP registry: com.example for https://example.com. */
    registryNamespace: new URL(baseUrl).hostname.split('.').reverse().join('.'),
    smtp: allOrNone({ url: value.SMTP_URL, from: value.MAIL_FROM ?? value.CONTACT_EMAIL }),
    /** `from` is the caller number of texts and calls, in E.164 form. */
    twilio: allOrNone({
      url: tuning.twilioUrl,
      account: value.TWILIO_ACCOUNT,
      token: value.TWILIO_TOKEN,
      from: value.TWILIO_FROM,
    }),
    /** The mailbox whose mail is passed on to us, so that venues may answer mails by a word. */
    mailReplies: allOrNone({ to: value.MAIL_REPLIES_TO, secret: value.MAIL_REPLIES_SECRET }),
    /** True when the provider calls us with texts to our number, so that messages may ask for a reply. */
    textReplies: value.TWILIO_REPLIES === 'on',
    /** Contact data sent to venues' booking systems instead of the guest's own. */
    deskPhone: value.DESK_PHONE,
    desk: { phone: value.DESK_PHONE ?? value.TWILIO_FROM, mailDomain: `desk.${new URL(baseUrl).hostname}` },
    demo: value.DEMO === 'on',
    probeWebsites: value.PROBE_WEBSITES === 'on',
    logLevel: value.LOG_LEVEL ?? 'info',
    egressAllow: value.EGRESS_ALLOW,
    allowedHosts: value.ALLOWED_HOSTS.map((name) => name.toLowerCase()),
    allowedOrigins: value.ALLOWED_ORIGINS,
    trustedProxies: value.TRUSTED_PROXIES,
    signupsPerHour: tuning.signupsPerHour,
    registrationsPerHour: tuning.registrationsPerHour,
    partnerSignupsPerHour: tuning.partnerSignupsPerHour,
    partnerResignupShowsKey: value.PARTNER_RESIGNUP_SHOWS_KEY === '1',
    partnerPlanPriceCents: value.PARTNER_PLAN_PRICE_CENTS,
    bookingFeePerCoverCents: value.BOOKING_FEE_PER_COVER_CENTS,
    bookings: {
      writesPerMinute: value.BOOKING_WRITES_PER_MINUTE,
      writesPerDay: value.BOOKING_WRITES_PER_DAY,
      readsPerMinute: value.BOOKING_READS_PER_MINUTE,
      venueAsksPerDay: tuning.venueAsksPerDay,
      openAsksPerVenue: value.VENUE_OPEN_ASKS,
      poorRecord: tuning.poorRecord,
      answerMs: tuning.venueAnswerMinutes * 60_000,
      patience: {
        reminderMs: tuning.venueReminderMinutes * 60_000,
        mailMs: tuning.venueMailMinutes * 60_000,
        deskMs: tuning.venueDeskMinutes * 60_000,
      },
      /** Kinds of places that have tables, in addition to the built-in ones. */
      tableKinds: value.TABLE_KINDS,
      waking: tuning.venueContactHours,
    },
    /** The endpoint for the Reserve button of large assistants, and the key charged when a caller sends none. */
    reserve: value.RESERVE === 'on' ? { keyOfUnkeyed: value.RESERVE_PARTNER_KEY } : undefined,
    webhookChangesPerHour: tuning.webhookChangesPerHour,
    /** Folder of extracts and street maps of this node. */
    mapDir: resolve(join(value.DATA_DIR, 'maps')),
    /** The operator's own archive of vector tiles, shown instead of the node's street maps. */
    mapTiles: value.MAP_TILES === undefined ? undefined : resolve(value.MAP_TILES),
    photoDir: resolve(value.PHOTO_DIR ?? join(value.DATA_DIR, 'photos')),
    photoS3: allOrNone({
      url: value.PHOTO_S3_URL,
      bucket: value.PHOTO_S3_BUCKET,
      region: value.PHOTO_S3_URL && s3Region(value.PHOTO_S3_URL),
      accessKey: value.PHOTO_S3_KEY,
      secretKey: value.PHOTO_S3_SECRET,
    }),
    stripe:
      value.STRIPE_SECRET_KEY === undefined || value.STRIPE_WEBHOOK_SECRET === undefined
        ? undefined
        : {
            secretKey: value.STRIPE_SECRET_KEY,
            webhookSecret: value.STRIPE_WEBHOOK_SECRET,
            apiUrl: tuning.stripeApiUrl,
          },
    testPayments: value.TEST_PAYMENTS === 'on',
    /** The platform's share of a licence fee; the photographer gets the rest. */
    platformSharePercent: value.PLATFORM_SHARE_PERCENT,
    llm:
      value.LLM_URL !== undefined && value.LLM_MODEL !== undefined
        ? { url: value.LLM_URL, model: value.LLM_MODEL, key: value.LLM_KEY, timeoutMs: tuning.llmTimeoutMs }
        : undefined,
    metricsToken: value.METRICS_TOKEN,
    firstStaff: allOrNone({ email: value.STAFF_EMAIL?.toLowerCase(), password: value.STAFF_PASSWORD }),
  });
}

/** Reads the settings of this process from its environment; a .env file in the working directory fills the gaps. */
export function loadConfig(tuning?: Partial<Tuning>): Config {
  if (existsSync('.env')) loadEnvFile('.env');
  // In a terminal, show problems, not every request.
  const logLevel = process.stderr.isTTY ? 'warn' : undefined;
  return parseConfig({ LOG_LEVEL: logLevel, ...process.env }, tuning);
}

/** Returns settings that only mean something together; undefined while one of them is missing. */
function allOrNone<Group extends object>(
  group: Group,
): { [Name in keyof Group]: Exclude<Group[Name], undefined> } | undefined {
  return Object.values(group).includes(undefined) ? undefined : (group as never);
}

/** The region is part of most stores' addresses, as in s3.eu-central-1.amazonaws.com; others accept any. */
function s3Region(url: string): string {
  return /^s3[.-]([a-z0-9-]+)\./.exec(new URL(url).hostname)?.[1] ?? 'us-east-1';
}
