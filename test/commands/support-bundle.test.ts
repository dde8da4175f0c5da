import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { extract } from 'tar-stream';
import { metricsToken } from '../../src/core/secret/metrics-token.ts';
import { SECRET_SETTINGS, SETTING_NAMES } from '../../src/node/settings.ts';
import { startTestService } from '../harness/service/service.ts';
import { runWaypost } from './run-waypost.ts';

const folder = mkdtempSync(join(tmpdir(), 'waypost-bundle-'));
after(() => {
  rmSync(folder, { recursive: true, force: true });
});
const service = await startTestService();
const { config, secrets } = service.app.deps;

async function members(path: string): Promise<Map<string, string>> {
  const reader = extract();
  reader.end(readFileSync(path));
  const texts = new Map<string, string>();
  for await (const entry of reader) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry) chunks.push(chunk as Buffer);
    texts.set(entry.header.name, Buffer.concat(chunks).toString());
  }
  return texts;
}

/** One value of its own for every secret setting. */
const SECRETS: Record<string, string> = {
  SMTP_URL: 'smtp://mailuser:smtp%2Fpass-1@127.0.0.1:9',
  OPENAI_APPS_CHALLENGE: 'challenge-secret-2',
  MCP_REGISTRY_AUTH: 'registry-secret-3',
  TWILIO_ACCOUNT: 'ACsecret4',
  TWILIO_TOKEN: 'twilio-secret-5',
  RESERVE_PARTNER_KEY: 'svc_partner_secret_6_0000',
  PHOTO_S3_KEY: 's3-key-secret-7',
  PHOTO_S3_SECRET: 's3-secret-8',
  STRIPE_SECRET_KEY: 'sk_live_secret_9',
  STRIPE_WEBHOOK_SECRET: 'whsec_secret_10',
  LLM_KEY: 'llm-secret-11',
  METRICS_TOKEN: 'metrics-token-secret-12',
  STAFF_EMAIL: 'secret13@staff.example',
  STAFF_PASSWORD: 'staff-password-secret-14',
  MAIL_REPLIES_SECRET: 'mail-replies-secret-15',
};
const BESIDE = {
  MAIL_REPLIES_TO: 'answers@mail.example',
  TWILIO_FROM: '+62361123456',
  RESERVE: 'on',
  PHOTO_S3_URL: 'http://127.0.0.1:9',
  PHOTO_S3_BUCKET: 'photos',
  LLM_URL: 'http://127.0.0.1:9',
  LLM_MODEL: 'small',
  BASE_URL: 'http://localhost:3000',
};

/** Settings that are only on or off. */
const SWITCHES = ['PARTNER_RESIGNUP_SHOWS_KEY'];

test('every setting whose name sounds like a secret is one', () => {
  const words = /KEY|SECRET|TOKEN|PASSWORD|AUTH|CHALLENGE|DATABASE.*URL|SMTP/;
  assert.deepEqual(
    SETTING_NAMES.filter(
      (name) => words.test(name) && !SWITCHES.includes(name) && !SECRET_SETTINGS.includes(name),
    ),
    [],
  );
  const given = new Set([...Object.keys(SECRETS), 'DATABASE_URL', 'DATABASE_DIRECT_URL']);
  assert.deepEqual(
    SECRET_SETTINGS.filter((name) => !given.has(name)),
    [],
    'this test knows them all',
  );
});

test('a bundle has what a maintainer needs, and no secret of the settings, of addresses or of the database', async () => {
  const url = new URL(service.database.url);
  const role = `bundle_${Date.now()}`;
  await service.database.pool.unsafe(`create role ${role} superuser login password 'database-pass-15'`);
  url.username = role;
  url.password = 'database-pass-15';
  const log = join(folder, 'service.log');
  const said = [
    ...Object.values(SECRETS),
    'smtp/pass-1',
    'database-pass-15',
    secrets.session.toString('hex'),
  ];
  writeFileSync(
    log,
    `first line\n${said.map((text) => `{"msg":"a defect logged ${text}"}\n`).join('')}last line\n`,
  );
  const file = join(folder, 'bundle.tar');
  const settings = {
    ...SECRETS,
    ...BESIDE,
    DATABASE_URL: url.href,
    DATABASE_DIRECT_URL: url.href,
    DATA_DIR: config.dataDir,
    PORT: new URL(service.url).port,
  };
  const { code, out, error } = await runWaypost(['support-bundle', file, '--log', log], settings);
  assert.deepEqual([code, error], [0, '']);
  const texts = await members(file);
  for (const name of [
    'doctor.txt',
    'versions.json',
    'settings.txt',
    'readyz.json',
    'metrics.txt',
    'service.log',
  ])
    assert.ok(texts.has(name), name);
  for (const name of ['migrations', 'tables', 'indexes', 'connections', 'jobs', 'nodes', 'server'])
    assert.ok(Array.isArray(JSON.parse(texts.get(`${name}.json`) ?? '')), name);
  assert.match(texts.get('readyz.json') ?? '', /"status":"ready"/);
  assert.match(texts.get('tables.json') ?? '', /"name": "booking"/);
  assert.match(texts.get('service.log') ?? '', /first line[^]*a defect logged \[secret\][^]*last line/);
  assert.match(texts.get('settings.txt') ?? '', /^DATABASE_URL=\[secret\] at 127\.0\.0\.1:\d+$/m);
  assert.match(texts.get('settings.txt') ?? '', /^PHOTO_S3_BUCKET=photos$/m);
  const everything = out + readFileSync(file, 'latin1');
  const hidden = [
    ...Object.values(SECRETS),
    ...['smtp/pass-1', 'smtp%2Fpass-1', 'database-pass-15'],
    ...Object.values(secrets).flatMap((key: Buffer) => [key.toString('hex'), key.toString('base64url')]),
  ];
  for (const secret of hidden) assert.ok(!everything.includes(secret), secret);
  await service.database.pool.unsafe(`drop role ${role}`);
});

test('the metrics are those of the running service, by the token that it wrote', async () => {
  const file = join(folder, 'with-metrics.tar');
  const { code } = await runWaypost(['support-bundle', file], {
    DATABASE_URL: service.database.url,
    DATA_DIR: config.dataDir,
    PORT: new URL(service.url).port,
    BASE_URL: 'http://localhost:3000',
  });
  assert.equal(code, 0);
  const texts = await members(file);
  assert.match(texts.get('metrics.txt') ?? '', /^waypost_build_info/m);
  assert.ok(!readFileSync(file, 'latin1').includes(metricsToken(config, secrets)));
});

test('a bundle of an installation whose database does not answer says so', async () => {
  const file = join(folder, 'without-database.tar');
  const { code } = await runWaypost(['support-bundle', file], {
    DATABASE_URL: 'postgres://nobody:lost-password@127.0.0.1:9/nothing',
    DATA_DIR: join(folder, 'data'),
    BASE_URL: 'http://localhost:3000',
    PORT: '9',
  });
  assert.equal(code, 0);
  const texts = await members(file);
  assert.match(texts.get('doctor.txt') ?? '', /^fault {3}Database /m);
  assert.match(texts.get('readyz.json') ?? '', /does not answer/);
  assert.ok(!readFileSync(file, 'latin1').includes('lost-password'));
});
