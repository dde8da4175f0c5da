import type { CallOptions, Input, OperationName, Output } from './call.ts';
import { Operations, PAGED } from './generated/operations.ts';
import { planRequest } from './request.ts';
import { send, type Fetch } from './send.ts';

export type { CallOptions, Input, OperationName, Output } from './call.ts';
export {
  ConnectionError,
  ProblemError,
  UnexpectedAnswerError,
  WaypostError,
  type Problem,
  type ProblemCode,
} from './errors.ts';
export type { ErrorCode } from './generated/operations.ts';

const TIMEOUT_MS = 30_000;
const RETRIES = 2;
const WAIT_MAX_MS = 60_000;

/** A key, or where it comes from each time: from a store, or from one that was rotated. */
type Key = string | (() => string | Promise<string>);

export interface WaypostOptions {
  /** Where the service is, such as https://waypost.example. */
  baseUrl: string;
  /** Where partners call it, if that is another address. */
  partnerUrl?: string;
  /** Names your agent, with an address where its operator can be reached: `TripBot/1.0 (+https://trips.example/bot)`. */
  userAgent: string;
  /** The key of an agent. */
  apiKey?: Key;
  /** The key of a partner. */
  partnerKey?: Key;
  /** How long one attempt may take; 30 seconds unless said otherwise. */
  timeoutMs?: number;
  /** How often a call is sent again; twice unless said otherwise. */
  retries?: number;
  /** The longest wait for another attempt. Where the service asks for a longer one, its refusal is thrown at once. */
  waitMaxMs?: number;
  /** Instead of the fetch of the platform. */
  fetch?: Fetch;
  /** Sees the head of every answer, such as what is left of a quota. */
  onAnswer?: (seen: { operation: OperationName; status: number; headers: Headers; attempts: number }) => void;
}

/** An operation that answers in pages. */
export type PagedName = keyof typeof PAGED;
/** One of the things that such an operation lists. */
export type Item<Name extends PagedName> =
  Output<Name> extends Record<(typeof PAGED)[Name], readonly (infer One)[]> ? One : never;

/** A service, as one agent or partner calls it. */
export class Waypost extends Operations {
  readonly #options: WaypostOptions;
  readonly #addresses: { baseUrl: string; partnerUrl: string };

  constructor(options: WaypostOptions) {
    super();
    const { userAgent, baseUrl, partnerUrl = baseUrl } = options;
    if (typeof userAgent !== 'string' || !/^[\x20-\x7e]{5,}$/.test(userAgent) || userAgent.trim() === '')
      throw new TypeError(
        'userAgent must name your agent, such as TripBot/1.0 (+https://trips.example/bot).',
      );
    this.#options = options;
    this.#addresses = { baseUrl: withoutSlash(baseUrl), partnerUrl: withoutSlash(partnerUrl) };
  }

  /** Calls an operation by its name in openapi.json. The methods of the same names do nothing else. */
  async call<Name extends OperationName>(
    name: Name,
    input: Input<Name> = {} as Input<Name>,
    options: CallOptions = {},
  ): Promise<Output<Name>> {
    const { userAgent, apiKey, partnerKey, onAnswer } = this.#options;
    const { timeoutMs = TIMEOUT_MS, retries = RETRIES } = { ...this.#options, ...options };
    const caller = { userAgent, apiKey: await read(apiKey), partnerKey: await read(partnerKey) };
    const given = input as Record<string, unknown>;
    const request = planRequest(name, given, this.#addresses, caller, options.idempotencyKey);
    const { fetch = globalThis.fetch.bind(globalThis), waitMaxMs = WAIT_MAX_MS } = this.#options;
    const { signal } = options;
    const { status, headers, body, attempts } = await send(request, {
      fetch,
      signal,
      timeoutMs,
      retries,
      waitMaxMs,
    });
    onAnswer?.({ operation: name, status, headers, attempts });
    return body as Output<Name>;
  }

  /** The pages of an operation, from where `cursor` says or from the first. */
  async *pages<Name extends PagedName>(
    name: Name,
    input: Input<Name> = {} as Input<Name>,
    options: Omit<CallOptions, 'idempotencyKey'> = {},
  ): AsyncGenerator<Output<Name>, void, undefined> {
    let { cursor } = input as { cursor?: string };
    for (;;) {
      const asked = cursor === undefined ? input : Object.assign({}, input, { cursor });
      const page = await this.call(name, asked, options);
      yield page;
      const { next_cursor: next } = page as { next_cursor?: string | null };
      // A page that says nothing of another is the last: the first one would come again without end.
      if (next == null || next === cursor) return;
      cursor = next;
    }
  }

  /** Everything that an operation lists, one by one. The next page is asked for when it is needed. */
  async *each<Name extends PagedName>(
    name: Name,
    input: Input<Name> = {} as Input<Name>,
    options: Omit<CallOptions, 'idempotencyKey'> = {},
  ): AsyncGenerator<Item<Name>, void, undefined> {
    for await (const page of this.pages(name, input, options))
      yield* (page as unknown as Record<string, Item<Name>[]>)[PAGED[name]] ?? [];
  }
}

async function read(key: Key | undefined): Promise<string | undefined> {
  return typeof key === 'function' ? key() : key;
}

function withoutSlash(address: string): string {
  const url = new URL(address);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new TypeError(`${address} is not an address of the web.`);
  return address.replace(/\/+$/, '');
}
