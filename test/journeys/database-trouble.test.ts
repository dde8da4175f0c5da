import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, afterEach, test } from 'node:test';
import { connect } from '../../src/core/postgres/db.ts';
import { toAppError } from '../../src/protocol/http/http-error.ts';
import { rpc } from '../harness/clients/mcp.ts';
import { until } from '../harness/service/jobs.ts';
import { startOwnPostgres } from '../harness/service/own-postgres.ts';
import { signUpAgent, startTestService } from '../harness/service/service.ts';

const { database, freeze, thaw, close } = await startOwnPostgres(15_000);
const { pool } = database;
/** As many as the pool of the service's own PostgreSQL opens in tests. */
const CONNECTIONS = 5;
const service = await startTestService({ database });
const { apiKey } = await signUpAgent(service);
const key = { authorization: `Bearer ${apiKey}` };

afterEach(thaw);
after(async () => {
  await service.close();
  await close();
});

const search = () => service.request('/api/agent/search?q=pizza', { headers: key });

function signUp(idempotencyKey: string, email: string, node = service): Promise<Response> {
  return node.request('/api/agent/signup', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
    body: JSON.stringify({
      agent_name: 'Patient Agent',
      operator_name: 'Patient Operator',
      operator_email: email,
      purpose: 'Asks again when it was not answered.',
    }),
  });
}

async function readiness(): Promise<[number, string]> {
  const response = await service.request('/readyz');
  return [response.status, ((await response.json()) as { status: string }).status];
}

async function registerClient(): Promise<string> {
  const response = await service.request('/oauth/register', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      redirect_uris: ['https://client.example/back'],
      token_endpoint_auth_method: 'none',
    }),
  });
  return ((await response.json()) as { client_id: string }).client_id;
}

async function everythingWorks(): Promise<void> {
  await until('it is ready', async () => (await readiness())[0] === 200);
  assert.equal((await search()).status, 200);
  assert.equal((await signUp(randomUUID(), `${randomUUID()}@operator.example`)).status, 201);
}

async function comesLater(response: Response): Promise<Record<string, unknown>> {
  const text = await response.text();
  assert.equal(response.status, 503, text);
  assert.ok(Number(response.headers.get('retry-after')) > 0);
  return text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : { page: text };
}

test('a frozen server: everything is a 503, and a write that may have been done is not told as refused', async () => {
  // A commit that takes its time, so that the freeze comes in the middle of it on a busy machine too. The freeze
  // lasts longer.
  await pool.unsafe(`
    create function linger() returns trigger language plpgsql as $$ begin perform pg_sleep(7); return null; end $$;
    create constraint trigger linger after insert on agent deferrable initially deferred
      for each row execute function linger()`);
  const clientId = await registerClient();
  const [repeatable, email] = [randomUUID(), `${randomUUID()}@operator.example`];
  const written = signUp(repeatable, email);
  await until('it commits', async () => {
    const rows = await pool`
      select from pg_stat_activity where query = 'commit' and state = 'active' and wait_event = 'PgSleep'`;
    return rows.count > 0;
  });
  await freeze('all');
  const call = { id: 1, method: 'tools/call', params: { name: 'svc_search_places', arguments: { q: 'x' } } };
  const [write, read, tool, page, token, ready] = await Promise.all([
    written,
    search(),
    rpc(service, '/mcp', call, key),
    service.request('/closures', { headers: { accept: 'text/html' } }),
    service.request('/oauth/token', {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'authorization_code', code: 'x', client_id: clientId }),
    }),
    readiness(),
  ]);
  assert.equal((await comesLater(write))['outcome'], 'unknown');
  assert.equal((await comesLater(read))['code'], 'maintenance');
  assert.equal(tool.status, 503, JSON.stringify(tool.body));
  assert.equal((await comesLater(token))['error'], 'temporarily_unavailable');
  assert.deepEqual(ready, [503, 'database frozen: it accepts connections but does not answer']);
  assert.match(String((await comesLater(page))['page']), /This page is not available at the moment/);
  // A new request gets the known readiness without waiting.
  assert.equal((await readiness())[0], 503);
  await comesLater(await search());
  thaw();
  await until('it is ready', async () => (await readiness())[0] === 200);
  const again = await until('the first one is over', async () => {
    const response = await signUp(repeatable, email);
    return response.status === 409 ? undefined : response;
  });
  assert.equal(again.status, 201);
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
  assert.equal((await pool`select from agent where operator_email = ${email}`).count, 1);
  await pool`drop trigger linger on agent`;
  await everythingWorks();
});

test('stopped backends are given up, and others take their place while they stand still', async () => {
  // Jobs use the pool too. All its connections are open, so that those which jobs leave are stopped as well.
  await Promise.all(Array.from({ length: CONNECTIONS }, () => pool`select pg_sleep(0.1)`));
  await freeze('backends');
  const asked = await Promise.allSettled(Array.from({ length: 20 }, () => pool`select 1`));
  const codes = asked.flatMap((one) =>
    one.status === 'rejected' ? [(one.reason as { code: string }).code] : [],
  );
  assert.ok(codes.length > 0);
  assert.deepEqual(new Set(codes), new Set(['SERVER_SILENT']));
  await everythingWorks();
});

test('a database that takes no changes is told as such, and reads that need none go on', async () => {
  await pool`alter system set default_transaction_read_only = on`;
  await pool`select pg_reload_conf()`;
  await until('it is read-only', async () => (await readiness())[1].startsWith('database read-only'));
  const refused = await comesLater(await signUp(randomUUID(), `${randomUUID()}@operator.example`));
  assert.match(String(refused['detail']), /^The database is read-only/);
  assert.equal((await service.request('/api/agent/destinations')).status, 200);
  const admin = connect(`${database.url}?options=-c default_transaction_read_only=off`, {
    max: 1,
    statementTimeoutMs: 0,
  });
  await admin`alter system reset default_transaction_read_only`;
  await admin`select pg_reload_conf()`;
  await admin.end();
  await everythingWorks();
});

test('a statement that takes too long is a 503', async () => {
  const hasty = connect(database.url, { max: 2, statementTimeoutMs: 500 });
  const node = await startTestService({ database: { ...database, pool: hasty } });
  await pool.begin(async (tx) => {
    await tx`lock table agent in access exclusive mode`;
    const refused = await comesLater(await signUp(randomUUID(), `${randomUUID()}@operator.example`, node));
    assert.match(String(refused['detail']), /^The database did not answer in time/);
  });
  await node.close();
  await hasty.end();
});

test('a host without an address, or without a server, is a 503 too', async () => {
  for (const where of ['database.invalid:5432', '127.0.0.1:1']) {
    const lost = connect(`postgres://somebody:secret@${where}/waypost`, {
      max: 1,
      statementTimeoutMs: 1_000,
    });
    const thrown: unknown = await lost`select 1`.catch((error: unknown) => error);
    const { status, code, message } = toAppError(thrown);
    assert.deepEqual(
      [status, code, message],
      [503, 'maintenance', 'The database cannot be reached at the moment.'],
    );
    await lost.end();
  }
});
