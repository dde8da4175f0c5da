import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { createApp, type App, type AppOptions } from '../../../src/app.ts';
import { parseConfig } from '../../../src/config.ts';
import type { Clock } from '../../../src/core/clock.ts';
import { createLog } from '../../../src/core/log.ts';
import { metricsToken } from '../../../src/core/secret/metrics-token.ts';
import { copyIndex } from './copied-index.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { createDemoDatabase } from './demo.ts';
import { tuningOf } from './tuning.ts';

export const USER_AGENT = 'WaypostTests/1.0 (+https://waypost.example/tests)';
export const BASE_URL = 'https://waypost.example';
export const PARTNER_URL = 'https://partners.waypost.example';
const START = Date.parse('2026-11-14T12:00:00Z');

/** A clock that stands still until a test moves it. */
export class TestClock implements Clock {
  #ms = START;

  now(): Date {
    return new Date(this.#ms);
  }

  advance(ms: number): void {
    this.#ms += ms;
  }
}

export interface TestService {
  url: string;
  app: App;
  clock: TestClock;
  database: TestDatabase;
  /** Every line that the service logged, parsed. */
  logged: Record<string, unknown>[];
  /** A request with a real User-Agent, unless the test says otherwise. */
  request(path: string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

interface ServiceOptions {
  settings?: Record<string, string>;
  /** So many places of the demonstration, in a database that is not handed over. */
  demoPlaces?: number;
  mount?: AppOptions['mount'];
  /** A second node on the same database is started by handing over the first one's. */
  database?: TestDatabase;
}

/** A whole service on loopback, over a database of its own, closed after the test file. */
export async function startTestService(options: ServiceOptions = {}): Promise<TestService> {
  const service = await openTestService(options);
  after(() => service.close());
  return service;
}

/** Like `startTestService`, but the caller closes it. */
export async function openTestService(options: ServiceOptions = {}): Promise<TestService> {
  const clock = new TestClock();
  const { demoPlaces } = options;
  const database = options.database ?? {
    ...(await (demoPlaces === undefined
      ? createTestDatabase()
      : createDemoDatabase(demoPlaces, clock.now()))),
    begunWith: demoPlaces ?? 0,
  };
  const logged: Record<string, unknown>[] = [];
  const log = createLog('debug', {
    write: (text: string) => {
      const lines = text.split('\n').filter((line) => line !== '');
      logged.push(...lines.map((line) => JSON.parse(line) as Record<string, unknown>));
    },
  });
  const dataDir = mkdtempSync(join(tmpdir(), 'waypost-node-'));
  const settings = {
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    PORT: '0',
    BASE_URL,
    PARTNER_URL,
    SERVICE_PREFIX: 'svc',
    // As long as it is, every test that revokes a key waits.
    LEASE_MS: '100',
    // No test asks a stranger's website; those that are about asking bring their own.
    PROBE_WEBSITES: 'off',
    // Each place looks at the queue every two seconds, in every service that a run has open.
    JOBS_AT_ONCE: '2',
    ...options.settings,
  };
  const config = parseConfig(settings, tuningOf(settings));
  // A further node begins with the index of the first as it was, and takes in what has changed since.
  const isFirst = options.database === undefined;
  if (database.begunWith !== undefined && (isFirst || options.settings?.['DATA_DIR'] === undefined))
    await copyIndex(database.begunWith, database.pool, join(config.dataDir, 'index'));
  const app = await createApp({
    config,
    pool: database.pool,
    databaseUrl: database.url,
    clock,
    log,
    isScheduled: false,
    ...(options.mount && { mount: options.mount }),
  });
  await app.listen();
  await app.deps.places.whenReady();
  const url = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
  let closed: Promise<void> | undefined;
  const closeNode = async () => {
    await app.close();
    rmSync(dataDir, { recursive: true, force: true });
  };
  const closeOnce = () => (closed ??= closeNode());
  database.closeServices?.add(closeOnce);
  const close = async () => {
    if (closed !== undefined) return closed;
    await closeOnce();
    if (options.database === undefined) await database.drop();
  };
  const request = (path: string, init: RequestInit = {}) =>
    fetch(url + path, {
      ...init,
      headers: {
        'user-agent': USER_AGENT,
        ...(path === '/metrics' && { authorization: `Bearer ${metricsToken(config, app.deps.secrets)}` }),
        ...(init.headers as Record<string, string>),
      },
    });
  return {
    url,
    app,
    clock,
    database,
    get logged() {
      app.deps.requestNotes.flush();
      return logged;
    },
    request,
    close,
  };
}

/** An agent of one's own, with its key. */
export async function signUpAgent(
  service: TestService,
  email = `operator-${randomUUID()}@operator.example`,
): Promise<{ agentId: string; apiKey: string }> {
  const response = await service.request('/api/agent/signup', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      agent_name: 'Test Agent',
      operator_name: 'Test Operator',
      operator_email: email,
      purpose: 'Tests what agents may do here.',
    }),
  });
  assert.ok(response.ok, `${response.status} to a sign-up`);
  const { agent_id, api_key } = (await response.json()) as { agent_id: string; api_key: string };
  return { agentId: agent_id, apiKey: api_key };
}
