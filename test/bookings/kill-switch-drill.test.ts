import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drillPassed, drillVerdict } from '../../src/bookings/kill-switch/drill-report.ts';
import { findLastDrill } from '../../src/bookings/kill-switch/kill-switch-drill.ts';
import { readKillSwitch } from '../../src/bookings/kill-switch/kill-switch.ts';
import { waypostHere } from '../backup/commands.ts';
import { addTestStaff } from '../harness/people/staff.ts';
import { runDrill } from '../harness/service/drill.ts';
import { until } from '../harness/service/jobs.ts';
import { flipSwitch } from '../harness/service/kill-switch.ts';
import { startProgram } from '../harness/service/program.ts';
import { startTestService } from '../harness/service/service.ts';

const service = await startTestService();
const { pool } = service.database;
const { killSwitchGate: outbound } = service.app.deps;
const lead = await addTestStaff(service, 'lead');
const HALTED = /^All bookings are halted/;

const isHalted = async () => (await readKillSwitch(pool)).on;

test('the drill finds contacts after the answer, and those that the answer did not wait for', async () => {
  const stop = new AbortController();
  const release = Promise.withResolvers<undefined>();
  let unheld: Promise<unknown> | undefined;
  const say = (line: string) => {
    // Neither of them holds the switch: one is under way at the flip, the other begins after its answer.
    if (line.startsWith('Turning the switch on'))
      unheld = outbound.letOut('phone', pool, () => release.promise);
    if (HALTED.test(line)) {
      void outbound
        .letOut('mail', pool, () => Promise.resolve())
        .then(() => {
          stop.abort();
        });
    }
  };
  const drill = await runDrill(service, lead.id, { say, stop: stop.signal });
  release.resolve(undefined);
  await unheld;
  assert.equal(drill.afterAnswer, 2);
  assert.equal(drillPassed(drill), false);
  assert.match(drillVerdict(drill), /2 outbound actions continued or began after/);
  assert.equal(await isHalted(), false);
  assert.deepEqual((await findLastDrill(pool))?.by, lead.email);
});

test('outside of a drill nothing is noted', async () => {
  const before = (await pool`select from outbound_action`).length;
  assert.equal(await outbound.letOut('sms', pool, () => Promise.resolve('sent')), 'sent');
  assert.equal((await pool`select from outbound_action`).length, before);
});

test('it is refused while bookings are halted, and while another one runs', async () => {
  await flipSwitch(service.app.deps, { on: true, reason: 'In earnest', staffId: lead.id });
  await assert.rejects(runDrill(service, lead.id), /already halted.*Nothing was changed/);
  assert.equal((await readKillSwitch(pool)).reason, 'In earnest');
  await flipSwitch(service.app.deps, { on: false, reason: 'Over', staffId: lead.id });

  const stop = new AbortController();
  let other: Promise<unknown> | undefined;
  await runDrill(service, lead.id, {
    stop: stop.signal,
    say: (line) => {
      if (line.startsWith('Turning the switch on'))
        other = assert.rejects(runDrill(service, lead.id), /Another drill|already halted/);
      if (HALTED.test(line))
        void other?.finally(() => {
          stop.abort();
        });
    },
  });
  assert.equal(await isHalted(), false);
});

test('called off before the flip it changes nothing, and leaves the way free for the next', async () => {
  const before = await pool`select from audit_log where operation = 'flip_kill_switch'`;
  await assert.rejects(
    runDrill(service, lead.id, { stop: AbortSignal.abort() }),
    /before the switch was turned on/,
  );
  assert.equal(
    (await pool`select from audit_log where operation = 'flip_kill_switch'`).length,
    before.length,
  );
  assert.equal((await pool`select from kill_switch_drill where ended_at is null`).length, 0);
});

test('a halt in earnest during the drill stands, and the drill shows nothing', async () => {
  const stop = new AbortController();
  const last = await findLastDrill(pool);
  const { deps } = service.app;
  const say = (line: string) => {
    if (!HALTED.test(line)) return;
    void flipSwitch(deps, { on: false, reason: 'A person', staffId: lead.id })
      .then(() => flipSwitch(deps, { on: true, reason: 'In earnest', staffId: lead.id }))
      .then(() => {
        stop.abort();
      });
  };
  await assert.rejects(
    runDrill(service, lead.id, { say, stop: stop.signal }),
    /Somebody else changed the switch/,
  );
  assert.equal((await readKillSwitch(pool)).reason, 'In earnest');
  assert.equal((await findLastDrill(pool))?.id, last?.id);
  await flipSwitch(deps, { on: false, reason: 'Over', staffId: lead.id });
});

test('waypost drill kill-switch wants a lead and --yes, and Ctrl-C turns the switch back before it ends', async () => {
  const drill = (...words: string[]) =>
    startProgram([process.execPath, 'src/cli.ts', 'drill', 'kill-switch', ...words], {
      DATABASE_URL: service.database.url,
    });
  const refused = async (...words: string[]) => {
    const { url } = service.database;
    const { code, error } = await waypostHere(['drill', 'kill-switch', ...words], { DATABASE_URL: url });
    assert.equal(code, 1);
    return error;
  };
  assert.match(
    await refused('--staff', 'nobody@staff.example', '--yes'),
    /--staff must be the email address of a lead/,
  );
  assert.match(await refused('--staff', lead.email), /halts all bookings for about six seconds\. Add --yes/);

  const running = drill('--staff', lead.email, '--yes');
  await until('the switch is thrown', () => running.said.out.includes('All bookings are halted'));
  assert.equal(await isHalted(), true);
  running.child.kill('SIGINT');
  assert.equal(await running.ended, 0);
  assert.equal(await isHalted(), false);
  assert.match(running.said.out, /The switch is turned off first\.\nThe switch is off again/);
  assert.match(running.said.out, /Stopped within: \d+\.\d{3} s/);
  assert.match(running.said.out, /Sent after that: 0\nStopped for: /);
});
