import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp, type App } from '../../../src/app.ts';
import { setConnector } from '../../../src/bookings/booking-server/venue-connector.ts';
import { parseConfig } from '../../../src/config.ts';
import { createLog } from '../../../src/core/log.ts';
import { connect, type Pool } from '../../../src/core/postgres/db.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/core/time.ts';
import { Twilio } from '../../../src/twilio/twilio.ts';
import { addTestPartner, type TestPartner } from '../../harness/people/partner.ts';
import { addTestStaff, signInStaff, type FormClient, type TestStaff } from '../../harness/people/staff.ts';
import { createTestDatabase, type TestDatabase } from '../../harness/service/database.ts';
import { tuningOf } from '../../harness/service/tuning.ts';
import {
  BASE_URL,
  PARTNER_URL,
  TestClock,
  USER_AGENT,
  type TestService,
} from '../../harness/service/service.ts';
import { addMadeUpPlace } from '../../directory/made-up-place.ts';
import { startPhoneProvider, type PhoneProvider } from '../../twilio/phone-provider.ts';
import { crashingEgress, crashingPool, CrashPoints } from './crash-points.ts';
import { FickleVenue } from './fickle-venue.ts';

/** How many writes a partner has in a minute here, so that few are enough to be refused. */
export const WRITES_PER_MINUTE = 12;
/** Where the venues are, it is eight hours later than by UTC, all year round. */
const ZONE_MS = 8 * HOUR_MS;

/** One node of two. It answers what is injected, and does the jobs that it is given. */
export interface Node {
  name: 'a' | 'b';
  app: App;
  points: CrashPoints;
  /** The name by which helpers of other tests know a service. */
  service: TestService;
}

/** How a venue can be reached. */
export const PLACES = {
  system: { method: 'venue_system', phone: false, email: false },
  'system+sms': { method: 'venue_system', phone: true, email: false },
  sms: { method: 'request', phone: true, email: false },
  mail: { method: 'request', phone: false, email: true },
  'sms+mail': { method: 'request', phone: true, email: true },
  phone: { method: 'phone', phone: true, email: false },
  desk: { method: 'request', phone: false, email: false },
} as const;
export type PlaceKind = keyof typeof PLACES;

/** Two nodes on one database, a venue's system, a phone provider, a partner and the desk. Nothing happens by itself. */
export class World {
  readonly clock = new TestClock();
  readonly venue = new FickleVenue();
  readonly database: TestDatabase;
  readonly pool: Pool;
  readonly phones: PhoneProvider;
  readonly nodes = {} as Record<Node['name'], Node>;
  partner!: TestPartner;
  desk!: FormClient & { staff: TestStaff };
  /** Further venues of a choice, which are asked by text message. */
  readonly others: { id: string; phone: string }[] = [];
  /** The venue of this sequence. */
  placeId = '';
  phone = '';
  readonly #places: Partial<Record<PlaceKind, Promise<{ id: string; phone: string }>>> = {};
  readonly #closing: (() => unknown)[] = [];

  private constructor(database: TestDatabase, phones: PhoneProvider) {
    this.database = database;
    this.pool = database.pool;
    this.phones = phones;
  }

  static async open(): Promise<World> {
    const world = new World(await createTestDatabase(), await startPhoneProvider());
    world.#closing.push(() => world.database.drop(), await world.venue.listen());
    for (const name of ['a', 'b'] as const) world.nodes[name] = await world.#startNode(name);
    const { service } = world.nodes.a;
    world.partner = await addTestPartner(service, { plan: 'platform' });
    const lead = await addTestStaff(service, 'lead');
    const { partnerId } = world.partner;
    await world.pool`
      update partner set bookings_enabled = true, bookings_reason = 'a test', bookings_at = now(), bookings_by = ${lead.id}
      where id = ${partnerId}`;
    await world.pool`
      insert into webhook_endpoint (partner_id, url, sealed_secret, created_at, changed_at)
      values (${partnerId}, 'https://partner.example/hook', 'x', now(), now())`;
    world.desk = await signInStaff(service, lead);
    for (const phone of ['+628130000001', '+628130000002']) {
      const id = await addMadeUpPlace(world.pool, world.clock, { name: 'Warung Fajar' });
      await world.pool`
        update place set email = null, phone = ${phone}, booking_method = 'request', booking_url = null where id = ${id}`;
      world.others.push({ id, phone });
    }
    return world;
  }

  async #startNode(name: Node['name']): Promise<Node> {
    const { clock, venue, database, phones } = this;
    const points = new CrashPoints();
    const own = connect(database.url, { max: 6, statementTimeoutMs: 15_000 });
    const folder = mkdtempSync(join(tmpdir(), 'waypost-model-'));
    const allow = [venue.pair, phones.settings['EGRESS_ALLOW'] ?? ''];
    const settings = {
      DATA_DIR: folder,
      HOST: '127.0.0.1',
      PORT: '0',
      BASE_URL,
      PARTNER_URL,
      SERVICE_PREFIX: 'svc',
      LEASE_MS: '100',
      PROBE_WEBSITES: 'off',
      BOOKING_WRITES_PER_MINUTE: String(WRITES_PER_MINUTE),
      BOOKING_WRITES_PER_DAY: '1000000',
      BOOKING_READS_PER_MINUTE: '1000000',
      VENUE_ASKS_PER_DAY: '6',
      ...phones.settings,
      TWILIO_REPLIES: 'on',
      EGRESS_ALLOW: allow.join(','),
    };
    const config = parseConfig(settings, tuningOf(settings));
    const log = createLog('fatal', { write: () => undefined });
    const pool = crashingPool(own, points);
    const app = await createApp({ config, pool, databaseUrl: database.url, clock, log });
    const egress = crashingEgress(allow, points, () => venue.isSlow);
    app.deps.egress = egress;
    if (config.twilio !== undefined) app.deps.twilio = new Twilio(egress, config.twilio);
    this.#closing.unshift(async () => {
      await app.close();
      await own.end({ timeout: 1 });
      rmSync(folder, { recursive: true, force: true });
    });
    const service = {
      app,
      clock,
      database,
      request: (path: string, init?: RequestInit) => injected(app, path, init),
    } as unknown as TestService;
    return { name, app, points, service };
  }

  /** A new venue and a clean table, at ten in the morning where the venue is. */
  async begin(kind: PlaceKind): Promise<void> {
    const { pool, clock } = this;
    await pool.unsafe(`
      delete from venue_reply; delete from booking; delete from booking_choice; delete from message; delete from webhook_delivery;
      delete from graphile_worker._private_jobs; delete from rate_window;
      update kill_switch set halted = false`);
    this.venue.reset();
    this.phones.taken.length = 0;
    for (const { points } of Object.values(this.nodes)) points.disarm();
    const local = clock.now().getTime() + ZONE_MS;
    clock.advance((Math.floor(local / DAY_MS) + 1) * DAY_MS + 10 * HOUR_MS - local);
    await this.#keepDesk();
    const { id, phone } = await (this.#places[kind] ??= this.#addPlace(kind));
    this.placeId = id;
    this.phone = phone;
    // A venue may have asked to be left alone by the sequence before.
    const { method } = PLACES[kind];
    await pool`
      update place set booking_method = ${method}, chosen_by_venue = false, field_claims = field_claims - 'booking'
      where id = ${id} and booking_method <> ${method}`;
  }

  /** Venues are made once: every node takes each new one into its index. */
  async #addPlace(kind: PlaceKind): Promise<{ id: string; phone: string }> {
    const { pool, clock, venue } = this;
    const { method, phone, email } = PLACES[kind];
    const number = Object.keys(this.#places).length;
    const own = `+62812${String(number).padStart(7, '0')}`;
    const id = await addMadeUpPlace(pool, clock, { name: 'Warung Senja' });
    await pool`
      update place set email = ${email ? `v${number}@venue.example` : null}, phone = ${phone ? own : null},
        booking_method = ${method}, booking_url = ${method === 'venue_system' ? 'https://book.venue.example/' : null}
      where id = ${id}`;
    const { deps } = this.nodes.a.app;
    if (method === 'venue_system')
      await setConnector(pool, { key: deps.secrets.connector, now: clock.now() }, id, {
        baseUrl: venue.url,
        merchantId: id,
        serviceId: 's-1',
        username: 'waypost',
        password: 'secret',
        durationSec: 5400,
        acceptsDeskContact: true,
        enabled: true,
      });
    return { id, phone: own };
  }

  /** Keeps the desk's session alive while days pass. */
  async #keepDesk(): Promise<void> {
    const now = this.clock.now();
    await this.pool`
      update staff_session set expires_at = ${new Date(now.getTime() + 30 * DAY_MS)},
        last_seen_at = ${new Date(now.getTime() + 29 * DAY_MS)}`;
  }

  /** Time passes: for the service, for its queue and for leases, of which the last two go by the database's clock. */
  async pass(ms: number): Promise<void> {
    this.clock.advance(ms);
    this.venue.catchUp();
    await this.pool`
      with jobs as (
        update graphile_worker._private_jobs
        set run_at = run_at - ${ms} * interval '1 millisecond', locked_at = null, locked_by = null)
      update venue_ask set leased_until = leased_until - ${ms} * interval '1 millisecond'
      where leased_until is not null`;
  }

  async close(): Promise<void> {
    for (const end of this.#closing.splice(0)) await end();
  }
}

/** A date and a time at the venue, so long from ten o'clock of the day on which a sequence begins. */
export function tableTime(now: Date, aheadMs: number): { date: string; time: string } {
  const local = new Date(
    Math.floor((now.getTime() + aheadMs + ZONE_MS) / MINUTE_MS) * MINUTE_MS,
  ).toISOString();
  return { date: local.slice(0, 10), time: local.slice(11, 16) };
}

/** The seconds since 1970 of a date and a time at the venue. */
export function startOf({ date, time }: { date: string; time: string }): number {
  return (Date.parse(`${date}T${time}:00Z`) - ZONE_MS) / 1000;
}

async function injected(app: App, path: string, init: RequestInit = {}): Promise<Response> {
  const answer = await app.http.inject({
    method: (init.method ?? 'GET') as 'GET',
    url: path,
    headers: {
      host: new URL(BASE_URL).host,
      'user-agent': USER_AGENT,
      ...(init.headers as Record<string, string>),
    },
    ...(typeof init.body === 'string' && { payload: init.body }),
  });
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headers))
    for (const one of [value].flat()) if (one !== undefined) headers.append(name, String(one));
  const body = answer.statusCode === 204 || answer.statusCode === 304 ? null : answer.body;
  return new Response(body, { status: answer.statusCode, headers });
}
