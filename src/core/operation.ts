import { hash } from 'node:crypto';
import type { z } from 'zod';
import type { Actor, Ctx, Deps, Surface } from './context.ts';
import type { ErrorCode } from './errors.ts';
import type { Warning } from './input/warning.ts';
import type { Db } from './postgres/db.ts';

/** Who may call: anybody, a partner, or an agent whose credential carries a scope. */
export type Access =
  | { who: 'anyone' }
  | {
      who: 'partner';
      /** Set for what outlives a connection: a token of OAuth is not enough. */
      keyOnly?: boolean;
    }
  | {
      who: 'agent';
      scope: 'read' | 'write';
      /** Set where money is spent: no scope tells a person so, and therefore no token of OAuth is enough. */
      keyOnly?: boolean;
    };

/**
 * `overwrites`: it changes or removes what was there. `reaches_out`: somebody outside hears of it, or it becomes public.
 * `repeatable`: the same call again changes nothing more.
 */
type Act = 'overwrites' | 'reaches_out' | 'repeatable';

export interface RestRoute {
  method: 'GET' | 'POST';
  path: `/${string}`;
  /** The status of a success; 200 when absent. */
  status?: 200 | 201 | 202;
  /** The address that it had before. It still answers, and says until when; it is in no description any more. */
  formerly?: { path: `/${string}`; deprecated: Date; sunset: Date };
}

/**
 * An answer that is already JSON text. Hot reads return it: building objects and serialising them would cost
 * more than finding the answer. It must be an object and must carry the attribution; tests hold it to the schema.
 */
export class PreparedAnswer {
  readonly #write: () => string | Buffer;
  readonly #summarize: string | (() => string);
  readonly #brief: (() => string) | undefined;
  #json: Buffer | undefined;
  #otherForm: Buffer | undefined;
  #etag: string | undefined;

  /** `brief` writes what a tool gives as its structured content, where that is less than the whole. */
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

  /** The structured content of a tool's result. */
  get structured(): string | Buffer {
    return this.#brief?.() ?? this.json;
  }

  /** The same answer with more members at its beginning, and another text. */
  with(members: string, tell: (summary: string) => string): PreparedAnswer {
    const widened = (json: string | Buffer) => `{${members},${json.toString().slice(1)}`;
    return new PreparedAnswer(
      () => widened(this.json),
      () => tell(this.summary),
      () => widened(this.structured),
    );
  }

  /** The short text beside a tool's structured content. Not every protocol asks for it. */
  get summary(): string {
    return typeof this.#summarize === 'string' ? this.#summarize : this.#summarize();
  }

  /** Names this very answer, so that a client which has it need not get it again. */
  get etag(): string {
    this.#etag ??= `"${hash('sha1', this.json, 'base64url')}"`;
    return this.#etag;
  }

  /** The answer in another form, which is made once for as long as the answer is kept. */
  inForm(make: (answer: PreparedAnswer) => Buffer): Buffer {
    this.#otherForm ??= make(this);
    return this.#otherForm;
  }
}

/** Something that must hold before an operation is done, such as that bookings are not halted. */
export interface Requirement {
  code: ErrorCode;
  /** Throws what the caller is told. In a write it is asked inside the transaction, so that it still holds at the end. */
  hold(asked: { db: Db; actor: Actor }): Promise<void> | void;
}

/** A window of calls, checked before anything happens. */
export interface Ceiling {
  /** By which headers and errors call it. */
  name: string;
  code: ErrorCode;
  windowMs: number;
  max: (deps: Deps) => number;
  /** What the caller is told. */
  words: string;
  /** `calls`: each call counts, a refused one too. `done`: what was refused afterwards is given back. */
  counts: 'calls' | 'done';
  /** False where a call is counted, and is never refused for it. */
  refuses?: false;
  /** Set where each address is counted by itself, within what all of them share. */
  perAddress?: true;
}

/** One thing the service does, written once: REST, MCP, openapi.json and the reference page are made from it. */
export interface Operation<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodObject = z.ZodObject,
> {
  /** snake_case; the operationId, and the tool name before any prefix. */
  name: string;
  title: string;
  description: string;
  /** The part of the reference that it belongs to. */
  tag: 'directory' | 'account' | 'submissions' | 'photos' | 'bookings' | 'partners';
  effect: 'read' | 'write' | 'spend';
  /** What else is true of a call, for the hints by which hosts decide whether to ask a person first. */
  acts?: readonly Act[];
  access: Access;
  /** What must hold first. */
  requires?: readonly Requirement[];
  /** The ceilings that a call counts against, beside those of every write of an agent. */
  counts?: readonly Ceiling[];
  /** Whether a call costs one read of the agent's quota: an answer or a 404 does, anything else does not. */
  metered?: boolean;
  /** What a call as a partner's tool costs past what the plan includes, in thousandths of a US cent. */
  price?: number;
  /**
   * Whether its answers hold names or texts that strangers wrote, such as a venue's. Its tools then carry the notice that
   * these are data, never instructions. Required, so that no new operation can forget it.
   */
  strangersText: boolean;
  /** Members that may hold no contact data. */
  contactFree?: readonly string[];
  /** Members that name a receiver of ours: one that we would never call is refused before anything else happens. */
  receivers?: readonly string[];
  rest?: RestRoute;
  /** The surfaces on which it is an MCP tool. */
  tools: readonly Surface[];
  /** The surfaces on which it is one of the further tools, which only the full profile lists. */
  furtherTools?: readonly Surface[];
  input: Input;
  /**
   * Set on a write that `dry_run: true` only checks. Such a call stores nothing and counts as a read: one of the quota of
   * an agent, and against these ceilings instead of those of the write.
   */
  dryRun?: { counts?: readonly Ceiling[]; example: z.input<Output> };
  /** Set where the operation itself finds repetitions, for ever; the runner then keeps no answers of its own. */
  knowsRepetitions?: boolean;
  /** Members whose absence has a code of its own, where programs should learn more than that something is missing. */
  missing?: Readonly<Record<string, ErrorCode>>;
  output: Output;
  /** The structured content of its tools, where that is briefer than `output`. */
  toolOutput?: z.ZodObject;
  /** The status of a success where it depends on the answer; otherwise the route's holds. */
  statusOf?(output: z.input<Output>): 200 | 201;
  example: { input: z.input<Input>; output: z.input<Output> };
  /** What the caller should know of its input, or a refusal of it. It sees nothing but the input. */
  vet?(input: z.output<Input>): Warning[];
  /** Codes of 4xx answers that are this operation's own, for the description. */
  failures?: readonly ErrorCode[];
  run(
    ctx: Ctx,
    input: z.output<Input>,
  ): Promise<z.input<Output> | PreparedAnswer> | z.input<Output> | PreparedAnswer;
  /** The short text beside an MCP tool's structured content; a prepared answer brings its own. */
  summarize?(output: z.output<Output>): string;
}

/** What partners can call says what a call costs. */
type Priced<Tools extends readonly Surface[]> = 'partner' extends Tools[number] ? { price: number } : object;

/** Gives an operation literal its exact types and then forgets them, so that one list can hold all operations. */
export function defineOperation<
  Input extends z.ZodObject,
  Output extends z.ZodObject,
  const Tools extends readonly Surface[],
>(operation: Operation<Input, Output> & { tools: Tools } & Priced<Tools>): Operation {
  return operation;
}

/** Something that is posted to others, written once: openapi.json and the reference are made from it. */
export interface OutgoingEvent {
  /** snake_case; its name among the webhooks of openapi.json. */
  name: string;
  title: string;
  description: string;
  /** Who gets it: a partner at the address of set_webhook, or an agent at the callback_url of a submission. */
  to: 'partner' | 'agent';
  /** The body, without the attribution, which every body has. */
  body: z.ZodObject;
  example: Record<string, unknown>;
}

/** Gives an event literal its exact types and then forgets them, so that one list can hold all events. */
export function defineEvent<Body extends z.ZodObject>(
  event: Omit<OutgoingEvent, 'body' | 'example'> & { body: Body; example: z.input<Body> },
): OutgoingEvent {
  return event;
}
