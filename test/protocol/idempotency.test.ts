import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { beginTransaction } from '../harness/service/database.ts';
import { startTestService, type TestService } from '../harness/service/service.ts';
import { DAY_MS, HOUR_MS } from '../../src/core/time.ts';

const PATH = '/api/agent/signup';

const service = await startTestService();
const node = await startTestService({ database: service.database });
const { pool } = service.database;
const RUN = randomUUID();
let operators = 0;

function newSignup(): Record<string, unknown> {
  operators += 1;
  return {
    agent_name: 'TripPlanner',
    operator_name: 'Example Travel Ltd',
    operator_email: `ops${operators}@travel.example`,
    purpose: 'Plans weekend trips for our customers.',
  };
}

interface Answer {
  status: number;
  replayed: string | null;
  text: string;
  code: string | undefined;
}

/** A key that nobody guesses, by the name that a test gives it; within its quotes, where it has some. */
function keyOf(name: string): string {
  return name.replace(/"?$/, (quote) => `-${RUN}${quote}`);
}

async function send(key: string | undefined, body: unknown, node: TestService = service): Promise<Answer> {
  const response = await node.request(PATH, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(key === undefined ? {} : { 'idempotency-key': keyOf(key) }),
    },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return {
    status: response.status,
    replayed: response.headers.get('idempotent-replayed'),
    text,
    code: (JSON.parse(text) as { code?: string }).code,
  };
}

async function countAgents(email: unknown): Promise<number> {
  const rows = await pool`select 1 from agent where operator_email = ${String(email)}`;
  return rows.length;
}

async function countStored(): Promise<number> {
  const [row] = await pool<{ count: number }[]>`select count(*)::int as count from idempotency_key`;
  return row?.count ?? 0;
}

test('the same key with the same body gets the same answer again, byte for byte', async () => {
  const body = newSignup();
  const first = await send('"repeat-1"', body);
  assert.deepEqual([first.status, first.replayed], [201, null]);
  for (const key of ['"repeat-1"', 'repeat-1']) {
    const again = await send(key, body);
    assert.deepEqual([again.status, again.replayed, again.text], [201, 'true', first.text], key);
  }
  assert.equal(await countAgents(body['operator_email']), 1);
});

test('the order of the members and the white space of a body make no other request of it', async () => {
  const body = newSignup();
  const first = await send('order-1', body);
  const turned = Object.fromEntries(Object.entries(body).reverse());
  const again = await send('order-1', { ...turned, agent_name: '  TripPlanner ' });
  assert.deepEqual([again.status, again.replayed, again.text], [201, 'true', first.text]);
});

test('the same key with another body is refused and changes nothing', async () => {
  const [body, other] = [newSignup(), newSignup()];
  const first = await send('reused-1', body);
  const refused = await send('reused-1', other);
  assert.deepEqual([refused.status, refused.code, refused.replayed], [422, 'idempotency_key_reused', null]);
  assert.equal(await countAgents(other['operator_email']), 0);
  assert.equal((await send('reused-1', body)).text, first.text, 'the first answer still stands');
});

test('another key is another request', async () => {
  const body = newSignup();
  assert.equal((await send('other-1', body)).status, 201);
  const second = await send('other-2', body);
  assert.deepEqual([second.status, second.code], [409, 'operator_exists']);
});

test('of many equal requests at once exactly one does the work', async () => {
  service.clock.advance(HOUR_MS); // The address has a new allowance of sign-ups.
  const body = newSignup();
  const answers = await Promise.all(Array.from({ length: 24 }, () => send('race-1', body)));
  const created = answers.filter(({ status, replayed }) => status === 201 && replayed === null);
  assert.equal(created.length, 1);
  for (const { status, replayed, text, code } of answers) {
    if (status === 201) assert.equal(text, created[0]?.text);
    else assert.deepEqual([status, code, replayed], [409, 'idempotency_in_progress', null]);
  }
  assert.equal(await countAgents(body['operator_email']), 1);
  assert.equal((await send('race-1', body)).text, created[0]?.text);
});

test('a request with a key that is still at work is told so, and later gets the answer', async () => {
  const body = newSignup();
  const other = await beginTransaction(pool);
  // A sign-up with this address waits for this transaction, holding the lock of its key.
  await other`insert into agent (id, agent_name, operator_name, operator_email, purpose, created_at)
    values ('agt_00000000000000000000000000', 'Holder', 'Holder', ${String(body['operator_email'])}, 'Holds a name for a while.', now())`;
  const slow = send('busy-1', body);
  await untilWaiting();
  const second = await send('busy-1', body);
  assert.deepEqual([second.status, second.code], [409, 'idempotency_in_progress']);
  await other`rollback`;
  other.release();
  const first = await slow;
  assert.equal(first.status, 201);
  assert.equal((await send('busy-1', body)).text, first.text);
});

async function untilWaiting(): Promise<void> {
  for (;;) {
    const waiting = await pool`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    if (waiting.length > 0) return;
  }
}

test('an answer is kept for 24 hours by the clock, not longer', async () => {
  const body = newSignup();
  const first = await send('day-1', body, node);
  node.clock.advance(DAY_MS - 1);
  assert.equal((await send('day-1', body, node)).text, first.text);
  node.clock.advance(1);
  const late = await send('day-1', body, node);
  assert.deepEqual([late.status, late.code], [409, 'operator_exists'], 'it is a new request');
  const fresh = await send('day-1', newSignup(), node);
  assert.deepEqual([fresh.status, fresh.replayed], [201, null], 'the key is free again');
  node.clock.advance(-DAY_MS);
});

test('a second node on the same database repeats the answer of the first', async () => {
  const body = newSignup();
  const first = await send('nodes-1', body);
  const again = await send('nodes-1', body, node);
  assert.deepEqual([again.status, again.replayed, again.text], [201, 'true', first.text]);
});

test('a failed request is not stored: the same key may be used for the corrected one', async () => {
  const body = newSignup();
  const before = await countStored();
  assert.equal((await send('failed-1', { ...body, purpose: 'short' })).status, 422);
  assert.equal((await send('failed-1', '[')).status, 400);
  const taken = { ...body, operator_email: 'ops1@travel.example' };
  assert.equal((await send('failed-1', taken)).status, 409);
  assert.equal(await countStored(), before);
  const corrected = await send('failed-1', body);
  assert.deepEqual([corrected.status, corrected.replayed], [201, null]);
});

test('without a key nothing is stored', async () => {
  const before = await countStored();
  assert.equal((await send(undefined, newSignup())).status, 201);
  assert.equal(await countStored(), before);
});

test('a key belongs to its caller: another account with the same key and body is another request', async () => {
  const body = newSignup();
  const own = JSON.parse((await send('mine-1', body)).text) as { api_key: string };
  const response = await service.request(PATH, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': keyOf('mine-1'),
      authorization: `Bearer ${own.api_key}`,
    },
    body: JSON.stringify(body),
  });
  assert.equal(response.status, 409);
  assert.ok(!(await response.text()).includes(own.api_key));
});

test('a caller without an account sends a key that nobody can guess, or nothing happens', async () => {
  const weak = ['1', 'signup', 'harbour-7f3c9a', 'x'.repeat(40), '"my-key-of-today"'];
  for (const key of weak) {
    const body = newSignup();
    const response = await service.request(PATH, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify(body),
    });
    const problem = (await response.json()) as { code: string; detail: string };
    assert.deepEqual([response.status, problem.code], [400, 'bad_request'], key);
    assert.match(problem.detail, /must be random and have at least 20 characters.*such as a UUID/);
    assert.equal(await countAgents(body['operator_email']), 0);
  }
});

test('neither the new key nor the idempotency key stands anywhere in the database', async () => {
  const idempotencyKey = 'a-secret-name-for-this-request';
  const answer = await send(idempotencyKey, newSignup());
  const { api_key: apiKey } = JSON.parse(answer.text) as { api_key: string };
  const tables = await pool<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`;
  assert.ok(tables.length > 10);
  for (const { name } of tables)
    for (const secret of [apiKey, apiKey.slice(12), idempotencyKey, keyOf(idempotencyKey)]) {
      const hex = Buffer.from(secret).toString('hex');
      const found = await pool.unsafe(
        `select 1 from ${name} as t where strpos(t::text, $1) > 0 or strpos(t::text, $2) > 0`,
        [secret, hex],
      );
      assert.equal(found.length, 0, `${name} holds a secret`);
    }
});
