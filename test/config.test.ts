import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { parseEnv } from 'node:util';
import { ConfigError, parseConfig } from '../src/config.ts';
import { SETTING_NAMES } from '../src/node/settings.ts';
import { HOUR_MS } from '../src/core/time.ts';

const example = parseEnv(readFileSync(new URL('../.env.example', import.meta.url), 'utf8'));

/** For each setting, values that cannot be meant. */
const MALFORMED: Record<string, string[]> = {
  PORT: ['abc', '-1', '65536', '3.5', 'true'],
  BASE_URL: [
    'waypost.example',
    '/',
    'ftp://waypost.example',
    'https://',
    'https://waypost.example/path',
    'https://a:b@waypost.example',
    'https://waypost.example/?a',
  ],
  PARTNER_URL: ['partners', 'https://partners.example/api'],
  DATABASE_URL: [
    'mysql://localhost/waypost',
    'localhost:5432',
    'postgres://a:b@one:5432,two:port/waypost',
    'postgres://a:b@one,two/waypost?target_session_attrs=standby',
  ],
  DATABASE_DIRECT_URL: ['localhost:5432'],
  PROBE_WEBSITES: ['yes', 'true'],
  MAP_TILES: ['streets.mbtiles', '/maps'],
  PARTNER_RESIGNUP_SHOWS_KEY: ['2', 'yes', 'on'],
  PARTNER_PLAN_PRICE_CENTS: ['-1', '9.99', 'much'],
  BOOKING_FEE_PER_COVER_CENTS: ['-1', '0.5', 'some'],
  RESERVE: ['true', '1', 'ON'],
  RESERVE_PARTNER_KEY: ['short'],
  BOOKING_WRITES_PER_MINUTE: ['0', 'many'],
  BOOKING_WRITES_PER_DAY: ['0', 'many'],
  BOOKING_READS_PER_MINUTE: ['0', 'many'],
  VENUE_OPEN_ASKS: ['0', 'many'],
  TABLE_KINDS: ['Beach Club', 'hotel;spa'],
  DATABASE_CONNECTIONS: ['15', '501', 'many', '20.5'],
  WORKERS: ['0', '65', 'all', '1.5'],
  DRAIN_MS: ['-1', '600001', 'soon'],
  SMTP_URL: ['mail.example', 'http://mail.example', 'smtps:///nowhere'],
  MAIL_FROM: ['nobody', 'a@b@c', 'Name <x>', 'a@b.example, c@d.example'],
  MAIL_REPLIES_TO: [
    'answers',
    'answers+x@mail.example',
    'a-very-long-mailbox@mail.example',
    'Name <a@b.example>',
  ],
  MAIL_REPLIES_SECRET: ['too short'],
  TWILIO_ACCOUNT: ['AC/1', 'x'],
  TWILIO_TOKEN: ['short'],
  TWILIO_FROM: ['0812345678', '+0812345678', '6281234567'],
  TWILIO_REPLIES: ['yes'],
  DESK_PHONE: ['0812345678', 'desk'],
  SERVICE_PREFIX: ['S', 'x', 'with_underscore', '1st', 'a'.repeat(17), 'Svc'],
  SERVICE_NAME: [' ', 'x'.repeat(61)],
  PROVIDER_NAME: [' ', 'x'.repeat(61)],
  PROVIDER_URL: ['provider.example', 'ftp://provider.example', 'https://'],
  CONTACT_EMAIL: ['nobody', '@example.com'],
  OPERATOR_NAME: [' ', 'x'.repeat(121)],
  OPERATOR_ADDRESS: [' ', 'x'.repeat(301)],
  PRIVACY_URL: ['legal.example', 'ftp://legal.example'],
  TERMS_URL: ['legal.example', 'ftp://legal.example'],
  SUPPORT_URL: ['help.example', 'mailto:help@example.com'],
  OPENAI_APPS_CHALLENGE: ['two\nlines', 'x'.repeat(501)],
  MCP_REGISTRY_AUTH: ['two\nlines', 'x'.repeat(501)],
  DEMO: ['true', '1', 'ON'],
  TEST_PAYMENTS: ['true', '1', 'ON'],
  LOG_LEVEL: ['loud', 'INFO'],
  EGRESS_ALLOW: ['localhost', 'localhost:port'],
  ALLOWED_HOSTS: ['waypost.example:443', 'https://waypost.example', 'a b'],
  ALLOWED_ORIGINS: ['*', 'app.example', 'https://app.example/path', 'https://app.example,b'],
  TRUSTED_PROXIES: ['loopback', '10.0.0.0/8/8', 'proxy.example'],
  LLM_URL: ['llm.example', 'ftp://llm.example'],
  LLM_MODEL: [' ', 'x'.repeat(121)],
  LLM_KEY: ['short'],
  STRIPE_SECRET_KEY: ['short'],
  STRIPE_WEBHOOK_SECRET: ['short'],
  PLATFORM_SHARE_PERCENT: ['101', '-1', 'some'],
  PHOTO_S3_URL: ['s3.example', 'ftp://s3.example', 'https://s3.example/bucket'],
  PHOTO_S3_BUCKET: ['A', 'with space', '-x-'],
  PHOTO_S3_KEY: ['ab'],
  PHOTO_S3_SECRET: ['short'],
  METRICS_TOKEN: ['short'],
  STAFF_EMAIL: ['nobody'],
  STAFF_PASSWORD: ['short', 'x'.repeat(201)],
};
/** Settings that one of these requires. */
const PHOTO_STORE = {
  PHOTO_S3_URL: 'https://s3.example',
  PHOTO_S3_BUCKET: 'photos',
  PHOTO_S3_KEY: 'key',
  PHOTO_S3_SECRET: 'secret',
};
const STRIPE = { STRIPE_SECRET_KEY: 'sk_live_key', STRIPE_WEBHOOK_SECRET: 'whsec_secret' };
const MODEL = { LLM_URL: 'http://127.0.0.1:8080/v1', LLM_MODEL: 'small' };
const MAIL_REPLIES = {
  MAIL_REPLIES_TO: 'answers@mail.example',
  MAIL_REPLIES_SECRET: 'a secret of the mail system',
};
const PHONE = { TWILIO_ACCOUNT: 'AC1', TWILIO_TOKEN: 'a-long-token', TWILIO_FROM: '+62361123456' };
/** Settings for which every text is a valid value at the start. */
const FREE = ['HOST', 'DATA_DIR', 'PHOTO_DIR'];

function faultsOf(env: Record<string, string>): string[] {
  try {
    parseConfig(env);
    return [];
  } catch (thrown) {
    assert.ok(thrown instanceof ConfigError);
    for (const fault of thrown.faults)
      assert.ok(thrown.message.includes(`\n  - ${fault}`), 'every fault is in the message');
    return thrown.faults;
  }
}

test('without any setting the service runs on this machine only, with demonstration data', () => {
  const config = parseConfig({});
  assert.deepEqual(config, {
    port: 3000,
    host: '127.0.0.1',
    baseUrl: 'http://localhost:3000',
    partnerUrl: 'http://localhost:3000',
    dataDir: resolve('data'),
    databaseUrl: undefined,
    databaseDirectUrl: undefined,
    connections: 20,
    pools: { write: 6, read: 2, jobs: 7 },
    jobsAtOnce: 4,
    workers: 1,
    drainMs: 5_000,
    leaseMs: 900,
    signupsPerHour: 60,
    registrationsPerHour: 10,
    reserve: undefined,
    partnerSignupsPerHour: 10,
    testPayments: false,
    partnerResignupShowsKey: false,
    partnerPlanPriceCents: undefined,
    bookingFeePerCoverCents: 0,
    bookings: {
      writesPerMinute: 30,
      writesPerDay: 500,
      readsPerMinute: 60,
      venueAsksPerDay: 20,
      openAsksPerVenue: 3,
      answerMs: 4 * HOUR_MS,
      poorRecord: { tables: 10, lostPct: 25, openAsksPerVenue: 1, asksPerDay: 20 },
      patience: { reminderMs: 45 * 60_000, mailMs: 60 * 60_000, deskMs: 90 * 60_000 },
      tableKinds: [],
      waking: { from: 9 * 60, until: 21 * 60 + 30 },
    },
    webhookChangesPerHour: 10,
    probeWebsites: true,
    prefix: 'svc',
    serviceName: 'Waypost',
    providerName: 'the web-mapping provider',
    providerUrl: 'http://localhost:3000/docs/rules#attribution',
    contactEmail: 'hello@waypost.example',
    operator: { name: 'the operator of Waypost', address: undefined },
    ownPages: { privacy: undefined, terms: undefined, support: undefined },
    deskPhone: undefined,
    domainProofs: { openaiApps: undefined, mcpRegistry: undefined },
    registryNamespace: 'localhost',
    smtp: undefined,
    mailReplies: undefined,
    twilio: undefined,
    textReplies: false,
    desk: { phone: undefined, mailDomain: 'desk.localhost' },
    demo: true,
    logLevel: 'info',
    egressAllow: [],
    allowedHosts: [],
    allowedOrigins: [],
    trustedProxies: [],
    llm: undefined,
    stripe: undefined,
    mapDir: resolve('data/maps'),
    mapTiles: undefined,
    photoDir: resolve('data/photos'),
    photoS3: undefined,
    platformSharePercent: 20,
    metricsToken: undefined,
    firstStaff: undefined,
  });
  assert.ok(Object.isFrozen(config));
});

test('an empty value counts as absent, and what is not a setting is not looked at', () => {
  const empty = Object.fromEntries(SETTING_NAMES.map((name) => [name, '']));
  assert.deepEqual(parseConfig({ ...empty, PATH: '/bin', port: '1', WAYPOST: 'x' }), parseConfig({}));
});

test('settings are read in the forms that people write them', () => {
  const config = parseConfig({
    PORT: '8080',
    HOST: '::1',
    PARTNER_URL: 'https://Partners.Example:443/',
    ALLOWED_HOSTS: ' Alias.Example , *',
    ALLOWED_ORIGINS: 'https://App.Example/,http://other.example:8080',
    TRUSTED_PROXIES: '10.0.0.0/8, ::1',
    EGRESS_ALLOW: 'localhost:9999,[::1]:80',
    DEMO: 'off',
    SMTP_URL: 'smtps://user:p%40ss@mail.example',
    MAIL_FROM: 'Waypost <post@waypost.example>',
    STAFF_EMAIL: 'Lead@Waypost.example',
    STAFF_PASSWORD: 'a long password',
  });
  assert.equal(config.baseUrl, 'http://[::1]:8080');
  assert.equal(config.partnerUrl, 'https://partners.example');
  assert.deepEqual(config.allowedHosts, ['alias.example', '*']);
  assert.deepEqual(config.allowedOrigins, ['https://app.example', 'http://other.example:8080']);
  assert.deepEqual(config.trustedProxies, ['10.0.0.0/8', '::1']);
  assert.deepEqual(config.egressAllow, ['localhost:9999', '[::1]:80']);
  assert.equal(config.demo, false);
  assert.deepEqual(config.smtp, {
    url: 'smtps://user:p%40ss@mail.example',
    from: 'Waypost <post@waypost.example>',
  });
  assert.deepEqual(config.firstStaff, { email: 'lead@waypost.example', password: 'a long password' });
});

test('RESERVE_PARTNER_KEY is refused while the Reserve endpoint is off', () => {
  const key = 'svc_partner_0123456789abcdef';
  const faults = ['RESERVE must be on when RESERVE_PARTNER_KEY is set'];
  assert.deepEqual(faultsOf({ RESERVE_PARTNER_KEY: key }), faults);
  const { reserve } = parseConfig({ RESERVE: 'on', RESERVE_PARTNER_KEY: key });
  assert.deepEqual(reserve, { keyOfUnkeyed: key });
});

test('every malformed value is a fault that begins with the name of its setting', () => {
  assert.deepEqual(new Set([...Object.keys(MALFORMED), ...FREE]), new Set(SETTING_NAMES));
  for (const [name, values] of Object.entries(MALFORMED))
    for (const value of values) {
      const faults = faultsOf({
        STAFF_EMAIL: 'a@b.example',
        STAFF_PASSWORD: 'a long password',
        ...MODEL,
        ...PHONE,
        ...MAIL_REPLIES,
        ...STRIPE,
        ...PHOTO_STORE,
        RESERVE: 'on',
        [name]: value,
      });
      assert.ok(faults.length > 0, `${name}=${value} is accepted`);
      for (const fault of faults)
        assert.match(fault, new RegExp(`^${name}(\\.\\d+)? must be|^${name} must`), fault);
    }
});

test('all faults are listed at once', () => {
  const env = Object.fromEntries(Object.entries(MALFORMED).map(([name, [value = '']]) => [name, value]));
  const faults = faultsOf(env);
  for (const name of Object.keys(MALFORMED))
    assert.ok(
      faults.some((fault) => fault.startsWith(name)),
      name,
    );
  assert.ok(faults.length >= Object.keys(MALFORMED).length);
});

test('no fault repeats the value, which may be a secret', () => {
  for (const [name, values] of Object.entries(MALFORMED))
    for (const value of values.filter((one) => one.length > 4))
      for (const fault of faultsOf({ [name]: value })) assert.ok(!fault.includes(value), fault);
});

test('settings that need each other are reported together', () => {
  const both = ['STAFF_EMAIL and STAFF_PASSWORD must be set together'];
  assert.deepEqual(faultsOf({ STAFF_EMAIL: 'a@b.example' }), both);
  assert.deepEqual(faultsOf({ STAFF_PASSWORD: 'a long password' }), both);
  const model = ['LLM_URL and LLM_MODEL must be set together'];
  assert.deepEqual(faultsOf({ LLM_URL: MODEL.LLM_URL }), model);
  assert.deepEqual(faultsOf(MODEL), []);
  const phone = ['TWILIO_ACCOUNT, TWILIO_TOKEN and TWILIO_FROM must be set together'];
  assert.deepEqual(faultsOf({ TWILIO_ACCOUNT: 'AC1' }), phone);
  assert.deepEqual(faultsOf({ ...PHONE, TWILIO_TOKEN: '' }), phone);
  assert.deepEqual(faultsOf(PHONE), []);
  assert.deepEqual(faultsOf({ PORT: '0' }), ['BASE_URL must be set when PORT is 0']);
  assert.deepEqual(faultsOf({ PORT: '0', BASE_URL: 'http://localhost:1' }), []);
});

test('a value that can only fail later is a fault at the start too', () => {
  for (const [name, value] of [
    ['HOST', 'not a host'],
    ['PORT', '0x10'],
    ['PORT', '00'],
    ['DATABASE_URL', 'postgres://a:b@[::x/waypost'],
    ['TRUSTED_PROXIES', '999.1.1.1'],
    ['TRUSTED_PROXIES', '10.0.0.0/99'],
    ['EGRESS_ALLOW', 'localhost:99999'],
  ] as const)
    assert.equal(faultsOf({ [name]: value }).length, 1, `${name}=${value}`);
});

test('the region of a store is that of its address', () => {
  const regionOf = (url: string) => parseConfig({ ...PHOTO_STORE, PHOTO_S3_URL: url }).photoS3?.region;
  assert.equal(regionOf('https://s3.eu-central-1.amazonaws.com'), 'eu-central-1');
  assert.equal(regionOf('http://127.0.0.1:9000'), 'us-east-1');
});

test('tuning is no part of the environment', () => {
  assert.equal(parseConfig({ LEASE_MS: '100', SIGNUPS_PER_HOUR: '1' }).leaseMs, 900);
  assert.equal(parseConfig({}, { leaseMs: 100 }).leaseMs, 100);
});

test('the example file names exactly the settings that exist', () => {
  assert.deepEqual(new Set(Object.keys(example)), new Set(SETTING_NAMES));
});

test('the example file shows the defaults: copied as it is, it changes nothing', () => {
  assert.deepEqual(parseConfig(example as Record<string, string>), parseConfig({}));
});
