import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { examine } from '../../src/commands/doctor/examine.ts';
import type { CheckFinding } from '../../src/commands/doctor/finding.ts';
import { parseConfig } from '../../src/config.ts';
import { startTestService } from '../harness/service/service.ts';
import { until } from '../harness/service/jobs.ts';
import { tuningOf } from '../harness/service/tuning.ts';
import { startSmtp } from '../messages/smtp-receiver.ts';
import { runWaypost } from './run-waypost.ts';

const folder = mkdtempSync(join(tmpdir(), 'waypost-doctor-'));
after(() => {
  rmSync(folder, { recursive: true, force: true });
});
const service = await startTestService();
const { pool, url: databaseUrl } = service.database;
const { dataDir } = service.app.deps.config;
await until('the node has its heartbeat', async () => (await pool`select 1 from job_runner`).length > 0);
const smtp = await startSmtp();
const SETTINGS = {
  DATABASE_URL: databaseUrl,
  DATA_DIR: dataDir,
  SMTP_URL: smtp.url,
  BASE_URL: 'http://localhost:3000',
};

async function findings(settings: Record<string, string> = {}): Promise<Map<string, CheckFinding>> {
  const values: Record<string, string> = { ...SETTINGS, ...settings };
  const found = await Array.fromAsync(examine(parseConfig(values, tuningOf(values))));
  return new Map(found.map((finding) => [finding.name, finding]));
}

async function stateOf(name: string, settings: Record<string, string> = {}) {
  const finding = (await findings(settings)).get(name);
  assert.ok(finding !== undefined, name);
  assert.equal(finding.state === 'ok', finding.fix === undefined, 'a finding says what to do');
  return finding;
}

/** An outside service that answers every request with one status. */
async function startAnswering(status: number, body: object): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a sound installation has no fault, and the command ends with 0', async () => {
  const all = await findings();
  const names = [...all.keys()];
  assert.deepEqual(names, [
    ...[
      'Versions',
      'Disk',
      'Search index',
      'Database',
      'Tables',
      'Permissions',
      'Connections',
      'Clock',
      'Jobs',
    ],
    ...['Storage', 'Mail', 'Phone', 'Payments', 'Address'],
  ]);
  const bad = [...all.values()].filter(({ state }) => state !== 'ok').map(({ name, state }) => [name, state]);
  assert.deepEqual(bad, [['Address', 'warning']]);
  const { code, out, error } = await runWaypost(['doctor'], SETTINGS);
  assert.deepEqual([code, error], [0, '']);
  assert.match(out, /^ok {6}Database {6}PostgreSQL [\d.]+ /m);
  assert.match(out, /^warning Address .*\n +Fix: /m);
});

test('a database that does not answer is a fault with its reason, and the command ends with 1', async () => {
  const { code, out, error } = await runWaypost(['doctor'], {
    ...SETTINGS,
    DATABASE_URL: 'postgres://nobody@127.0.0.1:9/nothing',
  });
  assert.equal(code, 1);
  assert.match(out, /^fault {3}Database .*127\.0\.0\.1:9.*\n +Fix: /m);
  assert.match(error, /One fault must be fixed/);
});

test('an installation that was never started is not created by the check', async () => {
  const own = join(folder, 'never-started');
  const { code, out } = await runWaypost(['doctor'], { DATA_DIR: own });
  assert.equal(code, 0);
  assert.match(out, /^warning Database .*none/m);
  assert.throws(() => {
    rmSync(own);
  }, /ENOENT/);
});

test('tables of another version are a warning', async () => {
  await pool`insert into migration (name, checksum) values ('9999_newer.sql', '')`;
  assert.match((await stateOf('Tables')).text, /newer program.*9999_newer\.sql/);
  await pool`delete from migration where name = '9999_newer.sql'`;
  const [removed] = await pool<{ name: string; checksum: string }[]>`
    delete from migration where name = (select max(name) from migration) returning name, checksum`;
  assert.match((await stateOf('Tables')).text, /1 migrations? (is|are) missing/);
  await pool`insert into migration (name, checksum) values (${removed?.name ?? ''}, ${removed?.checksum ?? ''})`;
  assert.equal((await stateOf('Tables')).state, 'ok');
});

test('a user who does not own the tables is a fault', async () => {
  const role = `doctor_${Date.now()}`;
  await pool.unsafe(`create role ${role} login password 'of-the-doctor'`);
  await pool.unsafe(`grant usage on schema public, graphile_worker to ${role};
    grant select on all tables in schema public, graphile_worker to ${role}`);
  const url = new URL(databaseUrl);
  url.username = role;
  url.password = 'of-the-doctor';
  const { state, text } = await stateOf('Permissions', { DATABASE_URL: url.href });
  assert.equal(state, 'fault');
  assert.match(text, new RegExp(`${role} does not own`));
  await pool.unsafe(`drop owned by ${role}; drop role ${role}`);
});

test('more connections than the server allows are a warning', async () => {
  assert.equal((await stateOf('Connections', { DATABASE_CONNECTIONS: '500' })).state, 'warning');
});

test('late and dead jobs are reported', async () => {
  await pool`select graphile_worker.add_job('of_another_version', job_key => 'late', run_at => now() - interval '1 hour')`;
  assert.equal((await stateOf('Jobs')).state, 'fault');
  await pool`update graphile_worker._private_jobs set attempts = max_attempts, last_error = 'It failed.' where key = 'late'`;
  const { state, text } = await stateOf('Jobs');
  assert.deepEqual([state, text], ['warning', 'One job failed too often and is not tried again.']);
  await pool`delete from graphile_worker._private_jobs where key = 'late'`;
});

test('a storage that is not that of the other nodes is a fault, and so is one that cannot be written', async () => {
  await pool`insert into photo_store (probe) values (${'0123456789abcdef'.repeat(2)})`;
  assert.match((await stateOf('Storage')).text, /not the storage of the other nodes/);
  await pool`delete from photo_store`;
  const file = join(folder, 'a-file');
  writeFileSync(file, '');
  assert.equal((await stateOf('Storage', { PHOTO_DIR: file })).state, 'fault');
});

test('a mail server, a phone and a payment provider that refuse us are faults, and are asked, not used', async () => {
  assert.equal((await stateOf('Mail')).state, 'ok');
  assert.deepEqual(smtp.mails, []);
  assert.equal((await stateOf('Mail', { SMTP_URL: 'smtp://127.0.0.1:9' })).state, 'fault');
  assert.equal((await stateOf('Mail', { SMTP_URL: '' })).state, 'warning');
  const phone = (url: string) => ({
    ...{ TWILIO_ACCOUNT: 'AC1', TWILIO_TOKEN: 'a-long-token', TWILIO_FROM: '+62361123456', TWILIO_URL: url },
    EGRESS_ALLOW: new URL(url).host,
  });
  const payments = (url: string) => ({
    ...{ STRIPE_SECRET_KEY: 'sk_live_key', STRIPE_WEBHOOK_SECRET: 'whsec_secret', STRIPE_API_URL: url },
    EGRESS_ALLOW: new URL(url).host,
  });
  const accepting = await startAnswering(200, { object: 'balance' });
  const refusing = await startAnswering(401, { error: { message: 'Invalid API Key' } });
  assert.equal((await stateOf('Phone', phone(accepting))).state, 'ok');
  assert.match((await stateOf('Phone', phone(refusing))).text, /answered 401/);
  assert.equal((await stateOf('Payments', payments(accepting))).state, 'ok');
  assert.equal((await stateOf('Payments', payments(refusing))).state, 'fault');
});

test('an address that leads elsewhere is a fault', async () => {
  const { state, text } = await stateOf('Address', { BASE_URL: 'https://127.0.0.1:9' });
  assert.equal(state, 'fault');
  assert.match(text, /cannot be opened/);
});

test('an index that cannot be read is a warning', async () => {
  const { text } = await stateOf('Search index', { DATA_DIR: join(folder, 'empty') });
  assert.match(text, /There is none/);
});
