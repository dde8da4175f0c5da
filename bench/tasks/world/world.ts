import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { App } from '../../../src/app.ts';
import { systemClock } from '../../../src/core/clock.ts';
import type { Pool } from '../../../src/core/postgres/db.ts';
import { loadCheckout, type Checkout } from './checkout.ts';
import { tuningOf } from '../../../test/harness/service/tuning.ts';

const PLACES = 24_000;
const SEED = 1;
// So long that only a hang takes longer, on a busy machine too.
const WAIT_MS = 300_000;
const LOOK_AGAIN_MS = 50;

export interface Caller {
  id: string;
  headers: Record<string, string>;
}

/** The service, started as it ships with the demonstration, and the people around it: staff, venues and members. */
export class World {
  readonly url: string;
  readonly sql: Pool;
  readonly #app: App;
  readonly #checkout: Checkout;
  readonly #staffId: string;
  readonly #end: () => Promise<void>;

  private constructor(
    url: string,
    app: App,
    checkout: Checkout,
    sql: Pool,
    staffId: string,
    end: () => Promise<void>,
  ) {
    this.url = url;
    this.#app = app;
    this.#checkout = checkout;
    this.sql = sql;
    this.#staffId = staffId;
    this.#end = end;
  }

  static async start(folder: string): Promise<World> {
    const checkout = await loadCheckout(folder);
    const data = await mkdtemp(join(tmpdir(), 'waypost-tasks-'));
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const settings = {
      PORT: String(port),
      BASE_URL: url,
      DATA_DIR: data,
      PROBE_WEBSITES: 'off',
      TEST_PAYMENTS: 'on',
      // Otherwise venues that sleep while the tasks run are asked in their morning.
      VENUE_WAKING_HOURS: '00:00-23:59',
    };
    const config = checkout.config.parseConfig(settings, tuningOf(settings));
    const database = await checkout.database.openDatabase(config, 'service', () => undefined);
    const { pool } = database;
    const now = systemClock.now();
    await checkout.demo.loadDemo(pool, { places: PLACES, seed: SEED, now, progress: () => undefined });
    const log = checkout.log.createLog('silent', { write: () => undefined });
    const app = await checkout.app.createApp({
      config,
      pool,
      databaseUrl: database.url,
      clock: systemClock,
      log,
    });
    await app.listen();
    await app.deps.places.whenReady();
    await checkout.photos.enqueueDemoPhotos(pool);
    const staff = { email: 'reviewer@bench.example', role: 'reviewer' as const, password: randomUUID() };
    await checkout.staff.addStaff(pool, app.deps.newId, now, staff);
    const [row] = await pool<{ id: string }[]>`select id from staff where email = ${staff.email}`;
    const world = new World(url, app, checkout, pool, row?.id ?? '', async () => {
      await app.close();
      await database.close();
      await rm(data, { recursive: true, force: true });
    });
    try {
      await world.until('photos hang', () => pool`select 1 from photo where state = 'live' offset 13`);
    } catch (thrown) {
      await world.close();
      throw thrown;
    }
    return world;
  }

  close(): Promise<void> {
    return this.#end();
  }

  /** Waits until there is a row to see. */
  async until<Row>(what: string, look: () => PromiseLike<readonly Row[]>): Promise<Row> {
    const giveUpAt = performance.now() + WAIT_MS;
    while (performance.now() < giveUpAt) {
      const [row] = await look();
      if (row !== undefined) return row;
      await pause(LOOK_AGAIN_MS);
    }
    throw new Error(`It was waited for in vain: ${what}`);
  }

  /** An agent of its own, with so much in its wallet. */
  async agent(walletCents = 0): Promise<Caller> {
    const { newId, config } = this.#app.deps;
    const now = systemClock.now();
    const id = newId('agt');
    await this.sql`
      insert into agent (id, agent_name, operator_name, operator_email, purpose, plan, created_at)
      values (${id}, 'Task agent', 'Task operator', ${`${id}@bench.example`}, 'Does tasks for travellers.', 'scale', ${now})`;
    const key = await this.#checkout.keys.issueKey(this.sql, config.prefix, { agentId: id }, now);
    if (walletCents > 0) {
      const { openTopUp, creditTopUp } = this.#checkout.topUps;
      await this.sql.begin(async (tx) => {
        const { id: reference } = await openTopUp(tx, { newId, now }, id, walletCents);
        const payment = { reference, book: 'test' as const, amountCents: walletCents };
        await creditTopUp(tx, { newId, now }, reference, payment);
      });
    }
    return { id, headers: { authorization: `Bearer ${key}` } };
  }

  /** A partner of its own whose mailbox is proven and for whom a person has switched bookings on. */
  async partner(): Promise<Caller> {
    const { newId, config } = this.#app.deps;
    const now = systemClock.now();
    const about = { email: `${randomUUID()}@bench.example`, name: 'Task partner' };
    const added = await this.#checkout.partners.addPartner(this.sql, newId, now, config.prefix, about);
    await this.sql`
      update partner set plan = 'platform', email_verified_at = ${now}, bookings_enabled = true,
        bookings_at = ${now}, bookings_by = ${this.#staffId}, bookings_reason = 'For tasks.'
      where id = ${added.partnerId}`;
    return { id: added.partnerId, headers: { 'x-partner-key': added.apiKey } };
  }

  /** Somebody who joined, and the code that they gave to a partner. */
  async member(name: string): Promise<{ id: string; code: string }> {
    const now = systemClock.now();
    const id = this.#app.deps.newId('mem');
    await this.sql`
      insert into member (id, email, display_name, created_at)
      values (${id}, ${`${id}@member.example`}, ${name}, ${now})`;
    const { code } = await this.#checkout.links.makeLinkCode(this.sql, { memberId: id, now });
    return { id, code };
  }

  /** Calls the service as a program does that knows it; what a task takes for granted is made this way. */
  async call(path: string, headers: Record<string, string>, body: unknown): Promise<Record<string, unknown>> {
    const response = await fetch(`${this.url}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'user-agent': 'Waypost-Bench/1.0 (+https://waypost.example)',
        ...headers,
      },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as Record<string, unknown>;
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${JSON.stringify(answer)}`);
    return answer;
  }

  /** A table that the partner has asked for, as far as the venue having been asked. */
  async table(partner: Caller, asked: Record<string, unknown>): Promise<string> {
    const answer = await this.call('/api/concierge/mcp', partner.headers, {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'request_table', arguments: asked },
    });
    const result = answer['result'] as {
      structuredContent?: { booking_id?: string };
      content: { text: string }[];
    };
    const id = result.structuredContent?.booking_id;
    if (id === undefined) throw new Error(`No table was asked for: ${result.content[0]?.text ?? ''}`);
    return id;
  }

  /** Lets the venue answer. A desk that has not yet taken the request up takes it up. */
  async venueSays(bookingId: string, answer: 'yes' | 'no', offer?: { time: string }): Promise<void> {
    const { clock, newId } = this.#app.deps;
    await this.until(
      'the venue has been asked',
      () => this.sql`
      select 1 from booking where id = ${bookingId} and status = 'asking'`,
    );
    const said = {
      bookingId,
      revision: 1,
      answer: offer === undefined ? answer : ('offer' as const),
      ...(offer !== undefined && { offer }),
      actor: 'venue' as const,
    };
    const context = { now: clock.now(), newId, audit: () => undefined };
    const outcome = await this.#checkout.postgres.transactionsOf(this.sql)((tx) =>
      this.#checkout.answers.recordVenueAnswer(tx, context, said),
    );
    if (outcome.outcome !== 'moved') throw new Error(`The venue was not heard: ${JSON.stringify(outcome)}`);
  }

  /** A business that the agent has handed in. */
  async business(agent: Caller, fields: Record<string, unknown>): Promise<string> {
    const answer = await this.call('/api/agent/business', agent.headers, fields);
    return String(answer['submission_id']);
  }

  /** A reviewer turns a submission down. */
  async reject(submissionId: string, reasonText: string): Promise<void> {
    const { deps } = this.#app;
    const request = {
      submissionId,
      revision: 1,
      staffId: this.#staffId,
      decision: 'rejected' as const,
      reasonCode: 'contact_not_verifiable',
      reasonText,
    };
    await this.sql.begin((tx) =>
      this.#checkout.review.decideSubmission(tx, { deps, now: systemClock.now() }, request),
    );
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => {
        resolve(port);
      });
    });
  });
}
