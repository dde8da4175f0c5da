import assert from 'node:assert/strict';
import { test } from 'node:test';
import { postMessage } from '../../src/messages/post-message.ts';
import { until } from '../harness/jobs.ts';
import { startProgram } from '../harness/program.ts';
import { startTestService, type TestService } from '../harness/service.ts';
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
