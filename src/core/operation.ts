import { crc32 } from 'node:zlib';
import type { z } from 'zod';
import type { Actor, Ctx, Deps, Surface } from './context.ts';
import type { ErrorCode } from './errors.ts';
import type { Warning } from './input/warning.ts';
import type { Db } from './postgres/db.ts';

/** Required caller: anybody, a partner, or an agent whose credential has a scope. */
export type Access =
  | { who: 'anyone' }
  | {
      who: 'partner';
      /** Set for effects that outlive a connection, for which an OAuth token is not enough. */
      keyOnly?: boolean;
    }
  | {
      who: 'agent';
      scope: 'read' | 'write';
      /** Set where money is spent: no scope makes that clear to a person, so an OAuth token is not enough. */
      keyOnly?: boolean;
    };

/** overwrites: changes existing data. reaches_out: notifies somebody outside. repeatable: repeating has no effect. */
type Act = 'overwrites' | 'reaches_out' | 'repeatable';

export interface RestRoute {
  method: 'GET' | 'POST';
  path: `/${string}`;
  status?: 200 | 201 | 202;
  /** Its former path, which still answers and announces its end; descriptions no longer contain it. */
  formerly?: { path: `/${string}`; deprecated: Date; sunset: Date };
}

/** A response that is already JSON text, for hot reads. It contains the attribution; tests check its schema. */
export class PreparedAnswer {
  readonly #write: () => string | Buffer;
  readonly #summarize: string | (() => string);
  readonly #brief: (() => string) | undefined;
  #json: Buffer | undefined;
  #otherForm: Buffer | undefined;
  #etag: string | undefined;

  /** `brief` writes a tool's structured content, where that is shorter than the whole. */
  constructor(
    json: string | Buffer | (() => string | Buffer),
    summary: string | (() => string),
    brief?: () => string,
  ) {
    this.#write = typeof json === 'function' ? json : () => json;
    this.#summarize = summary;
    this.#brief = brief;
  }

  get json(): Buffer {
    if (this.#json === undefined) {
      const written = this.#write();
      this.#json = typeof written === 'string' ? Buffer.from(written) : written;
    }
    return this.#json;
  }

  get structured(): string | Buffer {
    return this.#brief?.() ?? this.json;
  }

  /** Returns the same response with further members at its beginning and another summary. */
  with(members: string, describe: (summary: string) => string): PreparedAnswer {
    const widened = (json: string | Buffer) => `{${members},${json.toString().slice(1)}`;
    return new PreparedAnswer(
      () => widened(this.json),
      () => describe(this.summary),
      () => widened(this.structured),
    );
  }

  /** The short text beside a tool's structured content. Not every protocol needs it. */
  get summary(): string {
    return typeof this.#summarize === 'string' ? this.#summarize : this.#summarize();
  }

  /**
   * Identifies this response among those at its URL, so that a client that already has it need not fetch it again. A
   * checksum is enough for that, and costs a quarter of a cryptographic hash.
   */
  get etag(): string {
    this.#etag ??= `"${this.json.length.toString(36)}-${crc32(this.json).toString(36)}"`;
    return this.#etag;
  }

  /** Returns the response in another form, which is built once and cached with it. */
  inForm(make: (answer: PreparedAnswer) => Buffer): Buffer {
    this.#otherForm ??= make(this);
    return this.#otherForm;
  }
}

export interface Requirement {
  code: ErrorCode;
  /**
   * Throws the caller's error if the requirement is not met. In a write it runs inside the transaction, so
   * that the requirement still holds at the commit.
   */
  assert(call: { db: Db; actor: Actor; input: Readonly<Record<string, unknown>> }): Promise<void> | void;
}

export interface RateLimit {
  name: string;
  /** rate_limited unless set. */
  code?: ErrorCode;
  windowMs: number;
  max: (deps: Deps) => number;
  message: string;
  /** `calls`, the default: a refused call counts too. `done`: the count of a call that is refused later is returned. */
  counts?: 'calls' | 'done';
  refuses?: false;
  /** Set when each address is also counted by itself, within the shared limit. */
  perAddress?: true;
}

/** One operation, declared once: REST, MCP, openapi.json and the reference are generated from it. */
export interface Operation<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodObject = z.ZodObject,
> {
  name: string;
  title: string;
  description: string;
  tag: 'directory' | 'account' | 'submissions' | 'photos' | 'bookings' | 'partners';
  effect: 'read' | 'write' | 'spend';
  /** Further properties of a call, for the hints by which hosts decide whether to ask a person first. */
  acts?: readonly Act[];
  access: Access;
  requires?: readonly Requirement[];
  rateLimits?: readonly RateLimit[];
  /** True when a call costs one read of the agent's quota, which only a success or a 404 does. */
  metered?: boolean;
  /** Price of a call as a partner's tool beyond the plan's allowance, in thousandths of a US cent. */
  price?: number;
  /** True when responses contain texts of strangers; its tools then carry the notice that these are only data. */
  containsUntrustedText: boolean;
  noContactData?: readonly string[];
  /** Members with receiver URLs: one that we would never call is refused before anything else happens. */
  receivers?: readonly string[];
  rest?: RestRoute;
  tools: readonly Surface[];
  /** Surfaces on which it is one of the further tools, which only the full profile lists. */
  furtherTools?: readonly Surface[];
  input: Input;
  /** Set on a write that `dry_run: true` only validates. Such a call counts as a read, and against `rateLimits`. */
  dryRun?: { rateLimits?: readonly RateLimit[]; example: Example };
  /** Set when the operation itself detects repetitions; the runner then stores no responses. */
  detectsRepetitions?: boolean;
  /** Members whose absence has its own error code, so that programs learn more than that something is missing. */
  missing?: Readonly<Record<string, ErrorCode>>;
  output: Output;
  toolOutput?: z.ZodObject;
  /** Status of a success where it depends on the response; otherwise the route's status applies. */
  statusOf?(output: z.input<Output>): 200 | 201;
  example: { input: Example; output: Example };
  /** Returns warnings about the input, or throws a refusal. It sees nothing but the input. */
  vet?(input: z.output<Input>): Warning[];
  /** Its own 4xx codes, for openapi.json; operations without a REST route have none. */
  failures?: readonly ErrorCode[];
  run(
    ctx: Ctx,
    input: z.output<Input>,
  ): Promise<z.input<Output> | PreparedAnswer> | z.input<Output> | PreparedAnswer;
  /** The short text beside an MCP tool's structured content; a prepared answer has its own. */
  summarize?(output: z.output<Output>): string;
}

/** Literal types are lost in the data files that hold most examples; a test parses each of them. */
type Example = Readonly<Record<string, unknown>>;

type Priced<Tools extends readonly Surface[]> = 'partner' extends Tools[number] ? { price: number } : object;

/** Checks an operation literal against its exact types and then widens it, so that one list can hold all operations. */
export function defineOperation<
  Input extends z.ZodObject,
  Output extends z.ZodObject,
  const Tools extends readonly Surface[],
>(operation: Operation<Input, Output> & { tools: Tools } & Priced<Tools>): Operation {
  return operation;
}

/** An event that is posted to others, declared once: openapi.json and the reference are generated from it. */
export interface OutgoingEvent {
  /** snake_case; its name among the webhooks of openapi.json. */
  name: string;
  title: string;
  description: string;
  /** Receiver: a partner at its set_webhook URL, or an agent at the callback_url of a submission. */
  to: 'partner' | 'agent';
  body: z.ZodObject;
  example: Record<string, unknown>;
}
