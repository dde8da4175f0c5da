import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { parseEnv } from 'node:util';
import { ConfigError, parseConfig, SETTING_NAMES } from '../src/config.ts';

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
  DATABASE_URL: ['mysql://localhost/waypost', 'localhost:5432'],
  PROBE_WEBSITES: ['yes', 'true'],
  SIGNUPS_PER_HOUR: ['0', 'many', '1.5'],
  REGISTRATIONS_PER_HOUR: ['0', 'many', '1.5'],
  DATABASE_POOL: ['1', '201', 'many', '2.5'],
  JOBS_AT_ONCE: ['0', '101', 'all'],
  SMTP_URL: ['mail.example', 'http://mail.example', 'smtps:///nowhere'],
  MAIL_FROM: ['nobody', 'a@b@c', 'Name <x>', 'a@b.example, c@d.example'],
  SERVICE_PREFIX: ['S', 'x', 'with_underscore', '1st', 'a'.repeat(17), 'Svc'],
  SERVICE_NAME: [' ', 'x'.repeat(61)],
  PROVIDER_NAME: [' ', 'x'.repeat(61)],
  PROVIDER_URL: ['provider.example', 'ftp://provider.example', 'https://'],
  CONTACT_EMAIL: ['nobody', '@example.com'],
  DEMO: ['true', '1', 'ON'],
  LOG_LEVEL: ['loud', 'INFO'],
  EGRESS_ALLOW: ['localhost', 'localhost:port'],
  ALLOWED_HOSTS: ['waypost.example:443', 'https://waypost.example', 'a b'],
  ALLOWED_ORIGINS: ['*', 'app.example', 'https://app.example/path', 'https://app.example,b'],
  TRUSTED_PROXIES: ['loopback', '10.0.0.0/8/8', 'proxy.example'],
  METRICS_TOKEN: ['short'],
  STAFF_EMAIL: ['nobody'],
  STAFF_PASSWORD: ['short', 'x'.repeat(201)],
  STAFF_TOTP_SECRET: ['JBSWY3DPEHPK3PXP', 'lower case is not taken', '0'.repeat(32)],
};
/** Settings of which every text is a possible value, as far as can be told before it is used. */
const FREE = ['HOST', 'DATA_DIR'];

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
    databasePool: 10,
    jobsAtOnce: 4,
    signupsPerHour: 60,
    registrationsPerHour: 10,
    probeWebsites: true,
    prefix: 'svc',
    serviceName: 'Waypost',
    providerName: 'the web-mapping provider',
    providerUrl: 'http://localhost:3000/docs#attribution',
    contactEmail: 'hello@waypost.example',
    smtp: undefined,
    demo: true,
    logLevel: 'info',
    egressAllow: [],
    allowedHosts: [],
    allowedOrigins: [],
    trustedProxies: [],
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

test('every malformed value is a fault that begins with the name of its setting', () => {
  assert.deepEqual(new Set([...Object.keys(MALFORMED), ...FREE]), new Set(SETTING_NAMES));
  for (const [name, values] of Object.entries(MALFORMED))
    for (const value of values) {
      const faults = faultsOf({
        STAFF_EMAIL: 'a@b.example',
        STAFF_PASSWORD: 'a long password',
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

test('settings that need each other are told of together', () => {
  const both = ['STAFF_EMAIL and STAFF_PASSWORD must be set together'];
  assert.deepEqual(faultsOf({ STAFF_EMAIL: 'a@b.example' }), both);
  assert.deepEqual(faultsOf({ STAFF_PASSWORD: 'a long password' }), both);
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

test('the example file names exactly the settings that exist', () => {
  assert.deepEqual(new Set(Object.keys(example)), new Set(SETTING_NAMES));
});

test('the example file shows the defaults: copied as it is, it changes nothing', () => {
  assert.deepEqual(parseConfig(example as Record<string, string>), parseConfig({}));
});
