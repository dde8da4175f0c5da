import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { addVenue, AskingPartner, linkInOutbox, tap } from '../../bookings/asking-partner.ts';
import { startReceiver } from '../../callbacks/receiver.ts';
import { CHECKOUT, freePort } from '../../harness/service/program.ts';
import { signUpAgent, startTestService } from '../../harness/service/service.ts';
import { SubmittingAgent } from '../../harness/people/submissions.ts';
import { Buyer } from '../../licensing/buyer.ts';
import { addMadePhoto, fillWallet } from '../../licensing/made-photo.ts';
import { MINUTE_MS } from '../../../src/core/time.ts';

const noCurl = hasCurl() ? false : 'there is no curl here';

const receiver = await startReceiver();
const port = String(await freePort());
const base = `http://localhost:${port}`;
const service = await startTestService({
  settings: {
    TEST_PAYMENTS: 'on',
    PORT: port,
    BASE_URL: base,
    PARTNER_URL: base,
    EGRESS_ALLOW: receiver.pair,
  },
});
const { pool } = service.database;
// Ten in the morning where the venues are: nobody is asked at night.
service.clock.advance(14 * 60 * MINUTE_MS);

function hasCurl(): boolean {
  try {
    return execFileSync('curl', ['--version'], { encoding: 'utf8' }).startsWith('curl');
  } catch {
    return false;
  }
}

type Values = Record<string, string>;

/** What a reader who has done what the page says would have: keys, a photo that is offered, a venue that answers. */
async function readersValues(date: string): Promise<Values> {
  const agent = await SubmittingAgent.signUp(service);
  const { agentId, apiKey: KEY } = agent;
  await fillWallet(pool, service.clock, agentId, 5_000);
  const PHOTO_ID = await addMadePhoto(pool, service.clock, { prices: { web: 300 } });
  const licence = await new Buyer(service, agentId, KEY).license(PHOTO_ID, 'web', 1_000, 'the first');
  const partner = await AskingPartner.add(service);
  const venue = (name: string) => addVenue(service, { name, email: `${name}@venue.example` });
  const BOOKING_ID = await partner.request(await venue('offers'), { date });
  const link = await linkInOutbox(service, BOOKING_ID, 'mail');
  await partner.untilStatus(BOOKING_ID, 'asking');
  await tap(service, link, { answer: 'offer', offer_date: date, offer_time: '20:15' });
  const { offer } = await partner.untilStatus(BOOKING_ID, 'offered');
  return {
    KEY,
    PARTNER_KEY: partner.partner.apiKey,
    PLACE_ID: await venue('asked'),
    SUBMISSION_ID: (await agent.business({ relationship: 'owner', name: 'Rumah Senja' })).id,
    PHOTO_ID,
    LICENSE_ID: String(licence.body['license_id']),
    BOOKING_ID,
    OFFER_ID: offer?.offer_id ?? '',
    WEBHOOK_URL: `${receiver.url}/hooks`,
    DATE: date,
  };
}

/** Pastes a command into a shell in which the values are set; gives what went wrong, or undefined. */
async function paste(command: string, values: Values): Promise<string | undefined> {
  // Some surfaces let a caller without a key ask a dozen times a minute.
  service.clock.advance(MINUTE_MS);
  const env = { PATH: process.env['PATH'], ...values };
  const script = `set -u\n${command} -sS -w '\\n%{http_code}'`;
  const said = await new Promise<string>((resolve) => {
    execFile('sh', ['-c', script], { env }, (_error, out, stderr) => {
      resolve(stderr + out);
    });
  });
  const [, body = '', status = ''] = /^([^]*)\n(2\d\d)$/.exec(said) ?? [];
  const { error, result } = JSON.parse(body === '' ? '{}' : body) as Answer;
  const fine = status !== '' && error === undefined && result?.isError !== true;
  return fine ? undefined : `${command}\n${said}`;
}

interface Answer {
  error?: unknown;
  result?: { isError?: boolean };
}

async function codeBlocks(): Promise<string[]> {
  const page = await (await service.request('/docs')).text();
  return [...page.matchAll(/<pre>([^]*?)<\/pre>/g)].map(([, text = '']) =>
    text
      .replaceAll(/<[^>]+>/g, '')
      .replaceAll('&#39;', "'")
      .replaceAll('&quot;', '"')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&'),
  );
}

test('every command of the reference runs as it is printed', { skip: noCurl }, async () => {
  const blocks = await codeBlocks();
  const settings = blocks.find((text) => text.startsWith("KEY='")) ?? '';
  const named = [...settings.matchAll(/^([A-Z_]+)='(.*)'$/gm)];
  const values = await readersValues(named.find(([, name]) => name === 'DATE')?.[2] ?? '2026-11-21');
  const commands = blocks.filter((text) => /^(?:\w+=\$\([\w -]+\)\n)?curl /.test(text));
  assert.ok(commands.length > 45, String(commands.length));
  const faults: string[] = [];
  for (const command of commands) {
    // Whoever replaces a key has another one afterwards.
    const own = command.includes('/me/rotate') ? { KEY: (await signUpAgent(service)).apiKey } : {};
    faults.push(...[await paste(command, { ...values, ...own })].filter((fault) => fault !== undefined));
  }
  assert.deepEqual(faults, []);
  assert.deepEqual(
    named.map(([, name]) => name),
    Object.keys(values),
    'the page names all that a reader must fill in',
  );
});

test('no example has an idempotency key that everybody would paste', async () => {
  const texts = [
    ...(await codeBlocks()),
    await (await service.request('/openapi.json')).text(),
    await (await service.request('/llms.txt')).text(),
    readFileSync(join(CHECKOUT, 'README.md'), 'utf8'),
  ];
  const constants = texts.flatMap((text) => text.match(/idempotency[-_]key["']?: *\\?["']?[\w-]+/gi) ?? []);
  assert.deepEqual(
    constants.filter((found) => !/:\s*["']?(?:type|string)\b/.test(found)),
    [],
  );
  assert.ok(texts.some((text) => text.includes('IDEMPOTENCY_KEY=$(')));
});

test('every command of the README runs as it is printed', { skip: noCurl }, async () => {
  const readme = readFileSync(join(CHECKOUT, 'README.md'), 'utf8');
  const [, script = ''] = /^## Try it\n\n```sh\n([^]*?)```/m.exec(readme) ?? [];
  const lines = script.replaceAll('\\\n', ' ').split('\n');
  const commands = lines.filter((line) => line.startsWith('curl '));
  assert.equal(commands.length, 7);
  const values = await readersValues('2026-12-01');
  for (const command of commands)
    assert.equal(await paste(command.replaceAll('http://localhost:3000', base), values), undefined);
});
