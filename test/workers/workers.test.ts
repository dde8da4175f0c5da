import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { KIND_NAMES } from '../../src/jobs/kinds.ts';
import { createDemoDatabase } from '../harness/service/demo.ts';
import { until } from '../harness/service/jobs.ts';
import {
  freePort,
  startProgram,
  untilReady,
  untilRefused,
  type Program,
} from '../harness/service/program.ts';
import { USER_AGENT } from '../harness/service/service.ts';
import { beginSignUp } from '../harness/service/slow-sign-up.ts';
import { connections, isAlive, sendAll, untilServing } from './serving-processes.ts';
import { longTest } from '../harness/tier.ts';

const PLACES = 300;
const SERVICE = [process.execPath, 'src/cli.ts', 'start'];
const database = await createDemoDatabase(PLACES, new Date());
after(() => database.drop());

async function start(settings: Record<string, string> = {}): Promise<Program> {
  const port = String(await freePort());
  return startProgram(SERVICE, { DATABASE_URL: database.url, PORT: port, WORKERS: '2', ...settings });
}

async function signUp({ url }: Program): Promise<{ authorization: string }> {
  const response = await fetch(`${url}/api/agent/signup`, {
    method: 'POST',
    headers: { 'user-agent': USER_AGENT, 'content-type': 'application/json' },
    body: JSON.stringify({
      agent_name: 'Busy Agent',
      operator_name: 'Busy Operator',
      operator_email: `busy-${randomUUID()}@operator.example`,
      purpose: 'Asks both processes at once.',
    }),
  });
  const { api_key } = (await response.json()) as { api_key: string };
  return { authorization: `Bearer ${api_key}` };
}

const dataDir = mkdtempSync(join(tmpdir(), 'waypost-workers-'));
after(() => {
  rmSync(dataDir, { recursive: true, force: true });
});
const program = await start({ LOG_LEVEL: 'info', DATA_DIR: dataDir });
await untilReady(program);

test('two processes serve one port, one takes the jobs, and figures are those of all', async () => {
  const serving = await untilServing(program, 2);
  assert.equal(new Set(serving).size, 2);
  const [one, other] = await connections(program, 2);
  for (let asked = 0; asked < 5; asked++)
    for (const connection of [one, other]) assert.equal((await connection?.get('/nothing'))?.status, 404);
  for (const connection of [one, other]) {
    const authorization = `Bearer ${readFileSync(join(dataDir, 'metrics-token'), 'utf8')}`;
    const { body = '' } = (await connection?.get('/metrics', { authorization })) ?? {};
    assert.match(body, /^waypost_http_request_seconds_count\{route="none",method="GET",status="404"\} 10$/m);
    assert.match(body, /^nodejs_version_info\{/m);
  }
  await until('jobs are taken', async () => (await database.pool`select from job_runner`).length > 0);
  assert.equal((await database.pool`select from job_runner`).length, KIND_NAMES.length, 'by one process');
});

longTest('a place that closes is found by neither process any more', async () => {
  const [place] = await database.pool<{ id: string; name: string }[]>`
    select id, name from place where closed_at is null order by id limit 1`;
  assert.ok(place);
  const key = await signUp(program);
  const both = await connections(program, 2);
  const found = await Promise.all(
    both.map((connection) => connection.get(`/api/agent/search?q=${encodeURIComponent(place.name)}`, key)),
  );
  for (const { status, body } of found) {
    assert.equal(status, 200, body);
    assert.ok(body.includes(place.id), body);
  }
  await database.pool`update place set closed_at = now() where id = ${place.id}`;
  for (const connection of both)
    await until('it is gone', async () => {
      const { body } = await connection.get(`/api/agent/search?q=${encodeURIComponent(place.name)}`, key);
      return !body.includes(place.id);
    });
});

longTest(
  'an index that something else wrote to is searched by neither process, and both go over to the new one',
  async () => {
    const folder = join(dataDir, 'index');
    const fileIn = () => readdirSync(folder).find((name) => name.endsWith('.mdb'));
    const old = fileIn() ?? '';
    const both = await connections(program, 2);
    const key = await signUp(program);
    utimesSync(join(folder, old), new Date(), new Date());
    await until('it is distrusted', () => program.said.error.includes('was changed by something else'));
    await until('there is another', () => ![undefined, old].includes(fileIn()));
    const [place] = await database.pool<{ id: string; name: string }[]>`
    update place set name = 'Quite Another Name' where id = (
      select id from place where closed_at is null order by id desc limit 1) returning id, name`;
    assert.ok(place);
    for (const connection of both)
      await until('the new one is searched', async () => {
        const { status, body } = await connection.get('/api/agent/search?q=quite+another+name', key);
        return status === 200 && body.includes(place.id);
      });
  },
);

test('a quota is as large as ever over both processes', async () => {
  const key = await signUp(program);
  const statuses = await sendAll(await connections(program, 8), 150, (connection) =>
    connection.get('/api/agent/search?q=bar', key),
  );
  const allowed = statuses.filter((status) => status === 200).length;
  assert.deepEqual(
    { allowed, refused: statuses.filter((status) => status === 429).length },
    { allowed: 100, refused: 50 },
  );
});

test('the pages that an address opens are counted over both processes', async () => {
  const over = await connections(program, 40);
  const asked = 900;
  const beganAt = performance.now();
  const statuses = await sendAll(over, asked, (connection) => connection.get('/d/nowhere'));
  const gained = ((performance.now() - beganAt) / 60_000) * 600;
  const refused = statuses.filter((status) => status === 429).length;
  const opened = asked - refused;
  assert.ok(opened >= 600 && opened <= 600 + gained + 1, `${opened} were opened, ${gained} were gained`);
  for (const connection of over) connection.close();
});

test('a serving process that is killed takes its own connections with it, and another takes its place', async () => {
  const before = await untilServing(program, 2);
  const four = await connections(program, 4);
  process.kill(before[0] ?? 0, 'SIGKILL');
  await until('it has ended', () => !isAlive(before[0] ?? 0));
  const after = await Promise.allSettled(four.map((connection) => connection.get('/healthz')));
  const isKept = (one: (typeof after)[number]) => one.status === 'fulfilled' && one.value.kept;
  assert.deepEqual(new Set(after.map(isKept)), new Set([true, false]), 'some were cut, the others go on');
  const now = await until('another serves', async () => {
    const found = await untilServing(program, 2);
    return !found.includes(before[0] ?? 0) && found;
  });
  assert.ok(now.includes(before[1] ?? 0), 'the other one went on');
  await until('both answer', async () => {
    const both = await connections(program, 2);
    const key = await signUp(program);
    const answers = await Promise.all(both.map((each) => each.get('/api/agent/search?q=bar', key)));
    return answers.every(({ status }) => status === 200);
  });
  await until('it is told', () =>
    program.said.error.includes('a worker process ended and is being restarted'),
  );
});

longTest('requests in flight at both processes are answered before a stop', async () => {
  const begun = [await beginSignUp(program.url), await beginSignUp(program.url)];
  const serving = await untilServing(program, 2);
  program.child.kill('SIGTERM');
  await untilRefused(program);
  for (const signUp of begun) assert.equal((await signUp.finish()).status, 201);
  assert.equal(await program.ended, 0, program.said.error);
  for (const pid of serving) assert.equal(isAlive(pid), false);
  const lines = program.said.error.trimEnd().split('\n');
  for (const line of lines) assert.doesNotThrow(() => JSON.parse(line) as unknown, line);
  const signUps = lines.filter((line) => line.includes('"route":"/api/agent/signup","status":201'));
  assert.ok(signUps.length >= 2, 'the last lines of the log are there');
});

longTest('where the port is taken the service ends with one sentence', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const port = String((taken.address() as AddressInfo).port);
  const broken = await start({ PORT: port });
  assert.equal(await broken.ended, 1);
  assert.equal(broken.said.error, `Port ${port} is in use by another program. Set PORT to a free one.\n`);
  assert.doesNotMatch(broken.said.out, /is ready/);
  taken.close();
});

longTest('no serving process outlives the main one', async () => {
  const killed = await start();
  await untilReady(killed);
  const serving = await untilServing(killed, 2);
  killed.child.kill('SIGKILL');
  await until('all have ended', () => serving.every((pid) => !isAlive(pid)));
});
