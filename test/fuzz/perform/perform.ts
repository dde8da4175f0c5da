import { withReferences } from '../requests/references.ts';
import { madeOdd } from '../requests/oddities.ts';
import type { EndpointPlan, Plan, RestPlan, ToolPlan } from '../requests/plan.ts';
import type { HttpRequest } from '../send.ts';
import { cookieHeader, keepCookies, type Caller } from '../world/caller.ts';
import type { World } from '../world/world.ts';
import type { Exchange, Expectation } from './exchange.ts';
import { openAndSend } from './open-and-send.ts';
import { noteEnded } from './note-ended.ts';

type Header = readonly [name: string, value: string];
const JSON_TYPE: Header = ['Content-Type', 'application/json'];

/** Sends what is planned, and gives every request with its answer. */
export async function perform(world: World, plan: Plan): Promise<Exchange[]> {
  const session = new Session(world, plan, await world.caller(plan.caller.role, plan.caller.nth));
  switch (plan.kind) {
    case 'rest':
      await callOperation(session, plan);
      break;
    case 'tool':
      await callTool(session, plan);
      break;
    case 'form':
      await openAndSend(session, plan);
      break;
    case 'endpoint':
      await callEndpoint(session, plan);
      break;
  }
  return session.exchanges;
}

/** One caller on its way through a plan. */
export class Session {
  readonly world: World;
  readonly caller: Caller;
  readonly exchanges: Exchange[] = [];
  readonly #plan: Plan;

  constructor(world: World, plan: Plan, caller: Caller) {
    this.world = world;
    this.caller = caller;
    this.#plan = plan;
  }

  /** The same value with what the caller knows in the place of references. */
  known<Value>(value: Value): Value {
    return withReferences(value, this.world.find(this.caller)) as Value;
  }

  async send(
    asked: Omit<HttpRequest, 'headers'> & { headers?: readonly Header[] },
    expects: Expectation,
    surface: string,
  ): Promise<Exchange> {
    const { caller, world } = this;
    const { from } = this.#plan.caller;
    let request: HttpRequest = {
      ...asked,
      headers: [
        ['Host', new URL(world.service.baseUrl).host],
        ['User-Agent', 'WaypostFuzzer/1.0 (+https://waypost.example/fuzz)'],
        ['X-Forwarded-For', `198.18.${from >> 8}.${from & 255}`],
        ...caller.credentials,
        ...cookieHeader(caller),
        ...(asked.headers ?? []),
      ],
    };
    const { oddity } = this.#plan;
    if (oddity !== undefined) request = madeOdd(request, oddity);
    const answer = await world.wire.send(request);
    keepCookies(caller, answer.headers['set-cookie']);
    noteEnded(caller, answer);
    const exchange = { surface, caller, request, answer, expects, odd: oddity !== undefined };
    this.exchanges.push(exchange);
    return exchange;
  }
}

async function callOperation(session: Session, plan: RestPlan): Promise<void> {
  const operation = session.world.openapi.paths[plan.path]?.[plan.method.toLowerCase()];
  if (operation === undefined) return;
  const expects = { kind: 'rest', operation } as const;
  const surface = plan.path.startsWith('/api/agent') ? 'REST agent' : 'REST partner';
  const inputs = [plan.input, ...(plan.repeat === undefined ? [] : [plan.repeat.input ?? plan.input])];
  for (const input of inputs) {
    const key: Header[] = plan.repeat === undefined ? [] : [['Idempotency-Key', plan.repeat.key]];
    await session.send(
      {
        ...restRequest(plan, session.known(input)),
        headers: [...key, ...(plan.method === 'GET' ? [] : [JSON_TYPE])],
      },
      expects,
      surface,
    );
  }
}

function restRequest(plan: RestPlan, input: Record<string, unknown>): Omit<HttpRequest, 'headers'> {
  const rest = new Map(Object.entries(input));
  const path = plan.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = rest.get(name);
    rest.delete(name);
    return encoded(textOf(value)) || 'x';
  });
  if (plan.method !== 'GET')
    return { method: plan.method, target: path, body: Buffer.from(JSON.stringify(Object.fromEntries(rest))) };
  const query = [...rest].map(([name, value]) => `${encoded(name)}=${encoded(textOf(value))}`).join('&');
  return { method: 'GET', target: query === '' ? path : `${path}?${query}` };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

/** Lone halves of characters cannot be encoded; a query with them cannot be sent. */
export function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .slice(0, 6_000)
    .replace(/%[0-9A-F]?$/, '');
}

const MODERN = '2026-07-28';

async function callTool(session: Session, plan: ToolPlan): Promise<void> {
  const { endpoint, name, modern } = plan;
  const meta = {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = { name, arguments: session.known(plan.input), ...(modern && { _meta: meta }) };
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params, ...plan.message };
  const headers: Header[] = modern
    ? [
        ['MCP-Protocol-Version', MODERN],
        ['Mcp-Method', 'tools/call'],
        ['Mcp-Name', encodedName(name)],
      ]
    : [];
  const usual = Object.keys(plan.message).length === 0;
  const tool = usual ? session.world.tools[endpoint].find((one) => one.name === name) : undefined;
  const accept: Header = ['Accept', 'application/json, text/event-stream'];
  await session.send(
    {
      method: 'POST',
      target: endpoint,
      body: Buffer.from(JSON.stringify(message)),
      headers: [JSON_TYPE, accept, ...headers],
    },
    { kind: 'rpc', tool },
    `MCP ${endpoint}`,
  );
}

function encodedName(name: string): string {
  return /^[\x21-\x7e]+$/.test(name) ? name : `=?base64?${Buffer.from(name).toString('base64')}?=`;
}

async function callEndpoint(session: Session, plan: EndpointPlan): Promise<void> {
  const fields = session.known(plan.fields);
  const pairs = Object.entries(fields)
    .map(([name, value]) => `${encoded(name)}=${encoded(textOf(value))}`)
    .join('&');
  const { method, path, encoding } = plan;
  const surface = path.startsWith('/oauth') ? 'OAuth' : 'discovery';
  const expects = { kind: 'endpoint', path } as const;
  if (encoding === 'query') {
    const target = pairs === '' ? path : `${path}?${pairs}`;
    await session.send(
      { method, target, headers: [['Accept', 'text/html, application/json']] },
      expects,
      surface,
    );
    return;
  }
  const type = encoding === 'json' ? 'application/json' : 'application/x-www-form-urlencoded';
  const body = Buffer.from(encoding === 'json' ? JSON.stringify(fields) : pairs);
  await session.send({ method, target: path, body, headers: [['Content-Type', type]] }, expects, surface);
}
