import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { KIND_NAMES } from '../../src/jobs/kinds.ts';
import { startHere } from '../backup/commands.ts';
import { createTestDatabase } from '../harness/service/database.ts';
import { until } from '../harness/service/jobs.ts';
import {
  CHECKOUT,
  freePort,
  PHOTO_DIR,
  startProgram,
  untilReady,
  untilRefused,
  type Program,
} from '../harness/service/program.ts';
import { startTestService, USER_AGENT } from '../harness/service/service.ts';
import { LONG } from '../harness/tier.ts';
import { beginSignUp } from '../harness/service/slow-sign-up.ts';
import { holdMail, postMail } from '../messages/held-mail.ts';
import { startSmtp } from '../messages/smtp-receiver.ts';

const SERVICE = [process.execPath, 'src/cli.ts', 'start'];
const AS_A_PROGRAM = { headers: { 'user-agent': USER_AGENT } };

test('a node that cannot listen ends at once with a sentence, and leaves the jobs to the healthy one', async () => {
  // The healthy node has its hands full with one message, so that another could take those behind it.
  const smtp = await startSmtp();
  const held = holdMail(smtp);
  const service = await startTestService({ settings: { SMTP_URL: smtp.url, JOBS_AT_ONCE: '1' } });
  await postMail(service);
  await held.sending;
  const { pool, url } = service.database;
  for (let waiting = 0; waiting < 5; waiting++) await postMail(service);
  const port = new URL(service.url).port;
  const broken = [
    {
      settings: { PORT: port },
      sentence: `Port ${port} is in use by another program. Set PORT to a free one.`,
    },
    {
      settings: { PORT: port, HOST: '192.0.2.1' },
      sentence:
        '192.0.2.1 is not an address of this machine. Set HOST to one of its addresses, or to 0.0.0.0 for all of them.',
    },
  ];
  const endsAtOnce = async ({ settings, sentence }: (typeof broken)[number]) => {
    const node = startProgram(SERVICE, { DATABASE_URL: url, ...settings });
    assert.equal(await node.ended, 1);
    assert.equal(node.said.error, `${sentence}\n`);
    assert.doesNotMatch(node.said.out, /is ready/);
  };
  const endsHere = async ({ settings, sentence }: (typeof broken)[number]) => {
    const { code, error, out } = await startHere({
      DATABASE_URL: url,
      DATA_DIR: join(PHOTO_DIR, 'broken'),
      PHOTO_DIR,
      ...settings,
    });
    assert.deepEqual([code, error], [1, `${sentence}\n`]);
    assert.doesNotMatch(out, /is ready/);
  };
  // The program takes a second or two each time: `npm test` does what it does in this process.
  if (LONG) await Promise.all(broken.map(endsAtOnce));
  else for (const one of broken) await endsHere(one);
  const jobs = await pool<{ attempts: number; locked: boolean }[]>`
    select attempts, locked_by is not null as locked from graphile_worker.jobs order by id`;
  const untouched = { attempts: 0, locked: false };
  assert.deepEqual([...jobs], [{ attempts: 1, locked: true }, ...Array.from({ length: 5 }, () => untouched)]);
  const runners = (await pool`select from job_runner`).length;
  assert.equal(
    runners,
    KIND_NAMES.length,
    'only the healthy node has ever taken jobs, one runner for each kind',
  );
  held.release();
  await until('the healthy node has sent them all', () => smtp.mails.length === 6);
});

const database = await createTestDatabase();
after(() => database.drop());

const [, imageCommand = '[]'] =
  /^CMD (\[.*\])$/m.exec(readFileSync(join(CHECKOUT, 'Dockerfile'), 'utf8')) ?? [];
/** Long enough to look at a node meanwhile, also where nodes are slow. */
const DRAIN_MS = '5000';
const STOPS = [
  { title: 'kill of npm start', argv: ['npm', 'start'], signal: 'SIGTERM', toAll: false },
  // The terminal sends it to every process of the group, and npm sends it to the program once more.
  { title: 'Ctrl-C on npm start', argv: ['npm', 'start'], signal: 'SIGINT', toAll: true },
  // Docker is not there; this is what it would run and send.
  { title: 'docker stop', argv: JSON.parse(imageCommand) as string[], signal: 'SIGTERM', toAll: false },
] as const;

// Each is a start of the whole program, so that `npm test` does the one in which most stands between signal and service.
for (const { title, argv, signal, toAll } of LONG ? STOPS : STOPS.slice(0, 1)) {
  test(`${title} ends the service itself, which says so first, and a request in flight is answered before`, async () => {
    // Ctrl-C does not wait for open requests.
    const drains = !toAll;
    const settings = {
      DATABASE_URL: database.url,
      PORT: String(await freePort()),
      ...(drains && { DRAIN_MS }),
    };
    const program = startProgram(argv, settings);
    await untilReady(program);
    const signUp = await beginSignUp(program.url);
    const pid = program.child.pid ?? 0;
    process.kill(toAll ? -pid : pid, signal);
    if (drains) await assertDrains(program);
    await untilRefused(program);
    const { status, body } = await signUp.finish();
    assert.equal(status, 201, JSON.stringify(body));
    assert.equal(await program.ended, 0, program.said.error);
  });
}

test('the image runs the Node of the project, without a shell or npm between it and the signal', () => {
  assert.deepEqual(JSON.parse(imageCommand), ['node_modules/.bin/node', 'src/cli.ts', 'start']);
});

for (const workers of LONG ? ['1', '2'] : []) {
  test(`a node of ${workers} that is told to stop says so first, and answers what still comes`, async () => {
    const settings = { DATABASE_URL: database.url, PORT: String(await freePort()), DRAIN_MS };
    const program = startProgram(SERVICE, { ...settings, WORKERS: workers });
    await untilReady(program);
    process.kill(-(program.child.pid ?? 0), 'SIGTERM');
    await assertDrains(program);
    assert.equal(await program.ended, 0, program.said.error);
  });
}

async function assertDrains({ url }: Program): Promise<void> {
  const draining = await until('it says that it drains', async () => {
    const response = await fetch(`${url}/readyz`);
    return response.status === 503 ? response : undefined;
  });
  assert.deepEqual(await draining.json(), { status: 'draining' });
  assert.equal(draining.headers.get('connection'), 'close');
  assert.equal((await fetch(`${url}/api/agent/destinations`, AS_A_PROGRAM)).status, 200);
}
