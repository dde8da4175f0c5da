import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { postMessage } from '../../src/messages/post-message.ts';
import { createTestDatabase } from '../harness/database.ts';
import { until } from '../harness/jobs.ts';
import { CHECKOUT, freePort, startProgram, untilReady } from '../harness/program.ts';
import { startTestService, USER_AGENT, type TestService } from '../harness/service.ts';
import { startSmtp, type SmtpReceiver } from '../messages/smtp-receiver.ts';

const SERVICE = [process.execPath, 'src/cli.ts', 'start'];

interface BusyNode {
  service: TestService;
  smtp: SmtpReceiver;
  release: () => void;
}

/** A healthy node that has its hands full with one message, so that others could take those behind it. */
async function startBusyNode(): Promise<BusyNode> {
  const smtp = await startSmtp();
  const sending = Promise.withResolvers<undefined>();
  const gate = Promise.withResolvers<undefined>();
  smtp.taken = () => {
    sending.resolve(undefined);
    return gate.promise.then(() => undefined);
  };
  const service = await startTestService({ settings: { SMTP_URL: smtp.url, JOBS_AT_ONCE: '1' } });
  await post(service);
  await sending.promise;
  return {
    service,
    smtp,
    release: () => {
      gate.resolve(undefined);
    },
  };
}

async function post({ app: { deps } }: TestService): Promise<void> {
  const mail = { to: 'a@b.example', subject: 'Hello', text: 'Hello.', purpose: 'test', subject_id: 'x' };
  await deps.pool.begin((sql) =>
    postMessage(sql, { newId: deps.newId, now: deps.clock.now() }, { channel: 'mail', ...mail }),
  );
}

test('a node that cannot listen ends at once with a sentence, and leaves the jobs to the healthy one', async () => {
  const { service, smtp, release } = await startBusyNode();
  const { pool, url } = service.database;
  for (let waiting = 0; waiting < 5; waiting++) await post(service);
  const port = new URL(service.url).port;
  const broken = [
    {
      settings: { PORT: port },
      sentence: `Port ${port} is taken by another program. Set PORT to a free one.`,
    },
    {
      settings: { PORT: port, HOST: '192.0.2.1' },
      sentence:
        '192.0.2.1 is no address of this machine. Set HOST to one that is, or to 0.0.0.0 for all of them.',
    },
  ];
  const endsAtOnce = async ({ settings, sentence }: (typeof broken)[number]) => {
    const node = startProgram(SERVICE, { DATABASE_URL: url, ...settings });
    assert.equal(await until('it has ended', () => node.child.exitCode ?? undefined), 1);
    await node.ended;
    assert.deepEqual(node.said, { out: '', error: `${sentence}\n` });
  };
  await Promise.all(broken.map(endsAtOnce));
  const jobs = await pool<{ attempts: number; locked: boolean }[]>`
    select attempts, locked_by is not null as locked from graphile_worker.jobs order by id`;
  const untouched = { attempts: 0, locked: false };
  assert.deepEqual([...jobs], [{ attempts: 1, locked: true }, ...Array.from({ length: 5 }, () => untouched)]);
  assert.equal((await pool`select from job_runner`).length, 1, 'only the healthy node has ever taken jobs');
  assert.equal(
    (await pool`select from staff`).length,
    0,
    'the first account waits for a start that succeeds',
  );
  release();
  await until('the healthy node has sent them all', () => smtp.mails.length === 6);
});

const database = await createTestDatabase();
after(() => database.drop());

/** Begins a sign-up whose body does not end yet; it has arrived when the service asks for the rest. */
async function beginSignUp(
  url: string,
): Promise<{ finish(): Promise<{ status: number | undefined; body: unknown }> }> {
  const body = JSON.stringify({
    agent_name: 'Slow Agent',
    operator_name: 'Slow Operator',
    operator_email: `slow-${new URL(url).port}@operator.example`,
    purpose: 'Takes its time to say what it wants.',
  });
  const asking = request(`${url}/api/agent/signup`, {
    method: 'POST',
    headers: {
      'user-agent': USER_AGENT,
      'content-type': 'application/json',
      'content-length': body.length,
      expect: '100-continue',
    },
  });
  asking.flushHeaders();
  await once(asking, 'continue');
  asking.write(body.slice(0, 20));
  return {
    finish: async () => {
      const answered = once(asking, 'response') as Promise<[IncomingMessage]>;
      asking.end(body.slice(20));
      const [response] = await answered;
      return { status: response.statusCode, body: await json(response) };
    },
  };
}

const [, imageCommand = '[]'] =
  /^CMD (\[.*\])$/m.exec(readFileSync(join(CHECKOUT, 'Dockerfile'), 'utf8')) ?? [];
const STOPS = [
  { title: 'kill of npm start', argv: ['npm', 'start'], signal: 'SIGTERM', toAll: false },
  // The terminal sends it to every process of the group, and npm sends it to the program once more.
  { title: 'Ctrl-C on npm start', argv: ['npm', 'start'], signal: 'SIGINT', toAll: true },
  // Docker is not there; this is what it would run and send.
  { title: 'docker stop', argv: JSON.parse(imageCommand) as string[], signal: 'SIGTERM', toAll: false },
] as const;

for (const { title, argv, signal, toAll } of STOPS) {
  test(`${title} ends the service itself, and a request in flight is answered before`, async () => {
    const settings = { DATABASE_URL: database.url, PORT: String(await freePort()) };
    const program = startProgram(argv, settings);
    await untilReady(program);
    const signUp = await beginSignUp(program.url);
    const pid = program.child.pid ?? 0;
    process.kill(toAll ? -pid : pid, signal);
    await until('the service takes no more connections', () =>
      fetch(`${program.url}/healthz`).then(
        () => false,
        () => true,
      ),
    );
    const { status, body } = await signUp.finish();
    assert.equal(status, 201, JSON.stringify(body));
    assert.equal(await program.ended, 0, program.said.error);
  });
}

test('the image runs the Node of the project, without a shell or npm between it and the signal', () => {
  assert.deepEqual(JSON.parse(imageCommand), ['node_modules/.bin/node', 'src/cli.ts', 'start']);
});
