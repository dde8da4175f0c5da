import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startOauthService, type OauthService } from '../../harness/clients/oauth.ts';
import { DAY_MS, MINUTE_MS } from '../../../src/core/time.ts';
import type { Exchange } from '../perform/exchange.ts';
import type { FindReference } from '../requests/references.ts';
import { readRoutes, type PageRoute } from '../requests/routes.ts';
import { dereference } from '../../harness/clients/dereference.ts';
import { structuredSchema } from '../../harness/clients/tool-schema.ts';
import type { Schema } from '../requests/from-schema.ts';
import { Wire } from '../send.ts';
import { addBookings } from './add-bookings.ts';
import { CallerMaker } from './add-callers.ts';
import { ROLES, STAFF, type Caller, type Role } from './caller.ts';
import { KnownValues, privateText } from './known-values.ts';

const DEMO_PLACES = 300;
/** So many accounts of one kind, so that one can ask for what is another's. */
const ACCOUNTS: Partial<Record<Role, number>> = { agent: 3, partner: 3, venue: 2 };
const MANY = '1000000';

export interface OpenApi {
  paths: Record<string, Record<string, OpenApiOperation>>;
  components: { schemas: { Problem: Schema } };
}

export interface OpenApiOperation {
  operationId: string;
  parameters?: { name: string; in: 'path' | 'query' | 'header'; required: boolean; schema: Schema }[];
  requestBody?: { content: { 'application/json': { schema: Schema } } };
  responses: Record<string, { content: Record<string, { schema: Schema }> }>;
}

export interface ListedTool {
  name: string;
  inputSchema: Schema;
  outputSchema: Schema;
}

export const ENDPOINTS = ['/mcp', '/api/partner/mcp', '/api/concierge/mcp'] as const;
export type EndpointPath = (typeof ENDPOINTS)[number];

/** The running service with its data, those who call it, and what is known of both. */
export class World {
  readonly service: OauthService;
  readonly wire: Wire;
  readonly values = new KnownValues();
  readonly openapi: OpenApi;
  readonly tools: Record<EndpointPath, ListedTool[]>;
  readonly routes: readonly PageRoute[];
  readonly #receiver: string;
  readonly #maker: CallerMaker;
  readonly #callers = new Map<Role, Caller[]>();
  readonly #making = new Map<Caller, Promise<Caller>>();
  readonly #close: () => void;
  readonly #link: RegExp;
  readonly #parametrized: readonly { pattern: string; shape: RegExp }[];

  private constructor(
    made: Pick<World, 'service' | 'openapi' | 'tools' | 'routes'> & {
      receiver: string;
      placeIds: string[];
      close: () => void;
    },
  ) {
    this.service = made.service;
    this.openapi = made.openapi;
    this.tools = made.tools;
    this.#receiver = made.receiver;
    this.#close = made.close;
    this.wire = new Wire(made.service.url);
    this.#link = new RegExp(`${RegExp.escape(made.service.baseUrl)}(/[\\w/.~-]+)`, 'g');
    this.#parametrized = made.routes
      .filter(({ pattern }) => pattern.includes(':'))
      .map(({ pattern }) => ({ pattern, shape: new RegExp(`^${pattern.replaceAll(/:\w+/g, '[^/]+')}$`) }));
    this.routes = made.routes;
    this.#maker = new CallerMaker(made.service, this.values, made.placeIds);
  }

  static async open(): Promise<World> {
    const receiver = createServer((_request, response) => response.writeHead(204).end());
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const pair = `127.0.0.1:${(receiver.address() as AddressInfo).port}`;
    const service = await startOauthService({ demoPlaces: DEMO_PLACES, settings: roomySettings(pair) });
    // No name leads anywhere from here, and nobody waits until the name servers say so.
    service.app.deps.egress.resolve = () => Promise.reject(new Error('ENOTFOUND'));
    const openapi = dereference((await (await service.request('/openapi.json')).json()) as OpenApi);
    const tools = Object.fromEntries(
      await Promise.all(ENDPOINTS.map(async (path) => [path, await listTools(service, path)])),
    ) as World['tools'];
    const placeIds = await askablePlaces(service);
    const close = () => receiver.close();
    const world = new World({
      service,
      openapi,
      tools,
      routes: await readRoutes(service),
      receiver: `http://${pair}`,
      placeIds,
      close,
    });
    for (const path of ['/openapi.json', '/docs'])
      world.values.addExamples(await (await service.request(path)).text());
    for (const id of placeIds) world.values.add('plc', id);
    for (const slug of ['bali', 'tokyo', 'lisbon', 'Bali']) world.values.add('destination', slug);
    await world.#addCallers();
    await addBookings(world, placeIds);
    return world;
  }

  async #addCallers(): Promise<void> {
    let letter = 'a'.charCodeAt(0);
    for (const role of ROLES) {
      const callers: Caller[] = [];
      for (let n = 0; n < (ACCOUNTS[role] ?? 1); n++)
        callers.push(await this.#maker.make(role, String.fromCharCode(letter++)));
      this.#callers.set(role, callers);
    }
  }

  /** A caller whose credentials are good, as far as anybody knows. */
  async caller(role: Role, nth: number): Promise<Caller> {
    const callers = this.#callers.get(role) ?? [];
    const at = nth % callers.length;
    const caller = callers[at];
    if (caller === undefined) throw new Error(`Nobody is a ${role}.`);
    if (!caller.ended) return caller;
    let making = this.#making.get(caller);
    if (making === undefined) {
      making = this.#maker.make(role, caller.letter);
      this.#making.set(caller, making);
    }
    const made = await making;
    callers[at] = made;
    this.#making.delete(caller);
    return made;
  }

  /** Whose words a caller may read; undefined: staff, who read everybody's. */
  letterOf({ role, letter }: Caller): string | undefined {
    return STAFF.includes(role) ? undefined : letter;
  }

  /** Finds the value for a reference in a request of this caller. */
  find(caller: Caller): FindReference {
    return (scope, kind, nth) => {
      if (scope === 'date')
        return new Date(this.service.clock.now().getTime() + (1 + (nth % 30)) * DAY_MS)
          .toISOString()
          .slice(0, 10);
      if (scope === 'private') return privateText(kind, caller.letter, nth);
      if (kind === 'receiver') return `${this.#receiver}/hook/${nth}`;
      const found = this.values.pick(kind, nth, scope === 'own' ? caller.letter : undefined);
      return found ?? `${kind}_${'0'.repeat(26)}`;
    };
  }

  /** Keeps what an answer tells: ids and links for further requests. */
  learn({ answer, caller }: Pick<Exchange, 'answer' | 'caller'>): void {
    if (answer.status >= 400 || answer.status === 304) return;
    this.values.learn(answer.text, this.letterOf(caller));
    if (answer.headers['content-type']?.includes('json') === true) this.learnLinks(answer.text);
  }

  /** Keeps the addresses in a text under the route that they belong to. */
  learnLinks(text: string): void {
    for (const [, path = ''] of text.matchAll(this.#link)) {
      const route = this.#parametrized.find(({ shape }) => shape.test(path));
      if (route !== undefined) this.values.add(`link ${route.pattern}`, path);
    }
  }

  async close(): Promise<void> {
    this.wire.close();
    this.#close();
    await this.service.close();
  }
}

/** Limits so high that requests reach what they are about. Callers' addresses are what they say. */
function roomySettings(receiver: string): Record<string, string> {
  return {
    TRUSTED_PROXIES: '127.0.0.1',
    EGRESS_ALLOW: receiver,
    SIGNUPS_PER_HOUR: MANY,
    REGISTRATIONS_PER_HOUR: MANY,
    PARTNER_SIGNUPS_PER_HOUR: MANY,
    BOOKING_WRITES_PER_MINUTE: MANY,
    BOOKING_WRITES_PER_DAY: MANY,
    BOOKING_READS_PER_MINUTE: MANY,
    VENUE_ASKS_PER_DAY: MANY,
    VENUE_OPEN_ASKS: MANY,
    WEBHOOK_CHANGES_PER_HOUR: MANY,
  };
}

async function listTools(service: OauthService, path: EndpointPath): Promise<ListedTool[]> {
  const response = await service.request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  });
  const { result } = (await response.json()) as { result: { tools: ListedTool[] } };
  return result.tools.map((tool) => ({ ...tool, outputSchema: structuredSchema(path, tool.name) as Schema }));
}

/** Places of every kind of booking, those with the most to tell first. */
async function askablePlaces({ database: { pool } }: OauthService): Promise<string[]> {
  const rows = await pool<{ id: string }[]>`
    select id from (
      select id, row_number() over (partition by booking_method order by id) as nth from place where closed_at is null) one
    where nth <= 12 order by nth, id`;
  return rows.map(({ id }) => id);
}

export const STEP_MS = MINUTE_MS + 1_000;
