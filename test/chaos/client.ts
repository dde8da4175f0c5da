import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { FormClient } from '../harness/people/staff.ts';
import { USER_AGENT } from '../harness/service/service.ts';
import type { Random } from './random.ts';

/** After this time a client hangs up and does not know whether its request was done. */
const DEADLINE_MS = 10_000;
const AGAIN_MS = 250;
/** This long after the last harm a client stops repeating a request: it was never answered. */
const PATIENCE_MS = 120_000;

/** Nobody knows whether it was done: no answer came, or one that says to come again. */
export class Unknown extends Error {}

export interface Reply {
  status: number;
  headers: Headers;
  text: string;
}

type Body = Record<string, unknown>;

/** The writers as the outside world: it asks any node, hangs up in time, and repeats what may be repeated. */
export class Client {
  /** Addresses of the nodes, or the one of the balancer before them. */
  readonly #nodes: readonly { url: string }[];
  readonly #random: Random;
  #serial = 0;
  /** When the last harm was done. */
  overAt: number | undefined;
  readonly tally = { answered: 0, unknown: 0 };

  /** Called for each read that fails, with the reason. */
  readFailed: (why: string) => void = () => undefined;

  /** Reads, which are not repeated, by their name. */
  readonly reads = new Map<string, { answered: number; failed: number }>();

  constructor(nodes: readonly { url: string }[], random: Random) {
    this.#nodes = nodes;
    this.#random = random;
  }

  get isOver(): boolean {
    return this.overAt !== undefined;
  }

  /** An address of its own for whatever is counted by address. */
  address(): string {
    const at = ++this.#serial;
    return `203.${(at >> 16) & 255}.${(at >> 8) & 255}.${at & 255}`;
  }

  /** Sends a request to some node. It throws Unknown where there is no answer that counts. */
  async send(path: string, init: RequestInit = {}): Promise<Reply> {
    const node = this.#random.pick(this.#nodes);
    try {
      const response = await fetch(`${node?.url ?? ''}${path}`, {
        redirect: 'manual',
        ...init,
        headers: { 'user-agent': USER_AGENT, ...(init.headers as Record<string, string>) },
        signal: AbortSignal.timeout(DEADLINE_MS),
      });
      const reply = { status: response.status, headers: response.headers, text: await response.text() };
      if (isPassing(reply)) throw new Unknown(`${reply.status} ${path}`);
      this.tally.answered++;
      return reply;
    } catch (thrown) {
      this.tally.unknown++;
      if (thrown instanceof Unknown) throw thrown;
      throw new Unknown(path, { cause: thrown });
    }
  }

  /** Reads something once, from an address of its own, and counts whether it was answered. */
  async read(name: string, path: string, init: RequestInit = {}): Promise<void> {
    const counts = this.reads.get(name) ?? { answered: 0, failed: 0 };
    this.reads.set(name, counts);
    const headers = { ...(init.headers as Record<string, string>), 'x-forwarded-for': this.address() };
    try {
      const { status } = await this.send(path, { ...init, headers });
      if (status !== 200) throw new Unknown(`${status} ${path}`);
      counts.answered++;
    } catch (thrown) {
      counts.failed++;
      const { message, cause } = thrown as Error;
      this.readFailed(`${name} failed: ${message} ${cause instanceof Error ? cause.message : ''}`);
    }
  }

  /** Sends the same until somebody answers. Only what carries a key, or does no harm twice, may be sent so. */
  async repeat(path: string, init: RequestInit = {}): Promise<Reply> {
    for (;;) {
      try {
        return await this.send(path, init);
      } catch (thrown) {
        if (this.overAt !== undefined && performance.now() > this.overAt + PATIENCE_MS) throw thrown;
        await pause(AGAIN_MS);
      }
    }
  }

  /** A write over REST, with a key, repeated until it is answered. */
  async write(
    path: string,
    body: Body,
    headers: Record<string, string> = {},
  ): Promise<Reply & { body: Body }> {
    const reply = await this.repeat(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID(), ...headers },
      body: JSON.stringify(body),
    });
    return { ...reply, body: JSON.parse(reply.text) as Body };
  }

  /** A tool of the concierge. Undefined when it refused. */
  async tool(key: string, name: string, input: Body): Promise<Body | undefined> {
    const { text } = await this.repeat('/api/concierge/mcp', toolCall(name, input, { 'x-partner-key': key }));
    const { result } = JSON.parse(text) as { result?: { isError?: boolean; structuredContent?: Body } };
    if (result === undefined) throw new Error(text);
    return result.isError === true ? undefined : result.structuredContent;
  }

  /** A person with a browser, at an address of their own. */
  browser(): FormClient {
    const address = this.address();
    return new FormClient({
      request: async (path, init = {}) => {
        const headers = { ...(init.headers as Record<string, string>), 'x-forwarded-for': address };
        const { status, headers: told, text } = await this.send(path, { ...init, headers });
        return new Response(status === 204 || status === 304 ? null : text, { status, headers: told });
      },
    });
  }
}

/** A call of a tool over MCP. */
export function toolCall(name: string, input: Body, headers: Record<string, string> = {}): RequestInit {
  return {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }),
  };
}

/** Whether a reply says nothing about the request: an error of the service, a limit, or the request is in progress. */
function isPassing({ status, text }: Reply): boolean {
  return (
    status >= 500 ||
    // A node that was frozen finds that the request took long to arrive.
    status === 408 ||
    status === 429 ||
    (status === 409 && text.includes('"idempotency_in_progress"')) ||
    (status === 200 && /"code":"(maintenance|internal|idempotency_in_progress|rate_limited)"/.test(text))
  );
}
